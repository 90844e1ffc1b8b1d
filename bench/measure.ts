/** The analyses in this process, without the service's children: their starts would weigh too much on short clips. */
import type { MotionFacts, PictureFacts, SoundFacts } from '../src/analysis/facts.ts';
import { analyseMotion } from '../src/analysis/motion.ts';
import { readMotionLog } from '../src/analysis/optical-flow/log.ts';
import { PictureAnalysis } from '../src/analysis/picture.ts';
import { SoundAnalysis } from '../src/analysis/sound.ts';
import { openFrames } from '../src/media/decode/frames.ts';
import { openSamples } from '../src/media/decode/samples.ts';
import { outlineOf } from '../src/media/read/outline.ts';

/** The rate at which the product analyses sound. */
const SAMPLE_RATE = 44_100;

export interface Findings {
  /** Null for a file that is sound alone. */
  readonly seen: { readonly picture: PictureFacts; readonly motion: MotionFacts } | null;
  /** Null for a file without sound. */
  readonly sound: SoundFacts | null;
}

export async function measureClip(path: string): Promise<Findings> {
  const outline = await outlineOf(path);
  const seen = await measurePicture(path, outline);
  return { seen, sound: outline.hasSound ? await measureSound(path) : null };
}

async function measurePicture(path: string, outline: Awaited<ReturnType<typeof outlineOf>>) {
  if (outline.picture === null) return null;
  const { durationSeconds: containerDurationSeconds } = outline;
  const analysis = new PictureAnalysis({ ...outline.picture, containerDurationSeconds });
  for await (const frame of openFrames(path)) analysis.push(frame);
  const { facts, motionLog } = analysis.finish();
  return { picture: facts, motion: analyseMotion(readMotionLog(motionLog), facts) };
}

export async function measureSound(path: string): Promise<SoundFacts | null> {
  let analysis: SoundAnalysis | null = null;
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source' })) {
    analysis ??= new SoundAnalysis({ sampleRate: SAMPLE_RATE, channels: block.channels.length });
    analysis.push(block);
  }
  return analysis?.finish() ?? null;
}
