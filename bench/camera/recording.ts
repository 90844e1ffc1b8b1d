/** What the camera's label rests on, measured once of a clip. */
import type { VideoFacts } from '../../src/analysis/facts.ts';
import { readMotionLog } from '../../src/analysis/optical-flow/log.ts';
import { VideoAnalysis } from '../../src/analysis/video.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { recordedOnce } from '../lib/recorded.ts';

/** Raised when results for motion of blocks, bars or shots change. */
const VERSION = 2;

interface Recorded {
  readonly video: VideoFacts;
  readonly motionLog: Uint8Array;
}

/** The facts of the picture without faces and salient regions, and its motion; null for sound alone. */
export async function motionRecordingOf(path: string) {
  const recorded = await recordedOnce({ kind: 'motion', version: VERSION, path }, record);
  return recorded && { video: recorded.video, log: readMotionLog(recorded.motionLog) };
}

async function record(path: string): Promise<Recorded | null> {
  const { video, durationSeconds } = await outlineOf(path);
  if (video === null) return null;
  const outline = { ...video, containerDurationSeconds: durationSeconds };
  const analysis = new VideoAnalysis(outline, { withSubjects: false });
  for await (const frame of openFrames(path, { thinned: true })) analysis.push(frame);
  const { facts, motionLog } = analysis.finish();
  return { video: facts, motionLog };
}
