import type { StereoBlock } from '../../media/av/audio-frame.ts';
import { Oversampler, INTERPOLATION_TAPS as TAPS } from '../../signal/oversample.ts';

/** Speed at which the gain rises again after a peak. */
export const RELEASE_DB_PER_SECOND = 60;
/** The gain is lowered over this time before a peak, so that no corner is heard. */
const ATTACK_SECONDS = 0.003;

/**
 * Limits true peaks of stereo sound (ITU-R BS.1770-4, annex 2) to a ceiling, with one gain for both channels.
 * The gain is the least of the next 3 ms, with a slow release, averaged twice over half of that time (P.
 * Hämäläinen, "Smoothing of the control signal without clipped output in digital peak limiters", DAFx 2002).
 * The output is delayed by `delaySamples`, about 3 ms.
 */
export class AudioLimiter {
  readonly #ceiling: number;
  /** Samples over which the gain is lowered. */
  readonly #attack: number;
  /** Factor of the gain per sample after a peak. */
  readonly #release: number;
  readonly #leastGain: SlidingMinimum;
  readonly #smoothing: readonly [MovingMean, MovingMean];
  readonly #sides = [new Oversampler(), new Oversampler()] as const;
  /** The least gain with the release after it. */
  #released = 1;
  #peakBefore = 0;

  constructor(ceiling: number, sampleRate: number) {
    this.#ceiling = ceiling;
    const half = Math.round((ATTACK_SECONDS * sampleRate) / 2);
    this.#attack = 2 * half;
    this.#release = 10 ** (RELEASE_DB_PER_SECOND / sampleRate / 20);
    this.#leastGain = new SlidingMinimum(this.#attack + 1);
    this.#smoothing = [new MovingMean(half), new MovingMean(half)];
  }

  /** Delay from input to output. */
  get delaySamples(): number {
    return this.#attack + TAPS / 2;
  }

  /** Returns as many samples as were passed, delayed; the first are silence. */
  push([left, right]: StereoBlock): StereoBlock {
    const count = left.length;
    const delay = this.delaySamples;
    const [one, other] = this.#sides.map((side) => side.reserve(delay + count)) as [
      Float64Array,
      Float64Array,
    ];
    one.set(left, delay);
    other.set(right, delay);
    const out = [new Float32Array(count), new Float32Array(count)] as const;
    for (let n = 0; n < count; n++) {
      const gain = this.#next(this.#peakAt(one, other, n + delay - TAPS / 2));
      out[0][n] = one[n] * gain;
      out[1][n] = other[n] * gain;
    }
    one.copyWithin(0, count);
    other.copyWithin(0, count);
    return out;
  }

  /** Greatest magnitude of both channels from half a sample before `at` to half a sample after. */
  #peakAt(one: Float64Array, other: Float64Array, at: number): number {
    const before = this.#peakBefore;
    const magnitude = Math.max(Math.abs(one[at]), Math.abs(other[at]));
    const next = Math.max(Math.abs(one[at + 1]), Math.abs(other[at + 1]));
    let after = 0;
    // As in `Oversampler`: a peak lies near a sample of at least half its height.
    if (2 * Math.max(magnitude, next) > this.#ceiling) {
      const from = at - TAPS / 2 + 1;
      after = Math.max(this.#sides[0].peakBetween(from), this.#sides[1].peakBetween(from));
    }
    this.#peakBefore = after;
    return Math.max(before, magnitude, after);
  }

  /** The gain for the sample `#attack` samples before the one with this peak. */
  #next(peak: number): number {
    const least = this.#leastGain.push(peak > this.#ceiling ? this.#ceiling / peak : 1);
    this.#released = Math.min(least, this.#released * this.#release, 1);
    const [first, second] = this.#smoothing;
    return Math.min(1, second.push(first.push(this.#released)));
  }
}

/** The least of the last values, up to a number of them. */
class SlidingMinimum {
  readonly #length: number;
  /** The last values, a ring. */
  readonly #values: Float64Array;
  /** Numbers of the values that may still become the least, ascending by value: a queue in a ring. */
  readonly #candidates: Int32Array;
  #head = 0;
  #tail = 0;
  #count = 0;

  constructor(length: number) {
    this.#length = length;
    this.#values = new Float64Array(length);
    this.#candidates = new Int32Array(length + 1);
  }

  push(value: number): number {
    const [candidates, values, length] = [this.#candidates, this.#values, this.#length];
    const slots = candidates.length;
    for (;;) {
      const last = (this.#tail + slots - 1) % slots;
      if (this.#head === this.#tail || values[candidates[last] % length] < value) break;
      this.#tail = last;
    }
    values[this.#count % length] = value;
    candidates[this.#tail] = this.#count;
    this.#tail = (this.#tail + 1) % slots;
    while (candidates[this.#head] <= this.#count - length) this.#head = (this.#head + 1) % slots;
    this.#count += 1;
    return values[candidates[this.#head] % length];
  }
}

/** The mean of the last `length` values; at first all are 1. */
class MovingMean {
  readonly #values: Float64Array;
  #sum: number;
  #count = 0;

  constructor(length: number) {
    this.#values = new Float64Array(length).fill(1);
    this.#sum = length;
  }

  push(value: number): number {
    const { length } = this.#values;
    const at = this.#count % length;
    this.#sum += value - this.#values[at];
    this.#values[at] = value;
    this.#count += 1;
    return this.#sum / length;
  }
}
