/** The functions that the six stages are made of, on files at hand: for the command line and the library. */
import { constants } from 'node:fs';
import { access, copyFile, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SoundtrackTraces } from '../analysis/soundtrack/match.ts';
import { Failure } from '../errors.ts';
import type { Size } from '../footage.ts';
import type { JobConfig } from '../job-config.ts';
import type { FileOutline } from '../media/read/outline.ts';
import type { JobWork, VideoReference } from '../stage.ts';
import { MAX_CAPTION_BYTES, parseCaptionFile } from '../style/captions/file.ts';
import type { Style } from '../style/model/schema.ts';
import { audioOf, clipFactsOf } from './clip-facts.ts';
import { type DirectContext, openDirectContext } from './direct-context.ts';
import type { AppliedStyle, DirectOptions, FileAnalysis } from './direct-results.ts';
import type { MediaEngine } from './engine.ts';
import { renderInto } from './rendering.ts';
import { progressParts } from './stage-tools.ts';
import { planOf } from './style-application.ts';
import { styleOf, styleOfFacts } from './style-extraction.ts';
import { placeWhole } from './whole-file.ts';

const ignore = () => {};

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

/** Measures a file. Throws `Failure` as the probe and the analyses do. */
export async function analyseFile(
  engine: MediaEngine,
  file: string,
  options: DirectOptions,
): Promise<FileAnalysis> {
  const outline = await outlineFile(engine, file, options);
  await using context = await openDirectContext(engine);
  const { tools } = context;
  if (outline.video === null) {
    const result = await audioOf(tools, context.file(resolve(file), outline), options);
    if (result === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has neither picture nor sound');
    return { kind: 'audio', audio: result.facts, fingerprint: result.fingerprint };
  }
  const clip = await probedClip(context, file, outline.video, options);
  const facts = await clipFactsOf(tools, clip, options);
  const audio = await audioOf(tools, clip, options);
  return { kind: 'clip', facts, fingerprint: audio?.fingerprint ?? null };
}

/** `video`: as its outline has it. */
async function probedClip(
  context: DirectContext,
  file: string,
  { width, height }: Size,
  { signal }: Pick<DirectOptions, 'signal'>,
): Promise<VideoReference> {
  const path = resolve(file);
  const limits = { maxDurationSeconds: Number.POSITIVE_INFINITY };
  const { durationSeconds } = await context.tools.engine.run('probe', { path, ...limits }, { signal });
  return context.file(path, { durationSeconds, width, height });
}

/** A file whose sound is to be compared. Throws `Failure` INPUT_UNSUPPORTED where it has none. */
export async function outlineAudio(
  engine: MediaEngine,
  file: string,
  options: Pick<DirectOptions, 'signal'>,
): Promise<FileOutline> {
  const outline = await outlineFile(engine, file, options);
  if (!outline.hasAudio) throw new Failure('INPUT_UNSUPPORTED', `"${file}" has no sound to compare`);
  return outline;
}

/** What tells a file's sound again. Throws `Failure` INPUT_UNSUPPORTED where there is too little of it. */
export async function soundtrackTraces(
  engine: MediaEngine,
  file: string,
  outline: FileOutline,
  options: DirectOptions,
): Promise<SoundtrackTraces> {
  await using context = await openDirectContext(engine);
  const result = await audioOf(context.tools, context.file(resolve(file), outline), options);
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
  return styleOfFacts(engine, analysis, { signal });
}

export interface ApplyRequest {
  readonly source: string;
  readonly output: string;
  /** A clip, or only the style of one; null: a clean re-encode. */
  readonly look: { readonly template: string } | { readonly style: Style } | null;
  readonly config: JobConfig;
  /** A SubRip or WebVTT file; left out: the source's own text track. */
  readonly captions?: string;
  /** Where to write source and output side by side; left out: nowhere. */
  readonly comparison?: string;
}

/** Before long work: throws `Failure` INPUT_UNSUPPORTED, INVALID_CAPTIONS for what is no caption file. */
async function assertCaptionFile(file: string): Promise<void> {
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

/**
 * Renders a file in a style. The output appears whole, at its path, or not at all. Throws `Failure` before long work for a
 * source that cannot be rendered here, and for a template that is unusable, which costs a job of the service its style only.
 */
export async function applyStyle(
  engine: MediaEngine,
  request: ApplyRequest,
  { signal, onProgress = ignore }: DirectOptions,
): Promise<AppliedStyle> {
  const { look, captions, comparison } = request;
  if (captions !== undefined) await assertCaptionFile(captions);
  const config = { ...request.config, comparison: comparison !== undefined };
  const picture = await renderableVideo(engine, { ...request, config }, { signal });
  await using context = await openDirectContext(engine);
  const { tools, folder } = context;
  const template = look !== null && 'template' in look ? look.template : null;
  const templateClip = template === null ? null : await measuredTemplate(context, template, { signal });
  const source = await probedClip(context, request.source, picture, { signal });
  if (captions !== undefined) context.addCaptions(source, resolve(captions));
  const style = look !== null && 'style' in look ? look.style : null;
  const work: JobWork = { source, template: templateClip, style, config, signal, onProgress: ignore };
  // What it throws here, the plan would take for no style at all.
  if (templateClip !== null) await styleOf(tools, work);
  const [forAnalysis, forPlan, forRender] = progressParts(onProgress, [35, 2, 63]);
  await clipFactsOf(tools, source, { signal, onProgress: forAnalysis! });
  await planOf(tools, { ...work, onProgress: forPlan! });
  const { plan, rendered } = await renderInto(folder, tools, { ...work, onProgress: forRender! });
  const { output, outputPath, comparisonPath, warnings } = rendered;
  // A rename alone does not cross file systems.
  await placeWhole(request.output, (beside) => copyFile(outputPath, beside));
  if (comparison !== undefined && comparisonPath !== null)
    await placeWhole(comparison, (beside) => copyFile(comparisonPath, beside));
  return { plan, output, warnings: [...plan.warnings, ...warnings] };
}

/** The source's picture. Throws `Failure` INVALID_VIDEO, INPUT_LIMIT_EXCEEDED for one that cannot be rendered here. */
async function renderableVideo(
  engine: MediaEngine,
  { source, look, config }: ApplyRequest,
  options: DirectOptions,
): Promise<Size> {
  const { video } = await outlineFile(engine, source, options);
  if (video === null) throw new Failure('INVALID_VIDEO', 'The source has no video stream');
  if (video.isStill) throw new Failure('INVALID_VIDEO', 'The source is an image; only a template may be one');
  const style = look !== null && 'style' in look ? look.style : null;
  // What is wrong with a template is told where it is measured.
  const outline =
    look !== null && 'template' in look
      ? await outlineFile(engine, look.template, options).catch((error: unknown) => {
          if (error instanceof Failure) return null;
          throw error;
        })
      : null;
  const template = outline?.video ?? null;
  engine.assertMemory({ source: video, template, config, style });
  return video;
}

async function measuredTemplate(
  context: DirectContext,
  file: string,
  options: DirectOptions,
): Promise<VideoReference> {
  const { video } = await outlineFile(context.tools.engine, file, options);
  if (video === null) throw new Failure('INVALID_VIDEO', 'The template has no video stream');
  const clip = await probedClip(context, file, video, options);
  await clipFactsOf(context.tools, clip, options);
  return clip;
}
