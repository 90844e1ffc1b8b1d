import { join } from 'node:path';
import type { ClipFacts, MotionFacts, VideoFacts } from '../../analysis/facts.ts';
import type { JobWork, VideoReference } from '../../domain/stage.ts';
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
type AudioReference = Pick<VideoReference, 'sha256' | 'blobKey'> & {
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
  const cached = await tools.results.load<VideoFacts>('video', video.sha256);
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
    { path: file.path, motionLogPath, withSubjects: true },
    { ...options, folder: workspace.folder, mediaSeconds: video.durationSeconds, source: video },
  );
  // The file first: cached facts imply it.
  await tools.results.moveFile('video', video.sha256, motionLogPath);
  await tools.results.save('video', video.sha256, facts);
  return facts;
}

/** Facts of the sound, from the cache or measured; null: no sound. */
export async function audioOf(
  tools: WorkTools,
  video: AudioReference,
  options: ClipOptions,
): Promise<AudioResult | null> {
  const cached = await tools.results.load<AudioResult | null>('audio', video.sha256);
  if (cached !== undefined) return cached;
  await using file = await localClip(tools, video, options.signal);
  const { durationSeconds } = video;
  const result = await tools.engine.run(
    'audio',
    { path: file.path, durationSeconds },
    { ...options, mediaSeconds: durationSeconds ?? 0 },
  );
  await tools.results.save('audio', video.sha256, result);
  return result;
}

export async function motionOf(
  tools: WorkTools,
  video: VideoReference,
  options: ClipOptions,
): Promise<MotionFacts> {
  const cached = await tools.results.load<MotionFacts>('motion', video.sha256);
  if (cached !== undefined) return cached;
  const videoFacts = await videoOf(tools, video, options);
  await using log = await motionLogOf(tools, video, options);
  if (log === null) throw new Error('The motion log of a measured clip is missing');
  const facts = await tools.engine.run(
    'motion',
    { motionLogPath: log.path, video: videoFacts },
    { ...options, mediaSeconds: video.durationSeconds },
  );
  await tools.results.save('motion', video.sha256, facts);
  return facts;
}

async function hasAnyOf({ results }: WorkTools, { sha256 }: VideoReference): Promise<boolean> {
  for (const kind of ['video', 'audio', 'motion'] as const) if (await results.has(kind, sha256)) return true;
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
  const { durationSeconds } = clip;
  const styleAt = withStyle ? new Date() : null;
  const measured = await tools.engine.run(
    'measure',
    { path: file.path, motionLogPath, durationSeconds, styleAt, withSubjects },
    { ...options, folder: workspace.folder, mediaSeconds: durationSeconds, source: clip },
  );
  await cacheMeasured(tools, clip, measured, motionLogPath);
}

/** Caches the measurements of a clip; moves its motion log into the cache. */
export async function cacheMeasured(
  { results }: Pick<WorkTools, 'results'>,
  { sha256 }: Pick<VideoReference, 'sha256'>,
  { video, audio, motion, style }: MeasuredClip,
  motionLogPath: string,
): Promise<void> {
  // The file first: cached facts imply it.
  await results.moveFile('video', sha256, motionLogPath);
  await results.save('video', sha256, video);
  await results.save('audio', sha256, audio);
  await results.save('motion', sha256, motion);
  if (style !== null) await results.save('style', sha256, style);
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
  const cached = await tools.results.loadFile('video', video.sha256);
  if (cached !== null) return cached;
  await measuredVideo(tools, video, options);
  return tools.results.loadFile('video', video.sha256);
}

/** Caches facts that the caller has. */
export async function cacheFacts(
  { results }: Pick<WorkTools, 'results'>,
  { sha256 }: Pick<VideoReference, 'sha256'>,
  { facts, fingerprint, style }: Omit<Extract<FileAnalysis, { kind: 'clip' }>, 'kind'>,
): Promise<void> {
  await results.save('video', sha256, facts.video);
  const audio: AudioResult | null = facts.audio === null ? null : { facts: facts.audio, fingerprint };
  await results.save('audio', sha256, audio);
  await results.save('motion', sha256, facts.motion);
  if (style !== undefined) await results.save('style', sha256, style);
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
