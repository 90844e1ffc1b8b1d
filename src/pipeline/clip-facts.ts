import { join } from 'node:path';
import type { ClipFacts, MotionFacts, PictureFacts } from '../analysis/facts.ts';
import type { VideoReference } from '../stage.ts';
import type { LocalFile } from '../storage/blob-store.ts';
import type { TaskOptions } from './engine.ts';
import { progressParts, type WorkTools } from './stage-tools.ts';
import type { SoundResult } from './tasks.ts';
import { openWorkspace } from './workspace.ts';

type ClipOptions = Pick<TaskOptions, 'signal' | 'onProgress'>;
/** A clip, or a file of sound alone, of which the length may not be known. */
type SoundReference = Pick<VideoReference, 'sha256' | 'blobKey'> & {
  readonly durationSeconds: number | null;
};

/** Picture, sound, motion: a clip's picture takes most of the time. */
const ANALYSIS_WEIGHTS = [75, 20, 5] as const;

/**
 * Facts of a stored clip: kept ones, else measured now and kept. Every stage asks here, so a lost result costs time
 * and nothing else.
 */
export async function pictureOf(
  tools: WorkTools,
  video: VideoReference,
  options: ClipOptions,
): Promise<PictureFacts> {
  const kept = await tools.results.load<PictureFacts>('picture', video.sha256);
  return kept ?? measuredPicture(tools, video, options);
}

async function measuredPicture(
  tools: WorkTools,
  video: VideoReference,
  options: ClipOptions,
): Promise<PictureFacts> {
  await using workspace = await openWorkspace(tools.engine.workRoot);
  await using file = await localClip(tools, video, options.signal);
  const motionLogPath = join(workspace.folder, 'motion.bin');
  const facts = await tools.engine.run(
    'picture',
    { path: file.path, motionLogPath },
    { ...options, folder: workspace.folder, mediaSeconds: video.durationSeconds, source: video },
  );
  // The file first: who sees the facts may rely on it.
  await tools.results.moveFile('picture', video.sha256, motionLogPath);
  await tools.results.save('picture', video.sha256, facts);
  return facts;
}

/** Null: the clip has no sound. */
export async function soundOf(
  tools: WorkTools,
  video: SoundReference,
  options: ClipOptions,
): Promise<SoundResult | null> {
  const kept = await tools.results.load<SoundResult | null>('sound', video.sha256);
  if (kept !== undefined) return kept;
  await using file = await localClip(tools, video, options.signal);
  const { durationSeconds } = video;
  const result = await tools.engine.run(
    'sound',
    { path: file.path, durationSeconds },
    { ...options, mediaSeconds: durationSeconds ?? 0 },
  );
  await tools.results.save('sound', video.sha256, result);
  return result;
}

export async function motionOf(
  tools: WorkTools,
  video: VideoReference,
  options: ClipOptions,
): Promise<MotionFacts> {
  const kept = await tools.results.load<MotionFacts>('motion', video.sha256);
  if (kept !== undefined) return kept;
  const picture = await pictureOf(tools, video, options);
  await using log = await motionLogOf(tools, video, options);
  if (log === null) throw new Error('The motion log of a measured clip is missing');
  const facts = await tools.engine.run(
    'motion',
    { motionLogPath: log.path, picture },
    { ...options, mediaSeconds: video.durationSeconds },
  );
  await tools.results.save('motion', video.sha256, facts);
  return facts;
}

/** The clip's bytes as a file. */
export function localClip(
  { blobs, patiently }: WorkTools,
  { blobKey }: Pick<VideoReference, 'blobKey'>,
  signal: AbortSignal,
): Promise<LocalFile> {
  return patiently(() => blobs.localPath(blobKey, signal));
}

/** Kept results may be removed, with another video of the same content, at any moment. */
async function motionLogOf(tools: WorkTools, video: VideoReference, options: TaskOptions) {
  const kept = await tools.results.loadFile('picture', video.sha256);
  if (kept !== null) return kept;
  await measuredPicture(tools, video, options);
  return tools.results.loadFile('picture', video.sha256);
}

/** All facts of a clip, each as above. */
export async function clipFactsOf(
  tools: WorkTools,
  video: VideoReference,
  { signal, onProgress = () => {} }: ClipOptions,
): Promise<ClipFacts> {
  const [forPicture, forSound, forMotion] = progressParts(onProgress, ANALYSIS_WEIGHTS);
  const picture = await pictureOf(tools, video, { signal, onProgress: forPicture! });
  const sound = await soundOf(tools, video, { signal, onProgress: forSound! });
  const motion = await motionOf(tools, video, { signal, onProgress: forMotion! });
  return { picture, sound: sound?.facts ?? null, motion };
}
