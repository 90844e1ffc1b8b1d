import type { StereoBlock } from '../media/av/audio-frame.ts';
import { KWeighting } from '../signal/biquad.ts';
import { Series } from '../signal/series.ts';

/** The step of the gain curve: short against a drum's decay, long against a period of the bass. */
export const STEP_SECONDS = 0.005;
/** Of the steps of ITU-R BS.1770-4, 100 ms each. */
export const STEPS_PER_LOUDNESS_STEP = 20;

/** What dynamics are fitted on: level and peak of stereo sound every 5 ms. Keeps 2.4 kB for each second. */
export class AudioTrace {
  readonly #stepSamples: number;
  readonly #filters: readonly [KWeighting, KWeighting];
  readonly #powers = new Series();
  readonly #peaks = new Series();
  #squares = new Float64Array(0);
  #fill = 0;
  #sum = 0;
  #peak = 0;

  constructor(sampleRate: number) {
    this.#stepSamples = Math.round(sampleRate * STEP_SECONDS);
    this.#filters = [new KWeighting(sampleRate), new KWeighting(sampleRate)];
  }

  push([left, right]: StereoBlock): void {
    const count = left.length;
    if (this.#squares.length < count) this.#squares = new Float64Array(count);
    const squares = this.#squares.fill(0, 0, count);
    this.#filters[0].addSquares(left, 1, squares, count);
    this.#filters[1].addSquares(right, 1, squares, count);
    for (let n = 0; n < count; n++) {
      this.#sum += squares[n]!;
      const peak = Math.max(Math.abs(left[n]!), Math.abs(right[n]!));
      if (peak > this.#peak) this.#peak = peak;
      this.#fill += 1;
      if (this.#fill === this.#stepSamples) this.#close();
    }
  }

  /** What is left makes a step of its own. */
  finish(): void {
    if (this.#fill > 0) this.#close();
  }

  /** Mean square of each step, K-weighted, of both channels together. A view, valid until the next `push`. */
  get powers(): Float32Array {
    return this.#powers.values();
  }

  /** Greatest magnitude of a sample in each step; likewise. */
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
