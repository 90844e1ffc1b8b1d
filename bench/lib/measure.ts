/** The analyses in this process, without the service's children: their starts would weigh too much on short clips. */

import { AudioAnalysis } from '../../src/analysis/audio.ts';
import type { AudioFacts, MotionFacts, VideoFacts } from '../../src/analysis/facts.ts';
import { analyseMotion } from '../../src/analysis/motion.ts';
import { type MotionLog, readMotionLog } from '../../src/analysis/optical-flow/log.ts';
import { VideoAnalysis } from '../../src/analysis/video.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { type FileOutline, outlineOf } from '../../src/media/read/outline.ts';

/** The rate at which the product analyses sound. */
const SAMPLE_RATE = 44_100;

export interface Findings {
  /** Null for a file that is sound alone. */
  readonly seen: { readonly video: VideoFacts; readonly motion: MotionFacts } | null;
  /** Null for a file without sound. */
  readonly audio: AudioFacts | null;
}

export async function measureClip(path: string): Promise<Findings> {
  const outline = await outlineOf(path);
  const recorded = await recordVideo(path, outline);
  const seen = recorded && { video: recorded.video, motion: analyseMotion(recorded.log, recorded.video) };
  return { seen, audio: outline.hasAudio ? await measureAudio(path) : null };
}

/** The video analysis and its motion log; null for a file that is sound alone. */
async function recordVideo(
  path: string,
  outline: FileOutline,
): Promise<{ readonly video: VideoFacts; readonly log: MotionLog } | null> {
  if (outline.video === null) return null;
  const { durationSeconds: containerDurationSeconds } = outline;
  const analysis = new VideoAnalysis({ ...outline.video, containerDurationSeconds });
  for await (const frame of openFrames(path, { thinned: true })) analysis.push(frame);
  const { facts, motionLog } = analysis.finish();
  return { video: facts, log: readMotionLog(motionLog) };
}

export async function measureAudio(path: string): Promise<AudioFacts | null> {
  let analysis: AudioAnalysis | null = null;
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source' })) {
    analysis ??= new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: block.channels.length });
    analysis.push(block);
  }
  return analysis?.finish() ?? null;
}
