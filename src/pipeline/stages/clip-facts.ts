import { join } from 'node:path';
import type { ClipFacts, MotionFacts, VideoFacts } from '../../analysis/facts.ts';
import { Failure } from '../../domain/errors.ts';
import type { JobWork, VideoReference } from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import type { SoundFiles } from '../../render/sound/output-sound.ts';
import type { LocalFile } from '../../storage/blob-store.ts';
import type { Style } from '../../style/model/schema.ts';
import type { FileAnalysis } from '../engine/direct-results.ts';
import type { MediaEngine, TaskOptions } from '../engine/engine.ts';
import type { AudioResult, MeasuredClip } from '../engine/tasks.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { progressParts, type WorkTools } from './stage-tools.ts';

type ClipOptions = Pick<TaskOptions, 'signal' | 'onProgress'>;
interface FactsOptions extends ClipOptions {
  /** Also make the Style DNA, in the same child if nothing is cached. Default: false. */
  readonly withStyle?: boolean;
  /** Whether the clip may be reframed, now or by a later use of its cached results: see `VideoInput`. Default: true. */
  readonly withSubjects?: boolean;
}
/** A clip or a sound file; the length of a sound file may be unknown. */
type AudioReference = Pick<VideoReference, 'sha256' | 'blobKey' | 'range'> & {
  readonly durationSeconds: number | null;
};

/** Shares of picture, sound and motion when each has its own child; for one child see `run-task.ts`. */
const ANALYSIS_WEIGHTS = [75, 20, 5] as const;

/**
 * Facts of a stored clip, from the cache or measured and cached. All stages read them here, so a lost result only costs time.
 */
export async function videoOf(
  tools: WorkTools,
  video: VideoReference,
  options: ClipOptions,
): Promise<VideoFacts> {
  const cached = await tools.results.load<VideoFacts>('video', contentKey(video));
  return cached ?? measuredVideo(tools, video, options);
}

async function measuredVideo(
  tools: WorkTools,
  video: VideoReference,
  options: ClipOptions,
): Promise<VideoFacts> {
  await using workspace = await openWorkspace(tools.engine.workRoot);
  await using file = await localClip(tools, video, options.signal);
  const motionLogPath = join(workspace.folder, 'motion.bin');
  const facts = await tools.engine.run(
    'video',
    { path: file.path, range: video.range, motionLogPath, withSubjects: true },
    { ...options, folder: workspace.folder, mediaSeconds: video.durationSeconds, source: video },
  );
  // The file first: cached facts imply it.
  await tools.results.moveFile('video', contentKey(video), motionLogPath);
  await tools.results.save('video', contentKey(video), facts);
  return facts;
}

/** Facts of the sound, from the cache or measured; null: no sound. */
export async function audioOf(
  tools: WorkTools,
  video: AudioReference,
  options: ClipOptions,
): Promise<AudioResult | null> {
  const cached = await tools.results.load<AudioResult | null>('audio', contentKey(video));
  if (cached !== undefined) return cached;
  await using file = await localClip(tools, video, options.signal);
  const { durationSeconds, range } = video;
  const result = await tools.engine.run(
    'audio',
    { path: file.path, range, durationSeconds },
    { ...options, mediaSeconds: durationSeconds ?? 0 },
  );
  await tools.results.save('audio', contentKey(video), result);
  return result;
}

/** Measurements of a sound file. Throws INPUT_UNSUPPORTED if it has no sound. */
export async function soundFileOf(
  tools: WorkTools,
  file: VideoReference,
  options: ClipOptions,
): Promise<AudioResult> {
  const measured = await audioOf(tools, file, options);
  if (measured === null) throw new Failure('INPUT_UNSUPPORTED', `"${file.filename}" has no sound`);
  return measured;
}

export async function motionOf(
  tools: WorkTools,
  video: VideoReference,
  options: ClipOptions,
): Promise<MotionFacts> {
  const cached = await tools.results.load<MotionFacts>('motion', contentKey(video));
  if (cached !== undefined) return cached;
  const videoFacts = await videoOf(tools, video, options);
  await using log = await motionLogOf(tools, video, options);
  if (log === null) throw new Error('The motion log of a measured clip is missing');
  const facts = await tools.engine.run(
    'motion',
    { motionLogPath: log.path, video: videoFacts },
    { ...options, mediaSeconds: video.durationSeconds },
  );
  await tools.results.save('motion', contentKey(video), facts);
  return facts;
}

async function hasAnyOf({ results }: WorkTools, video: VideoReference): Promise<boolean> {
  const content = contentKey(video);
  for (const kind of ['video', 'audio', 'motion'] as const) if (await results.has(kind, content)) return true;
  return false;
}

async function measuredWhole(
  tools: WorkTools,
  clip: VideoReference,
  { withStyle = false, withSubjects = true, ...options }: FactsOptions,
): Promise<void> {
  await using workspace = await openWorkspace(tools.engine.workRoot);
  await using file = await localClip(tools, clip, options.signal);
  const motionLogPath = join(workspace.folder, 'motion.bin');
  const { durationSeconds, range } = clip;
  const styleAt = withStyle ? new Date() : null;
  const measured = await tools.engine.run(
    'measure',
    { path: file.path, range, motionLogPath, durationSeconds, styleAt, withSubjects },
    { ...options, folder: workspace.folder, mediaSeconds: durationSeconds, source: clip },
  );
  await cacheMeasured(tools, clip, measured, motionLogPath);
}

/** Caches the measurements of a clip; moves its motion log into the cache. */
export async function cacheMeasured(
  { results }: Pick<WorkTools, 'results'>,
  clip: Pick<VideoReference, 'sha256' | 'range'>,
  { video, audio, motion, style }: MeasuredClip,
  motionLogPath: string,
): Promise<void> {
  const content = contentKey(clip);
  // The file first: cached facts imply it.
  await results.moveFile('video', content, motionLogPath);
  await results.save('video', content, video);
  await results.save('audio', content, audio);
  await results.save('motion', content, motion);
  if (style !== null) await results.save('style', content, style);
}

/** The clip's bytes as a file. */
export function localClip(
  { blobs, retryWhileStorageDown }: WorkTools,
  { blobKey }: Pick<VideoReference, 'blobKey'>,
  signal: AbortSignal,
): Promise<LocalFile> {
  return retryWhileStorageDown(() => blobs.localPath(blobKey, signal));
}

/** The files of a work's timeline. Disposing releases them. */
export interface LocalMedia extends AsyncDisposable {
  readonly files: SoundFiles;
}

/** The takes of a work, or its source alone, and its song, as files. */
export async function localMedia(
  tools: WorkTools,
  { source, edit, signal }: Pick<JobWork, 'source' | 'edit' | 'signal'>,
): Promise<LocalMedia> {
  await using opened = new AsyncDisposableStack();
  const takePaths: string[] = [];
  for (const take of edit?.takes ?? [source])
    takePaths.push(opened.use(await localClip(tools, take, signal)).path);
  const music = edit?.music ?? null;
  const song = music === null ? null : opened.use(await localClip(tools, music, signal));
  const resources = opened.move();
  return {
    files: song === null ? { takePaths } : { takePaths, musicPath: song.path },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Measures again if the log was removed with another video of the same content. */
async function motionLogOf(tools: WorkTools, video: VideoReference, options: TaskOptions) {
  const cached = await tools.results.loadFile('video', contentKey(video));
  if (cached !== null) return cached;
  await measuredVideo(tools, video, options);
  return tools.results.loadFile('video', contentKey(video));
}

/** Caches facts that the caller has. */
export async function cacheFacts(
  { results }: Pick<WorkTools, 'results'>,
  clip: Pick<VideoReference, 'sha256' | 'range'>,
  { facts, fingerprint, style }: Omit<Extract<FileAnalysis, { kind: 'clip' }>, 'kind'>,
): Promise<void> {
  const content = contentKey(clip);
  await results.save('video', content, facts.video);
  const audio: AudioResult | null = facts.audio === null ? null : { facts: facts.audio, fingerprint };
  await results.save('audio', content, audio);
  await results.save('motion', content, facts.motion);
  if (style !== undefined) await results.save('style', content, style);
}

/** All facts of a clip; if nothing is cached, one child measures them all, which saves starting others. */
export async function clipFactsOf(
  tools: WorkTools,
  video: VideoReference,
  { signal, onProgress = () => {}, ...wanted }: FactsOptions,
): Promise<ClipFacts> {
  if (!(await hasAnyOf(tools, video))) await measuredWhole(tools, video, { signal, onProgress, ...wanted });
  const [forVideo, forAudio, forMotion] = progressParts(onProgress, ANALYSIS_WEIGHTS);
  const videoFacts = await videoOf(tools, video, { signal, onProgress: forVideo });
  const audio = await audioOf(tools, video, { signal, onProgress: forAudio });
  const motion = await motionOf(tools, video, { signal, onProgress: forMotion });
  return { video: videoFacts, audio: audio?.facts ?? null, motion };
}

/** The Style DNA of a clip that has been measured. */
export function styleOfFacts(
  engine: MediaEngine,
  { facts, fingerprint }: Pick<Extract<FileAnalysis, { kind: 'clip' }>, 'facts' | 'fingerprint'>,
  options: TaskOptions,
): Promise<Style> {
  return engine.run('style', { facts, fingerprint, createdAt: new Date() }, options);
}

/** The Style DNA of a sound file that has been measured. */
export function styleOfSound(
  engine: MediaEngine,
  { facts: audio, fingerprint }: AudioResult,
  options: TaskOptions,
): Promise<Style> {
  return engine.run('soundStyle', { audio, fingerprint, createdAt: new Date() }, options);
}
