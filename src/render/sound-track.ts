import { Frame } from 'node-av/lib';
import { LoudnessMeter } from '../analysis/loudness.ts';
import { LinearGraph } from '../media/graph.ts';
import { openSamples } from '../media/samples.ts';
import {
  fillSoundFrame,
  OUTPUT_SAMPLE_RATE,
  readSoundFrame,
  type StereoBlock,
} from '../media/sound-frame.ts';
import type { SoundPlan, Timeline } from '../style/timeline.ts';
import { SoundAssembly } from './sound-assembly.ts';
import { type SoundLevel, soundChain } from './sound-chain.ts';

/** AAC moves peaks by some tenths of a decibel: keep that much below the limit that the file must hold. */
const CODEC_HEADROOM_DB = 0.5;
/** More gain than this would only raise noise. */
const MAX_GAIN_DB = 36;
/** More than this through a limiter is heard as pumping. */
const MAX_LIMITER_MAKEUP_DB = 6;
const CLOSE_ENOUGH_LU = 0.3;
const MEASURE_PASSES = 3;

/**
 * The output's sound: the source's, in the order of the timeline, through the sound plan at the given level.
 * Stereo at 48 kHz, exactly as long as the timeline.
 */
export async function* openSoundTrack(
  path: string,
  timeline: Timeline,
  plan: SoundPlan,
  level: SoundLevel,
): AsyncGenerator<StereoBlock> {
  const assembly = new SoundAssembly(timeline.clips, OUTPUT_SAMPLE_RATE);
  const chain = soundChain(plan, level);
  using graph = new LinearGraph('audio', { num: 1, den: OUTPUT_SAMPLE_RATE }, () => chain);
  const frame = new Frame();
  frame.alloc();
  let sent = 0;
  let received = 0;
  const out: StereoBlock[] = [];
  const process = (block: StereoBlock | null) => {
    if (block !== null && block[0].length === 0) return;
    if (block !== null) fillSoundFrame(frame, block, sent);
    sent += block?.[0].length ?? 0;
    graph.push(block === null ? null : frame, (filtered) => {
      // A filter without phase shift answers early: what it says before the start is its run-up.
      const early = Math.max(0, -Number(filtered.pts));
      const [left, right] = readSoundFrame(filtered) as [Float32Array, Float32Array];
      // Filters may end with a few samples of their own.
      const end = Math.min(left.length, early + assembly.totalSamples - received);
      if (end <= early) return;
      received += end - early;
      out.push([left.subarray(early, end), right.subarray(early, end)]);
    });
  };
  try {
    for await (const block of openSamples(path, {
      sampleRate: OUTPUT_SAMPLE_RATE,
      channels: 'stereo',
      onClock: true,
    })) {
      process(assembly.push(block.channels as unknown as StereoBlock));
      yield* out.splice(0);
    }
    process(assembly.finish());
    process(null);
    yield* out.splice(0);
    const missing = assembly.totalSamples - received;
    if (missing > 0) yield [new Float32Array(missing), new Float32Array(missing)];
  } finally {
    frame.free();
  }
}

/** A level, and the loudness that the output then has. */
export interface FoundLevel {
  readonly level: SoundLevel;
  /** Null: too quiet to measure, or not to be changed. */
  readonly expected: ExpectedLoudness | null;
}

export interface ExpectedLoudness {
  readonly leastLufs: number;
  readonly mostLufs: number;
}

/**
 * Finds the level that brings the sound to its target loudness: measure, then linear gain; a limiter only where the
 * peaks need it, and then measured again, because it takes loudness away. Reads the sound one to three times.
 */
export async function findSoundLevel(
  path: string,
  timeline: Timeline,
  plan: SoundPlan,
  onProgress: (fraction: number) => void,
): Promise<FoundLevel> {
  const limit = plan.truePeakDbtp - CODEC_HEADROOM_DB;
  const passes = progressOfPasses(onProgress);
  const plain = await measure(path, timeline, plan, { gainDb: 0, limiterDbtp: null }, passes(0));
  if (plain.integratedLufs === null || plan.targetLufs === null)
    return { level: { gainDb: 0, limiterDbtp: limit }, expected: null };
  let gainDb = Math.min(MAX_GAIN_DB, plan.targetLufs - plain.integratedLufs);
  let reached = plain.integratedLufs + gainDb;
  if ((plain.truePeakDbtp ?? Number.NEGATIVE_INFINITY) + gainDb <= limit) {
    return { level: { gainDb, limiterDbtp: null }, expected: { leastLufs: reached, mostLufs: reached } };
  }
  const most = Math.min(MAX_GAIN_DB, gainDb + MAX_LIMITER_MAKEUP_DB);
  for (let pass = 1; pass < MEASURE_PASSES; pass++) {
    const { integratedLufs } = await measure(
      path,
      timeline,
      plan,
      { gainDb, limiterDbtp: limit },
      passes(pass),
    );
    reached = integratedLufs ?? reached;
    const missing = plan.targetLufs - reached;
    if (missing < CLOSE_ENOUGH_LU) break;
    gainDb = Math.min(most, gainDb + missing);
  }
  // The last raise is not measured again.
  const expected = { leastLufs: reached, mostLufs: Math.max(reached, plan.targetLufs) };
  return { level: { gainDb, limiterDbtp: limit }, expected };
}

function progressOfPasses(onProgress: (fraction: number) => void) {
  return (pass: number) => (part: number) => onProgress((pass + part) / MEASURE_PASSES);
}

async function measure(
  path: string,
  timeline: Timeline,
  plan: SoundPlan,
  level: SoundLevel,
  onProgress: (fraction: number) => void,
) {
  const meter = new LoudnessMeter({ sampleRate: OUTPUT_SAMPLE_RATE, channels: 2 });
  const total = new SoundAssembly(timeline.clips, OUTPUT_SAMPLE_RATE).totalSamples;
  let done = 0;
  for await (const block of openSoundTrack(path, timeline, plan, level)) {
    meter.push(block);
    done += block[0].length;
    onProgress(Math.min(1, done / Math.max(1, total)));
  }
  return meter.result();
}
