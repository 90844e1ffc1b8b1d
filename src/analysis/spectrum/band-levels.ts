import { powerDb } from '../../signal/decibels.ts';
import { rounded } from '../../signal/rounding.ts';
import { Series } from '../../signal/series.ts';
import type { Detector } from '../detector.ts';
import type { MusicFacts } from '../music-facts.ts';
import { CHROMA_FRAMES_PER_SECOND } from './chroma.ts';

const LOW_BELOW_HZ = 200;
const HIGH_FROM_HZ = 2500;
const BANDS = 3;
export const LEVEL_STEP_SECONDS = 0.5;
const FRAMES = CHROMA_FRAMES_PER_SECOND * LEVEL_STEP_SECONDS;
const FLOOR_DB = -100;

/** Levels of bass, middle and treble twice a second. */
export class BandLevelMeter implements Detector<[Float64Array], MusicFacts['levelsDb']> {
  readonly #ends: readonly number[];
  readonly #fullScale: number;
  readonly #sums = new Float64Array(BANDS);
  readonly #steps = new Series();
  #frames = 0;

  /** `fullScale` is the power that a full-scale sine leaves in the spectrum, all bins together. */
  constructor(format: { fftSize: number; sampleRate: number; fullScale: number }) {
    const binOf = (hz: number) =>
      Math.min(format.fftSize / 2 + 1, Math.ceil((hz * format.fftSize) / format.sampleRate));
    this.#ends = [0, binOf(LOW_BELOW_HZ), binOf(HIGH_FROM_HZ), format.fftSize / 2 + 1];
    this.#fullScale = format.fullScale;
  }

  push(power: Float64Array): void {
    for (let band = 0; band < BANDS; band++) {
      let sum = 0;
      for (let bin = this.#ends[band]; bin < this.#ends[band + 1]; bin++) sum += power[bin];
      this.#sums[band] += sum;
    }
    this.#frames += 1;
    if (this.#frames === FRAMES) this.#close();
  }

  #close(): void {
    for (const sum of this.#sums) this.#steps.push(sum / this.#frames / this.#fullScale);
    this.#sums.fill(0);
    this.#frames = 0;
  }

  finish(): MusicFacts['levelsDb'] {
    if (this.#frames > 0) this.#close();
    const powers = this.#steps.values();
    const levels = (band: number) =>
      Array.from({ length: powers.length / BANDS }, (_, step) =>
        rounded(Math.max(FLOOR_DB, powerDb(powers[BANDS * step + band])), 1),
      );
    return { low: levels(0), mid: levels(1), high: levels(2) };
  }
}
