/** Analyses of local files with the functions of the stages, for the command line and the library. */
import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SoundtrackFeatures } from '../../analysis/soundtrack/match.ts';
import { Failure, isFailure, isUnusableInput } from '../../domain/errors.ts';
import { isSound, type VideoReference } from '../../domain/stage.ts';
import { partErrors, partOf, type TimeRange } from '../../domain/time-range.ts';
import type { FileOutline } from '../../media/read/outline.ts';
import type { Style } from '../../style/model/schema.ts';
import type { DirectOptions, FileAnalysis } from '../engine/direct-results.ts';
import type { MediaEngine, TaskOptions } from '../engine/engine.ts';
import { ORDINARY_SECONDS } from '../engine/ordinary-clip.ts';
import type { InspectedFile } from '../engine/tasks.ts';
import { audioOf, clipFactsOf, styleOfFacts, styleOfSound } from '../stages/clip-facts.ts';
import type { WorkTools } from '../stages/stage-tools.ts';
import { type DirectContext, openDirectContext } from './direct-context.ts';

/** A file's headers, before long work. Throws `Failure` as the probe does. */
async function outlineFile(
  engine: MediaEngine,
  file: string,
  { signal }: Pick<DirectOptions, 'signal'>,
): Promise<FileOutline> {
  const path = resolve(file);
  await assertFile(path, file);
  return named(file, engine.run('outline', { path }, { signal }));
}

export interface AnalysisOptions extends DirectOptions {
  /** The part to measure; left out: all. */
  readonly range?: TimeRange | undefined;
}

/** Measures a file. Throws `Failure` as the probe and the analyses do, VALIDATION_ERROR for a part that it does not have. */
export async function analyseFile(
  engine: MediaEngine,
  file: string,
  options: AnalysisOptions,
): Promise<FileAnalysis> {
  await assertFile(resolve(file), file);
  const { range } = options;
  if (range !== undefined) await assertPart(engine, file, range, options.signal);
  await using context = await openDirectContext(engine);
  const wanted = { ...options, withSubjects: true, withStyle: true, folder: context.folder };
  const { inspected, measured } = await named(file, analysedAtOnce(engine, resolve(file), wanted));
  if (measured !== null) {
    const { video, audio, motion, style } = measured;
    const facts = { video, audio: audio?.facts ?? null, motion };
    return {
      kind: 'clip',
      facts,
      fingerprint: audio?.fingerprint ?? null,
      ...(style === null ? {} : { style }),
    };
  }
  const { outline } = inspected;
  const { tools } = context;
  if (outline.video === null) {
    const result = await audioOf(tools, partOf(context.file(resolve(file), outline), range), options);
    if (result === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has neither picture nor sound');
    return { kind: 'audio', audio: result.facts, fingerprint: result.fingerprint };
  }
  const clip = partOf(await probedClip(context, file, inspected), range);
  const facts = await clipFactsOf(tools, clip, options);
  const audio = await audioOf(tools, clip, options);
  return { kind: 'clip', facts, fingerprint: audio?.fingerprint ?? null };
}

/** Before the measurement: throws VALIDATION_ERROR if the file has no such part. */
async function assertPart(
  engine: MediaEngine,
  file: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<void> {
  const { outline, probe } = await named(file, engine.run('inspect', { path: resolve(file) }, { signal }));
  // The measurement reports the refusal.
  if (probe !== null && 'refusal' in probe) return;
  const kind = outline.video === null ? 'audio' : outline.video.isStill ? 'image' : 'video';
  // The headers of a sound file can lack its length.
  const durationSeconds = probe?.durationSeconds ?? outline.durationSeconds ?? Number.POSITIVE_INFINITY;
  const fields = partErrors('partSeconds', range, { kind, durationSeconds });
  if (fields.length > 0)
    throw new Failure('VALIDATION_ERROR', `"${file}": the part ${fields[0]!.message}`, { fields });
}

export interface AnalysisAtOnce extends TaskOptions<InspectedFile> {
  /** The part to measure; undefined: all. */
  readonly range?: TimeRange | undefined;
  readonly folder: string;
  readonly withStyle: boolean;
  readonly withSubjects: boolean;
}

/**
 * Reports the headers of a file, then measures an ordinary clip (neither long nor large) in one child. The motion log is written to
 * `motionLogPath` in `folder`.
 */
export async function analysedAtOnce(
  engine: MediaEngine,
  path: string,
  { range, withStyle, withSubjects, ...options }: AnalysisAtOnce,
) {
  const motionLogPath = join(options.folder, 'motion.bin');
  const input = { path, range, motionLogPath, styleAt: withStyle ? new Date() : null, withSubjects };
  const found = await engine.run('analyse', input, { ...options, mediaSeconds: ORDINARY_SECONDS });
  return { ...found, motionLogPath };
}

/** The input of the stages for a file with a picture. Throws `Failure` as the probe did. */
export async function probedClip(
  context: DirectContext,
  file: string,
  { outline, probe }: InspectedFile,
): Promise<VideoReference> {
  const { width, height } = outline.video!;
  if ('refusal' in probe!) return named(file, Promise.reject(new Failure(...probe.refusal)));
  return context.file(resolve(file), { durationSeconds: probe!.durationSeconds, width, height });
}

/** A sound file, of whose length the headers may say nothing: 0. */
export function soundFile(
  context: DirectContext,
  file: string,
  { durationSeconds }: Pick<FileOutline, 'durationSeconds'>,
): VideoReference {
  return context.file(resolve(file), { durationSeconds: durationSeconds ?? 0, width: 0, height: 0 });
}

/** A video, an image or a sound file as the template. Throws the failures of the probe, INPUT_UNSUPPORTED without picture and sound. */
export async function templateClip(
  context: DirectContext,
  file: string,
  inspected: InspectedFile,
): Promise<VideoReference> {
  const { video, hasAudio } = inspected.outline;
  if (video !== null) return probedClip(context, file, inspected);
  if (!hasAudio)
    throw new Failure(
      'INPUT_UNSUPPORTED',
      `"${file}" has no picture and no sound, so it cannot be the template`,
      { file },
    );
  return soundFile(context, file, inspected.outline);
}

/** Measures what the style of a template needs. `withSubjects`: see `VideoInput`; default: true. */
export async function measureTemplateClip(
  tools: WorkTools,
  template: VideoReference,
  options: Pick<TaskOptions, 'signal' | 'onProgress'> & { readonly withSubjects?: boolean },
): Promise<void> {
  if (isSound(template)) await audioOf(tools, template, options);
  else await clipFactsOf(tools, template, { ...options, withStyle: true });
}

/** A file whose sound is compared. Throws `Failure` INPUT_UNSUPPORTED if it has no sound. */
export async function outlineAudio(
  engine: MediaEngine,
  file: string,
  options: Pick<DirectOptions, 'signal'>,
): Promise<FileOutline> {
  const outline = await outlineFile(engine, file, options);
  if (!outline.hasAudio)
    throw new Failure('INPUT_UNSUPPORTED', `"${file}" has no sound to compare`, { file });
  return outline;
}

/**
 * Fingerprint and onsets that identify a file's sound. Throws `Failure` INPUT_UNSUPPORTED if the sound is too short.
 */
export async function soundtrackTraces(
  engine: MediaEngine,
  file: string,
  outline: FileOutline,
  options: DirectOptions,
): Promise<SoundtrackFeatures> {
  await using context = await openDirectContext(engine);
  const result = await audioOf(context.tools, context.file(resolve(file), outline), options);
  if (result === null || result.fingerprint === null) {
    throw new Failure(
      'INPUT_UNSUPPORTED',
      `"${file}" has too little sound to compare: less than three seconds`,
    );
  }
  const { onsets, durationSeconds } = result.facts;
  return { fingerprint: result.fingerprint, onsets, durationSeconds };
}

/** Errors by which the probe refuses a file. */
const REFUSALS = ['UNSUPPORTED_VIDEO_FORMAT', 'INVALID_VIDEO', 'VIDEO_LIMIT_EXCEEDED'] as const;

/** Adds the file's name to errors of work on one of several files. */
export async function named<Result>(file: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusedInput(error)) throw error;
    throw new Failure(error.code, `"${file}": ${error.detail}`, { file, cause: error });
  }
}

/** The file is at fault: the probe refuses it, or it cannot be measured. */
export function isRefusedInput(error: unknown): error is Failure {
  return isUnusableInput(error) || isFailure(error, ...REFUSALS);
}

/**
 * Throws `Failure` FILE_NOT_FOUND, or INPUT_UNSUPPORTED for a folder, a link to nothing and a file that may not be read: FFmpeg would call
 * each "no video".
 */
export async function assertFile(path: string, name: string): Promise<void> {
  const unusable = (what: string) => new Failure('INPUT_UNSUPPORTED', `"${name}" ${what}`, { file: name });
  const status = await stat(path).catch(async (error: NodeJS.ErrnoException) => {
    // A folder can contain such a link, so that it is in a list of files.
    if ((await lstat(path).catch(() => null))?.isSymbolicLink()) throw unusable('is a link to nothing');
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    const refusal = addressRefusal(name);
    if (refusal !== null) throw new Failure('INPUT_UNSUPPORTED', refusal, { file: name });
    throw new Failure('FILE_NOT_FOUND', `There is no file "${name}"`, { file: name });
  });
  if (status.isDirectory()) throw unusable('is a folder; give the files in it');
  if (!status.isFile()) throw unusable('is not a file');
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw unusable(`cannot be read (${error.code})`);
  });
}

/** The message for an address in place of a file; null: `name` is no address. */
function addressRefusal(name: string): string | null {
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(name)?.[1]?.toLowerCase();
  if (scheme === undefined) return null;
  const byService =
    scheme === 'http' || scheme === 'https'
      ? ', or let a service fetch it: analyze, extract, apply and preview take --server URL'
      : '';
  return `"${name}" is an address, and files are read here: download it${byService}`;
}

/** The Style DNA of an analysed file. */
export async function styleOfFile(
  engine: MediaEngine,
  analysis: FileAnalysis,
  { signal }: DirectOptions,
): Promise<Style> {
  if (analysis.kind === 'audio') {
    const { audio: facts, fingerprint } = analysis;
    return styleOfSound(engine, { facts, fingerprint }, { signal });
  }
  return analysis.style ?? styleOfFacts(engine, analysis, { signal });
}
