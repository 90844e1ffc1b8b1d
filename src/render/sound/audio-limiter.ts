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
  readonly #attack: number;
  readonly #release: number;
  readonly #half: number;
  /** Length of the ring buffer of the last samples. */
  readonly #size: number;
  readonly #gains: Float64Array;
  readonly #order: Int32Array;
  readonly #held: Float64Array;
  readonly #onceMeans: Float64Array;
  readonly #sides = [new Oversampler(), new Oversampler()] as const;
  #first = 0;
  #last = 0;
  #sample = 0;
  #released = 1;
  #heldSum: number;
  #meanSum: number;
  #peakBefore = 0;

  constructor(ceiling: number, sampleRate: number) {
    this.#ceiling = ceiling;
    this.#half = Math.round((ATTACK_SECONDS * sampleRate) / 2);
    this.#attack = 2 * this.#half;
    this.#release = 10 ** (RELEASE_DB_PER_SECOND / sampleRate / 20);
    this.#size = this.#attack + 1;
    this.#gains = new Float64Array(this.#size).fill(1);
    this.#order = new Int32Array(this.#size + 1);
    this.#held = new Float64Array(this.#half).fill(1);
    this.#onceMeans = new Float64Array(this.#half).fill(1);
    this.#heldSum = this.#half;
    this.#meanSum = this.#half;
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
    const slot = this.#sample % this.#size;
    const gain = peak > this.#ceiling ? this.#ceiling / peak : 1;
    const order = this.#order;
    const slots = order.length;
    // A queue of the samples that may still become the least, ascending by gain.
    while (
      this.#first !== this.#last &&
      this.#gains[order[(this.#last + slots - 1) % slots] % this.#size] >= gain
    )
      this.#last = (this.#last + slots - 1) % slots;
    this.#gains[slot] = gain;
    order[this.#last] = this.#sample;
    this.#last = (this.#last + 1) % slots;
    while (order[this.#first] < this.#sample - this.#attack) this.#first = (this.#first + 1) % slots;
    const least = this.#gains[order[this.#first] % this.#size];
    this.#sample += 1;
    return this.#smoothed(least);
  }

  #smoothed(least: number): number {
    this.#released = Math.min(least, this.#released * this.#release, 1);
    const place = this.#sample % this.#half;
    this.#heldSum += this.#released - this.#held[place];
    this.#held[place] = this.#released;
    const mean = this.#heldSum / this.#half;
    this.#meanSum += mean - this.#onceMeans[place];
    this.#onceMeans[place] = mean;
    return Math.min(1, this.#meanSum / this.#half);
  }
}
