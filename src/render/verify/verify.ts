import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { LoudnessMeter } from '../../analysis/loudness/loudness.ts';
import { Failure } from '../../domain/errors.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import { openInput } from '../../media/av/open-input.ts';
import { OUTPUT_SAMPLE_RATE } from '../../media/av/output-sample-rate.ts';
import { StreamDecoder } from '../../media/av/stream-decoder.ts';
import { openSamples } from '../../media/decode/samples.ts';
import type { WrittenFile } from '../../media/encode/encode.ts';
import { FramePool } from '../picture/frame-pool.ts';
import { lumaSamples } from '../picture/luma-samples.ts';
import type { SampleLog } from './sample-log.ts';
import { differingShare, StandstillWatch } from './standstill.ts';
import { readPackets } from './verify-packets.ts';

/** Expected content of a file whose pictures are already verified. */
export interface JoinedExpectation {
  readonly frameCount: number;
  readonly frameRate: FrameRate;
  readonly durationSeconds: number;
  readonly written: WrittenFile;
  /** Loudness and peak measured after encoding; null: not known. */
  readonly audio: VerifiedOutput | null;
}

export interface OutputExpectation extends JoinedExpectation {
  readonly width: number;
  readonly height: number;
  /** Samples of the frames before encoding. */
  readonly drawn: SampleLog;
}

export interface VerifiedOutput {
  readonly integratedLufs: number | null;
  readonly truePeakDbtp: number | null;
}

const YIELD_MS = 100;
/** Share of the verification time spent on the picture. */
const VIDEO_SHARE = 0.5;
/** The picture of an output, or of a checked segment, up to this length (two groups of pictures) is decoded completely. */
const WHOLE_SECONDS = 4;
/** In longer outputs the first, the last and every fifth group of pictures are decoded. */
const CHECKED_EVERY = 5;
/** AAC has frames of 1024 samples, and up to three of them (64 ms) are padding. */
const AUDIO_SLACK_SECONDS = 0.07;
/** The same packets decode to the same samples; the tolerance is for the padding at both ends. */
const LOUDNESS_SLACK_LU = 0.2;
/** Lower limit of gated loudness (ITU-R BS.1770-4). */
const SILENT_LUFS = -70;
/** A sample is wrong if it differs more than quantisation explains, a frame if this share of its samples is. */
const WRONG_LEVELS = 40;
const WRONG_SHARE = 0.3;

/**
 * Compares a finished output with its expectation: every packet by bytes and time, and the whole decoded sound. Of the picture, some
 * groups spread over the output are decoded and compared with the frames before encoding; for the others, equal bytes are
 * sufficient. Throws `Failure` OUTPUT_VERIFY_FAILED with the difference.
 */
export async function verifyOutput(
  path: string,
  expected: OutputExpectation,
  onProgress: (fraction: number) => void,
): Promise<VerifiedOutput> {
  const { written, frameRate, frameCount } = expected;
  const keyPackets = await verifyPackets(path, expected);
  const videoShare = written.audio === null ? 1 : VIDEO_SHARE;
  const chosen = chosenPackets(keyPackets, frameCount, framesPerSecond(frameRate));
  await verifyVideo(path, expected, chosen, (part) => onProgress(part * videoShare));
  if (written.audio === null) return { integratedLufs: null, truePeakDbtp: null };
  return verifyAudio(path, expected, (part) => onProgress(videoShare + part * (1 - videoShare)));
}

/**
 * Compares a file with the segments and the sound that were copied into it: every packet by bytes and time, and the whole decoded sound.
 * The pictures are already verified segment by segment. Throws like `verifyOutput`.
 */
export async function verifyJoined(
  path: string,
  expected: JoinedExpectation,
  onProgress: (fraction: number) => void,
): Promise<VerifiedOutput> {
  await verifyPackets(path, expected);
  if (expected.written.audio === null) return { integratedLufs: null, truePeakDbtp: null };
  return verifyAudio(path, expected, onProgress);
}

/** Returns the numbers of the packets with key frames. */
async function verifyPackets(
  path: string,
  { written, frameRate, frameCount }: JoinedExpectation,
): Promise<readonly number[]> {
  const { fault, keyPackets } = await readPackets(path, written, frameRate);
  if (fault !== null) throw wrong(fault);
  if (written.video.packetCount !== frameCount)
    throw wrong(`it has ${written.video.packetCount} frames, not ${frameCount}`);
  return keyPackets;
}

/** For each packet whether it is decoded: whole groups of pictures, which can be decoded alone. */
export function chosenPackets(
  keyPackets: readonly number[],
  packetCount: number,
  rate: number,
): readonly boolean[] {
  const chosen = new Array<boolean>(packetCount).fill(packetCount <= WHOLE_SECONDS * rate);
  for (const [group, start] of keyPackets.entries()) {
    if (group % CHECKED_EVERY === 0 || group === keyPackets.length - 1)
      chosen.fill(true, start, keyPackets[group + 1]);
  }
  return chosen;
}

/**
 * Whether verification decodes the pictures of segment `index` of `count`. Long segments: always. Short ones:
 * the first, the last and every fifth, the same rule as for groups of pictures. The packets of all segments
 * are compared.
 */
export function isPictureChecked(index: number, count: number, seconds: number): boolean {
  return seconds > WHOLE_SECONDS || index % CHECKED_EVERY === 0 || index === count - 1;
}

async function verifyVideo(
  path: string,
  expected: OutputExpectation,
  chosen: readonly boolean[],
  onProgress: (fraction: number) => void,
): Promise<void> {
  using input = await openInput(path, 'mov');
  let packets = 0;
  using decoder = await StreamDecoder.open(input, input.video!, {
    choose: () => chosen[packets++] === true,
  });
  using video = new VideoCheck(expected);
  let lastYield = performance.now();
  for (let frame = decoder.next(); frame !== null; frame = decoder.next()) {
    const fault = video.push(frame, decoder.frameSeconds(frame));
    if (fault !== null) throw wrong(fault);
    if (performance.now() - lastYield > YIELD_MS) {
      onProgress(packets / expected.frameCount);
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  }
  const wanted = chosen.filter(Boolean).length;
  if (decoder.errorCount > 0) throw wrong(`${decoder.errorCount} packets cannot be decoded`);
  if (decoder.frameCount !== wanted)
    throw wrong(`${decoder.frameCount} frames can be decoded, not ${wanted}`);
}

/** Compares decoded frames with the frames before encoding. */
class VideoCheck implements Disposable {
  readonly #expected: OutputExpectation;
  /** For copies, because each view of a decoder's frame counts as garbage of its size. */
  readonly #pool: FramePool;
  readonly #rate: number;
  readonly #watch: StandstillWatch;
  #last = -1;

  constructor(expected: OutputExpectation) {
    this.#expected = expected;
    this.#pool = new FramePool(expected);
    this.#rate = framesPerSecond(expected.frameRate);
    this.#watch = new StandstillWatch(this.#rate / expected.drawn.interval);
  }

  /** Returns a description of the fault; null: none. */
  push(frame: Frame, seconds: number): string | null {
    const { width, height, drawn } = this.#expected;
    if (frame.width !== width || frame.height !== height || frame.format !== AV_PIX_FMT_YUV420P)
      return `its frames are ${frame.width}x${frame.height}, not ${width}x${height} in 4:2:0`;
    const number = Math.round(seconds * this.#rate);
    if (number % drawn.interval !== 0) return null;
    // The decoded groups may not be adjacent.
    if (number !== this.#last + drawn.interval) this.#watch.push(null, null);
    this.#last = number;
    const expected = drawn.at(number);
    const shown = this.#samplesOf(frame);
    if (expected === null) return `it has a frame at ${seconds.toFixed(2)} s, where none was drawn`;
    if (differingShare(expected, shown, WRONG_LEVELS) > WRONG_SHARE)
      return `its picture at ${seconds.toFixed(2)} s differs from the one that was drawn`;
    // Both are means of the same pixels, so a texture changes both or neither.
    this.#watch.push({ points: expected, means: expected }, { points: shown, means: shown });
    return this.#watch.fault;
  }

  #samplesOf(frame: Frame): Uint8Array {
    const copy = this.#pool.take();
    if (copy.copy(frame) < 0) throw new Failure('ENCODER_FAILED', 'A decoded frame could not be copied');
    const samples = lumaSamples(copy);
    this.#pool.give(copy);
    return samples;
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

async function verifyAudio(
  path: string,
  { durationSeconds, audio }: JoinedExpectation,
  onProgress: (fraction: number) => void,
): Promise<VerifiedOutput> {
  const meter = new LoudnessMeter({ sampleRate: OUTPUT_SAMPLE_RATE, channels: 2 });
  let samples = 0;
  for await (const block of openSamples(path, { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo' })) {
    meter.push(block.channels);
    samples += block.channels[0].length;
    onProgress(Math.min(1, samples / OUTPUT_SAMPLE_RATE / durationSeconds));
  }
  const difference = Math.abs(samples / OUTPUT_SAMPLE_RATE - durationSeconds);
  if (difference > AUDIO_SLACK_SECONDS)
    throw wrong(`the sound differs from the plan by ${difference.toFixed(3)} s`);
  const { integratedLufs, truePeakDbtp } = meter.finish();
  if (audio !== null) {
    const [wanted, reached] = [audio.integratedLufs, integratedLufs].map((level) => level ?? SILENT_LUFS);
    if (Math.abs(reached! - wanted!) > LOUDNESS_SLACK_LU)
      throw wrong(`its loudness is ${reached!.toFixed(1)} LUFS, not ${wanted!.toFixed(1)}`);
  }
  return { integratedLufs, truePeakDbtp };
}

function wrong(fault: string): Failure {
  return new Failure('OUTPUT_VERIFY_FAILED', `The finished output is not as planned: ${fault}`);
}
