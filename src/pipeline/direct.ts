/** The same work as the six stages, on files at hand: for the command line and the library. */
import { constants } from 'node:fs';
import { access, copyFile, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ClipFacts, SoundFacts } from '../analysis/facts.ts';
import type { SoundtrackTraces } from '../analysis/soundtrack-match.ts';
import { Failure } from '../errors.ts';
import type { JobConfig } from '../job-config.ts';
import type { RenderedOutput } from '../render/render.ts';
import type { Warning } from '../stage.ts';
import { MOST_CAPTION_BYTES, parseCaptionFile } from '../style/caption-file.ts';
import { wantsCaptions } from '../style/plan-captions.ts';
import type { Style } from '../style/schema.ts';
import type { MediaEngine, TaskOptions } from './engine.ts';
import { renderPlan } from './render-plan.ts';
import { progressParts } from './stage-tools.ts';
import type { PlannedEdit } from './tasks.ts';
import { placeWhole } from './whole-file.ts';
import { openWorkspace } from './workspace.ts';

/** A file's facts: those of a clip, or of sound alone. */
export type FileAnalysis =
  | { readonly kind: 'clip'; readonly facts: ClipFacts; readonly fingerprint: string | null }
  | { readonly kind: 'sound'; readonly sound: SoundFacts; readonly fingerprint: string | null };

export type DirectOptions = Pick<TaskOptions, 'signal' | 'onProgress'>;

const ignore = () => {};
/** A clip's picture takes most of the time. */
const ANALYSIS_WEIGHTS = [75, 20, 5] as const;

/** Measures a file. Throws `Failure` as the probe and the analyses do. */
export async function analyseFile(
  engine: MediaEngine,
  file: string,
  { signal, onProgress = ignore }: DirectOptions,
): Promise<FileAnalysis> {
  const path = resolve(file);
  await assertFile(path, file);
  const outline = await engine.run('outline', { path }, { signal });
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
  const common = { signal, mediaSeconds: durationSeconds, folder: workspace.folder };
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

/** What tells a file's sound again; null: it has none. Throws `Failure` as the sound analysis does. */
export async function soundtrackTraces(
  engine: MediaEngine,
  file: string,
  { signal, onProgress = ignore }: DirectOptions,
): Promise<SoundtrackTraces | null> {
  const path = resolve(file);
  await assertFile(path, file);
  const { durationSeconds } = await engine.run('outline', { path }, { signal });
  const result = await engine.run('sound', { path, durationSeconds }, { signal, onProgress });
  return result === null || result.fingerprint === null
    ? null
    : { fingerprint: result.fingerprint, onsets: result.facts.onsets };
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

export interface AppliedStyle {
  readonly plan: PlannedEdit;
  readonly output: RenderedOutput;
  /** The plan's, and those of its rendering. */
  readonly warnings: readonly Warning[];
}

/** Before long work: throws `Failure` INPUT_UNSUPPORTED, INVALID_CAPTIONS for what is no caption file. */
export async function assertCaptionFile(file: string): Promise<void> {
  const path = resolve(file);
  await assertFile(path, file);
  if ((await stat(path)).size > MOST_CAPTION_BYTES) {
    throw new Failure(
      'INVALID_CAPTIONS',
      `"${file}" is larger than the ${MOST_CAPTION_BYTES} bytes of a caption file`,
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

/** Renders a file in a style. The output appears whole, at its path, or not at all. */
export async function applyStyle(
  engine: MediaEngine,
  request: ApplyRequest,
  { signal, onProgress = ignore }: DirectOptions,
): Promise<AppliedStyle> {
  const [forAnalysis, forPlan, forRender] = progressParts(onProgress, [35, 2, 63]);
  const analysis = await analyseFile(engine, request.source, { signal, onProgress: forAnalysis! });
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
    { signal, onProgress: forRender!, folder: workspace.folder },
  );
  // A rename alone does not cross file systems.
  await placeWhole(request.output, (beside) => copyFile(outputPath, beside));
  if (comparison !== undefined && comparisonPath !== null)
    await placeWhole(comparison, (beside) => copyFile(comparisonPath, beside));
  return { plan, output, warnings: [...plan.warnings, ...warnings] };
}
