/** The same work as the six stages, on files at hand: for the command line and the library. */
import { constants } from 'node:fs';
import { access, copyFile, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ClipFacts } from '../analysis/facts.ts';
import type { SoundtrackTraces } from '../analysis/soundtrack/match.ts';
import { Failure } from '../errors.ts';
import type { JobConfig } from '../job-config.ts';
import type { FileOutline } from '../media/read/outline.ts';
import { MAX_CAPTION_BYTES, parseCaptionFile } from '../style/captions/file.ts';
import type { Style } from '../style/model/schema.ts';
import { wantsCaptions } from '../style/plan/captions.ts';
import type { AppliedStyle, DirectOptions, FileAnalysis } from './direct-results.ts';
import type { MediaEngine } from './engine.ts';
import { renderPlan } from './render-plan.ts';
import { progressParts } from './stage-tools.ts';
import { placeWhole } from './whole-file.ts';
import { openWorkspace } from './workspace.ts';

const ignore = () => {};
/** A clip's picture takes most of the time. */
const ANALYSIS_WEIGHTS = [75, 20, 5] as const;

/** A file's headers, before long work. Throws `Failure` as the probe does. */
export async function outlineFile(
  engine: MediaEngine,
  file: string,
  { signal }: Pick<DirectOptions, 'signal'>,
): Promise<FileOutline> {
  const path = resolve(file);
  await assertFile(path, file);
  return engine.run('outline', { path }, { signal });
}

/** Measures a file. `known`: its outline, when it was asked for before. Throws `Failure` as the probe and the analyses do. */
export async function analyseFile(
  engine: MediaEngine,
  file: string,
  { signal, onProgress = ignore }: DirectOptions,
  known?: FileOutline,
): Promise<FileAnalysis> {
  const path = resolve(file);
  const outline = known ?? (await outlineFile(engine, file, { signal }));
  if (outline.picture === null) {
    const result = await engine.run(
      'sound',
      { path, durationSeconds: outline.durationSeconds },
      { signal, onProgress },
    );
    if (result === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has neither picture nor sound');
    return { kind: 'sound', sound: result.facts, fingerprint: result.fingerprint };
  }
  const { durationSeconds } = await engine.run(
    'probe',
    { path, maxDurationSeconds: Number.POSITIVE_INFINITY },
    { signal },
  );
  const [forPicture, forSound, forMotion] = progressParts(onProgress, ANALYSIS_WEIGHTS);
  await using workspace = await openWorkspace(engine.workRoot);
  const common = {
    signal,
    mediaSeconds: durationSeconds,
    folder: workspace.folder,
    source: outline.picture,
  };
  const motionLogPath = join(workspace.folder, 'motion.bin');
  const picture = await engine.run(
    'picture',
    { path, motionLogPath },
    { ...common, onProgress: forPicture! },
  );
  const sound = await engine.run('sound', { path, durationSeconds }, { ...common, onProgress: forSound! });
  const motion = await engine.run(
    'motion',
    { motionLogPath, picture },
    { ...common, onProgress: forMotion! },
  );
  const facts = { picture, sound: sound?.facts ?? null, motion };
  return { kind: 'clip', facts, fingerprint: sound?.fingerprint ?? null };
}

/** A file whose sound is to be compared. Throws `Failure` INPUT_UNSUPPORTED where it has none. */
export async function outlineSound(
  engine: MediaEngine,
  file: string,
  options: Pick<DirectOptions, 'signal'>,
): Promise<FileOutline> {
  const outline = await outlineFile(engine, file, options);
  if (!outline.hasSound) throw new Failure('INPUT_UNSUPPORTED', `"${file}" has no sound to compare`);
  return outline;
}

/** What tells a file's sound again. Throws `Failure` INPUT_UNSUPPORTED where there is too little of it. */
export async function soundtrackTraces(
  engine: MediaEngine,
  file: string,
  { durationSeconds }: FileOutline,
  { signal, onProgress = ignore }: DirectOptions,
): Promise<SoundtrackTraces> {
  const path = resolve(file);
  const result = await engine.run('sound', { path, durationSeconds }, { signal, onProgress });
  if (result === null || result.fingerprint === null) {
    throw new Failure(
      'INPUT_UNSUPPORTED',
      `"${file}" has too little sound to compare: less than three seconds`,
    );
  }
  return { fingerprint: result.fingerprint, onsets: result.facts.onsets };
}

/** FFmpeg would say of either that it is no video. */
async function assertFile(path: string, name: string): Promise<void> {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new Failure('INPUT_UNSUPPORTED', `There is no file "${name}"`);
  });
  if (!status.isFile()) throw new Failure('INPUT_UNSUPPORTED', `"${name}" is not a file`);
  await access(path, constants.R_OK);
}

/** The Style DNA of an analysed clip. */
export function styleOfClip(
  engine: MediaEngine,
  analysis: Extract<FileAnalysis, { kind: 'clip' }>,
  { signal }: DirectOptions,
): Promise<Style> {
  const { facts, fingerprint } = analysis;
  return engine.run('style', { facts, fingerprint, createdAt: new Date() }, { signal });
}

export interface ApplyRequest {
  readonly source: string;
  /** Of the source: `assertRenderable` gives it. */
  readonly outline: FileOutline;
  readonly output: string;
  /** Style and facts of the template; facts are null when only the style is known. Null: a clean re-encode. */
  readonly style: Style | null;
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A SubRip or WebVTT file; left out: the source's own text track. */
  readonly captions?: string;
  /** Where to write source and output side by side; left out: nowhere. */
  readonly comparison?: string;
}

/** Before long work: throws `Failure` INPUT_UNSUPPORTED, INVALID_CAPTIONS for what is no caption file. */
export async function assertCaptionFile(file: string): Promise<void> {
  const path = resolve(file);
  await assertFile(path, file);
  if ((await stat(path)).size > MAX_CAPTION_BYTES) {
    throw new Failure(
      'INVALID_CAPTIONS',
      `"${file}" is larger than the ${MAX_CAPTION_BYTES} bytes of a caption file`,
    );
  }
  parseCaptionFile(await readFile(path));
}

function captionsOf({ source, style, config, captions }: ApplyRequest) {
  if (captions !== undefined && wantsCaptions(style, config, 'file')) {
    return { origin: 'file', path: resolve(captions) } as const;
  }
  return wantsCaptions(style, config, 'track') ? ({ origin: 'track', path: resolve(source) } as const) : null;
}

/** Before long work: throws `Failure` INVALID_VIDEO, INPUT_LIMIT_EXCEEDED for a source that cannot be rendered here. */
export async function assertRenderable(
  engine: MediaEngine,
  request: Pick<ApplyRequest, 'source' | 'config'> & { readonly styled: boolean },
  options: DirectOptions,
): Promise<FileOutline> {
  const outline = await outlineFile(engine, request.source, options);
  if (outline.picture === null) throw new Failure('INVALID_VIDEO', 'The source has no video stream');
  const { config, styled } = request;
  const refusal = engine.memoryRefusal({ source: outline.picture, template: null, config, styled });
  if (refusal !== null) throw new Failure('INPUT_LIMIT_EXCEEDED', refusal);
  return outline;
}

/** Renders a file in a style. The output appears whole, at its path, or not at all. */
export async function applyStyle(
  engine: MediaEngine,
  request: ApplyRequest,
  { signal, onProgress = ignore }: DirectOptions,
): Promise<AppliedStyle> {
  const [forAnalysis, forPlan, forRender] = progressParts(onProgress, [35, 2, 63]);
  const { picture } = request.outline;
  const analysis = await analyseFile(
    engine,
    request.source,
    { signal, onProgress: forAnalysis! },
    request.outline,
  );
  if (analysis.kind === 'sound') throw new Failure('INVALID_VIDEO', 'The source has no video stream');
  const { style, template, config } = request;
  const plan = await engine.run(
    'plan',
    { source: analysis.facts, style, template, config, captions: captionsOf(request) },
    { signal, onProgress: forPlan! },
  );
  await using workspace = await openWorkspace(engine.workRoot);
  const { comparison } = request;
  const { output, outputPath, comparisonPath, warnings } = await renderPlan(
    engine,
    {
      plan,
      sourcePath: resolve(request.source),
      quality: config.quality,
      comparison: comparison !== undefined,
    },
    {
      signal,
      onProgress: forRender!,
      folder: workspace.folder,
      ...(picture === null ? {} : { source: picture }),
    },
  );
  // A rename alone does not cross file systems.
  await placeWhole(request.output, (beside) => copyFile(outputPath, beside));
  if (comparison !== undefined && comparisonPath !== null)
    await placeWhole(comparison, (beside) => copyFile(comparisonPath, beside));
  return { plan, output, warnings: [...plan.warnings, ...warnings] };
}
