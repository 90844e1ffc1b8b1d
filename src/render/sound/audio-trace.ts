import type { StereoBlock } from '../../media/av/audio-frame.ts';
import { KWeighting } from '../../signal/biquad.ts';
import { Series } from '../../signal/series.ts';

/** Step of the gain curve: shorter than a drum's decay, longer than a period of the bass. */
export const STEP_SECONDS = 0.005;
/** In a loudness step of ITU-R BS.1770-4, which is 100 ms. */
export const STEPS_PER_LOUDNESS_STEP = 20;

/** Level and peak of stereo sound every 5 ms, on which dynamics are fitted. Takes 2.4 kB for each second. */
export class AudioTrace {
  readonly #stepSamples: number;
  readonly #weighting: KWeighting;
  readonly #powers = new Series();
  readonly #peaks = new Series();
  #fill = 0;
  #sum = 0;
  #peak = 0;

  constructor(sampleRate: number) {
    this.#stepSamples = Math.round(sampleRate * STEP_SECONDS);
    this.#weighting = new KWeighting(sampleRate, [1, 1]);
  }

  push([left, right]: StereoBlock): void {
    const count = left.length;
    this.#weighting.push([left, right]);
    for (let from = 0; from < count; ) {
      const to = Math.min(count, from + this.#stepSamples - this.#fill);
      this.#sum = this.#weighting.addSquares(from, to, this.#sum);
      for (let n = from; n < to; n++) {
        const peak = Math.max(Math.abs(left[n]), Math.abs(right[n]));
        if (peak > this.#peak) this.#peak = peak;
      }
      this.#fill += to - from;
      from = to;
      if (this.#fill === this.#stepSamples) this.#close();
    }
  }

  /** The remaining samples become a shorter step. */
  finish(): void {
    if (this.#fill > 0) this.#close();
  }

  /** Mean square of each step, K-weighted, of both channels together. A view, valid until the next `push`. */
  get powers(): Float32Array {
    return this.#powers.values();
  }

  /** Greatest magnitude of a sample in each step. A view, valid until the next `push`. */
  get peaks(): Float32Array {
    return this.#peaks.values();
  }

  #close(): void {
    this.#powers.push(this.#sum / this.#fill);
    this.#peaks.push(this.#peak);
    this.#sum = 0;
    this.#peak = 0;
    this.#fill = 0;
  }
}
