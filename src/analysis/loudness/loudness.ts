import { KWeighting } from '../../signal/biquad.ts';
import { amplitudeDb, powerDb, powerOfDb } from '../../signal/decibels.ts';
import { TruePeak } from '../../signal/oversample.ts';
import { mean, quantileOfSorted } from '../../signal/statistics.ts';
import type { Detector } from '../detector.ts';
import type { LoudnessFacts } from '../facts.ts';

/** Blocks of ITU-R BS.1770-4 start every 100 ms; momentary ones take 4 steps, short-term ones 30. */
const STEPS_PER_SECOND = 10;
const MOMENTARY_STEPS = 4;
const SHORT_TERM_STEPS = 30;
export const ABSOLUTE_GATE_LUFS = -70;
const INTEGRATED_GATE_LU = -10;
/** EBU Tech 3342. */
export const RANGE_GATE_LU = -20;
export const RANGE_QUANTILES = [0.1, 0.95] as const;

const SURROUND = 1.41;
/**
 * Weights of ITU-R BS.1770-4, Annex 1, table 3, for FFmpeg's native order of each channel count: side
 * surround counts 1.41, low-frequency effects nothing. The layout is not known here: three channels count as
 * 2.1, four as 4.0, five as 5.0.
 */
const CHANNEL_WEIGHTS: Readonly<Record<number, readonly number[]>> = {
  3: [1, 1, 0],
  4: [1, 1, 1, 1],
  5: [1, 1, 1, SURROUND, SURROUND],
  6: [1, 1, 1, 0, SURROUND, SURROUND],
  7: [1, 1, 1, 0, 1, SURROUND, SURROUND],
  8: [1, 1, 1, 0, 1, 1, SURROUND, SURROUND],
};

/** Calibrates a sine of 997 Hz in one channel to its level. */
const OFFSET_LU = 0.691;

/** Loudness of a mean square of K-weighted, channel-weighted sound (BS.1770-4, equation 2). */
export function loudnessOf(meanSquare: number): number {
  return powerDb(meanSquare) - OFFSET_LU;
}

/** Inverse of `loudnessOf`. */
export function meanSquareOf(loudnessLufs: number): number {
  return powerOfDb(loudnessLufs + OFFSET_LU);
}

/**
 * Loudness meter after ITU-R BS.1770-4 and EBU Tech 3342 for any sample rate and up to 8 channels (more count
 * with weight 1). Stores ten numbers per second of sound. For a decoder's samples and a renderer's output:
 * `push` whole blocks (one array per channel, equal lengths), then call `finish` once.
 */
export class LoudnessMeter implements Detector<[readonly ArrayLike<number>[]], LoudnessFacts> {
  readonly #sampleRate: number;
  readonly #weighting: KWeighting;
  readonly #peaks: readonly TruePeak[];
  /** Weighted mean square of each finished 100 ms step. */
  readonly #steps: number[] = [];
  #position = 0;
  #stepStart = 0;
  #sum = 0;

  constructor(format: { sampleRate: number; channels: number }) {
    this.#sampleRate = format.sampleRate;
    const channels = Array.from({ length: format.channels }, (_, c) => c);
    const weights = channels.map((c) => CHANNEL_WEIGHTS[format.channels]?.[c] ?? 1);
    this.#weighting = new KWeighting(format.sampleRate, weights);
    this.#peaks = channels.map(() => new TruePeak());
  }

  push(channels: readonly ArrayLike<number>[]): void {
    for (const [c, peak] of this.#peaks.entries()) peak.push(channels[c]);
    this.#weighting.push(channels);
    this.#collect(channels[0]?.length ?? 0);
  }

  #collect(length: number): void {
    let from = 0;
    while (from < length) {
      const boundary = Math.round(((this.#steps.length + 1) * this.#sampleRate) / STEPS_PER_SECOND);
      const to = Math.min(length, from + boundary - this.#position);
      this.#sum = this.#weighting.addSquares(from, to, this.#sum);
      this.#position += to - from;
      from = to;
      if (this.#position === boundary) {
        this.#steps.push(this.#sum / (boundary - this.#stepStart));
        this.#stepStart = boundary;
        this.#sum = 0;
      }
    }
  }

  /** Ends the measurement. Sound shorter than a gating block is measured as one block. */
  finish(): LoudnessFacts {
    for (const peak of this.#peaks) peak.finish();
    const peak = Math.max(0, ...this.#peaks.map((meter) => meter.peak));
    const steps = this.#steps;
    const rest = this.#position - this.#stepStart;
    const whole = rest > 0 && steps.length < MOMENTARY_STEPS ? [...steps, this.#sum / rest] : steps;
    return {
      integratedLufs: integratedLoudness(whole),
      rangeLu: loudnessRange(steps),
      truePeakDbtp: peak === 0 ? null : amplitudeDb(peak),
      shortTermLufs: shortTermSeries(whole),
    };
  }
}

/**
 * Integrated loudness (LUFS) of weighted mean squares of 100 ms each; null for silence. Less than a gating
 * block is measured as one block.
 */
export function integratedLoudness(steps: readonly number[]): number | null {
  const blocks = gated(movingMeans(steps, Math.min(MOMENTARY_STEPS, steps.length)), INTEGRATED_GATE_LU);
  return blocks.length === 0 ? null : loudnessOf(mean(blocks));
}

/** Loudness range (LU) of the same: distance of the 10th and the 95th percentile (EBU Tech 3342). Null for less than 3 s, and for silence. */
export function loudnessRange(steps: readonly number[]): number | null {
  const blocks = gated(movingMeans(steps, SHORT_TERM_STEPS), RANGE_GATE_LU);
  if (blocks.length === 0) return null;
  const sorted = Float64Array.from(blocks).sort();
  const [low, high] = RANGE_QUANTILES.map((share) => loudnessOf(quantileOfSorted(sorted, share)));
  return high! - low!;
}

/** Means over every run of `width` steps; empty if there are fewer. */
function movingMeans(steps: readonly number[], width: number): number[] {
  const means: number[] = [];
  for (let i = width; width > 0 && i <= steps.length; i++) {
    let sum = 0;
    // Summed again for each window: a running sum would propagate rounding errors from loud parts into
    // silence.
    for (let k = i - width; k < i; k++) sum += steps[k];
    means.push(sum / width);
  }
  return means;
}

/** Mean squares above the absolute gate, and above a gate relative to the mean of those (BS.1770-4, equations 5 to 7). Empty: silence. */
function gated(blocks: readonly number[], relativeGateLu: number): readonly number[] {
  const floor = meanSquareOf(ABSOLUTE_GATE_LUFS);
  const audible = blocks.filter((block) => block > floor);
  const gate = mean(audible) * powerOfDb(relativeGateLu);
  return audible.filter((block) => block > gate);
}

/** Loudness of the 3 s around the middle of each second, less at the ends of the clip. */
function shortTermSeries(steps: readonly number[]): (number | null)[] {
  const seconds = Math.ceil(steps.length / STEPS_PER_SECOND);
  return Array.from({ length: seconds }, (_, second) => {
    const middle = (second + 0.5) * STEPS_PER_SECOND;
    const from = Math.max(0, middle - SHORT_TERM_STEPS / 2);
    const window = steps.slice(from, middle + SHORT_TERM_STEPS / 2);
    const level = loudnessOf(mean(window));
    return level > ABSOLUTE_GATE_LUFS ? level : null;
  });
}
