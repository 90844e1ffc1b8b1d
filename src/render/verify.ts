import { LoudnessMeter } from '../analysis/loudness.ts';
import { Failure } from '../errors.ts';
import { openInput, StreamDecoder } from '../media/input.ts';
import { openSamples } from '../media/samples.ts';
import { OUTPUT_SAMPLE_RATE } from '../media/sound-frame.ts';

export interface OutputExpectation {
  readonly frameCount: number;
  readonly durationSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly withSound: boolean;
}

export interface VerifiedOutput {
  readonly integratedLufs: number | null;
  readonly truePeakDbtp: number | null;
}

const YIELD_MS = 100;
/** The picture takes most of the time. */
const PICTURE_SHARE = 0.8;

/**
 * Decodes a finished output to its end, both streams, and compares it with what was meant.
 * Throws `Failure` OUTPUT_VERIFY_FAILED, which says what differs.
 */
export async function verifyOutput(
  path: string,
  expected: OutputExpectation,
  onProgress: (fraction: number) => void,
): Promise<VerifiedOutput> {
  const pictureShare = expected.withSound ? PICTURE_SHARE : 1;
  await verifyPicture(path, expected, (part) => onProgress(part * pictureShare));
  if (!expected.withSound) return { integratedLufs: null, truePeakDbtp: null };
  const meter = new LoudnessMeter({ sampleRate: OUTPUT_SAMPLE_RATE, channels: 2 });
  let samples = 0;
  for await (const block of openSamples(path, { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo' })) {
    meter.push(block.channels);
    samples += block.channels[0]!.length;
    const part = Math.min(1, samples / OUTPUT_SAMPLE_RATE / expected.durationSeconds);
    onProgress(pictureShare + part * (1 - pictureShare));
  }
  const difference = Math.abs(samples / OUTPUT_SAMPLE_RATE - expected.durationSeconds);
  // AAC comes in frames of 1024 samples; three of them (64 ms) are its padding.
  if (difference > 0.07) throw wrong(`the sound differs from the plan by ${difference.toFixed(3)} s`);
  const { integratedLufs, truePeakDbtp } = meter.result();
  return { integratedLufs, truePeakDbtp };
}

async function verifyPicture(
  path: string,
  expected: OutputExpectation,
  onProgress: (fraction: number) => void,
): Promise<void> {
  using input = await openInput(path, 'mov');
  if (input.video === null) throw wrong('it has no picture');
  if (expected.withSound && input.audio === null) throw wrong('it has no sound');
  using decoder = await StreamDecoder.open(input, input.video);
  let lastYield = performance.now();
  for (let frame = decoder.next(); frame !== null; frame = decoder.next()) {
    if (frame.width !== expected.width || frame.height !== expected.height) {
      throw wrong(`its size is ${frame.width}x${frame.height}, not ${expected.width}x${expected.height}`);
    }
    if (performance.now() - lastYield > YIELD_MS) {
      onProgress(decoder.frameCount / expected.frameCount);
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  }
  if (decoder.errorCount > 0) throw wrong(`${decoder.errorCount} packets do not decode`);
  if (decoder.frameCount !== expected.frameCount) {
    throw wrong(`it has ${decoder.frameCount} frames, not ${expected.frameCount}`);
  }
}

function wrong(what: string): Failure {
  return new Failure('OUTPUT_VERIFY_FAILED', `The finished output is not as planned: ${what}`);
}
