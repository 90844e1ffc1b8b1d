import { powerDb, powerOfDb } from '../../signal/decibels.ts';
import { Filterbank } from '../../signal/filterbank.ts';
import { Series } from '../../signal/series.ts';
import { quantile } from '../../signal/statistics.ts';
import { bandFilters, type FrequencyBand, thirdOctaveBands } from '../../signal/third-octave.ts';
import type { Detector } from '../detector.ts';
import type { AudioFacts } from '../facts.ts';
import { ABSOLUTE_GATE_LUFS, RANGE_GATE_LU, RANGE_QUANTILES } from '../loudness/loudness.ts';

/**
 * Seconds below the mean by more than this do not count, as for the loudness range; nor do almost silent
 * ones.
 */
const GATE_POWER = powerOfDb(RANGE_GATE_LU);
/** Least power of all bands together, relative to a full-scale sine. */
const MIN_SHARE = powerOfDb(ABSOLUTE_GATE_LUFS);
/** Weaker bands get this level, relative to the strongest. */
const FLOOR_DB = -100;
/** Quantile of the seconds' quietest frames: the level without other sounds. */
const [QUIET_QUANTILE] = RANGE_QUANTILES;

/**
 * Long-term average spectrum in third-octave bands, and the level of each band between sounds, an upper bound
 * of its noise (minimum statistics, R. Martin 2001). Stores two sets of bands per second for gating.
 */
export class SpectrumMeter implements Detector<[Float64Array], AudioFacts['spectrum']> {
  readonly #bands: readonly FrequencyBand[];
  readonly #bank: Filterbank;
  readonly #framesPerSecond: number;
  readonly #fullScale: number;
  /** Of the frames of the current second, by band. */
  readonly #sums: Float64Array;
  readonly #quietest: Float64Array;
  /** By second, then by band: mean and quietest powers, relative to a full-scale sine. */
  readonly #means = new Series();
  readonly #quietMoments = new Series();
  #frameCount = 0;

  /** `fullScale`: power of a full-scale sine in the spectrum, summed over the bins. */
  constructor(format: { fftSize: number; sampleRate: number; framesPerSecond: number; fullScale: number }) {
    this.#bands = thirdOctaveBands(format.sampleRate);
    const bins = format.fftSize / 2 + 1;
    this.#bank = new Filterbank(bandFilters(this.#bands, format.sampleRate / format.fftSize, bins), bins);
    this.#framesPerSecond = format.framesPerSecond;
    this.#fullScale = format.fullScale;
    this.#sums = new Float64Array(this.#bands.length);
    this.#quietest = new Float64Array(this.#bands.length).fill(Number.POSITIVE_INFINITY);
  }

  push(power: Float64Array): void {
    const frame = this.#bank.powersOf(power);
    for (let b = 0; b < frame.length; b++) {
      this.#sums[b] += frame[b];
      if (frame[b] < this.#quietest[b]) this.#quietest[b] = frame[b];
    }
    this.#frameCount += 1;
    if (this.#frameCount === this.#framesPerSecond) this.#endSecond();
  }

  #endSecond(): void {
    for (const sum of this.#sums) this.#means.push(sum / this.#frameCount / this.#fullScale);
    for (const quietest of this.#quietest) this.#quietMoments.push(quietest / this.#fullScale);
    this.#sums.fill(0);
    this.#quietest.fill(Number.POSITIVE_INFINITY);
    this.#frameCount = 0;
  }

  /** Levels relative to a full-scale sine, at most 100 dB below the strongest; empty without sound. */
  finish(): AudioFacts['spectrum'] {
    if (this.#frameCount > 0) this.#endSecond();
    const totals = this.#totals();
    const sounding = totals.filter((total) => total > MIN_SHARE);
    if (sounding.length === 0) return { centresHz: [], levelsDb: [], quietDb: [] };
    const gate = Math.max(MIN_SHARE, (GATE_POWER * sounding.reduce((a, b) => a + b, 0)) / sounding.length);
    const levels = this.#meanLevels(totals, gate);
    const floor = Math.max(...levels) + FLOOR_DB;
    return {
      centresHz: this.#bands.map((band) => band.centreHz),
      levelsDb: levels.map((level) => Math.max(floor, level)),
      quietDb: levels.map((_, band) => Math.max(floor, this.#quietLevel(band, totals))),
    };
  }

  /** Power of each second over all bands. */
  #totals(): readonly number[] {
    const means = this.#means.values();
    const count = this.#bands.length;
    return Array.from({ length: means.length / count }, (_, second) =>
      means.subarray(second * count, (second + 1) * count).reduce((sum, power) => sum + power, 0),
    );
  }

  /** Level of each band over the seconds above the gate. */
  #meanLevels(totals: readonly number[], gate: number): readonly number[] {
    const means = this.#means.values();
    const count = this.#bands.length;
    const seconds = [...totals.keys()].filter((second) => totals[second] > gate);
    return this.#bands.map((_, band) => {
      const sum = seconds.reduce((total, second) => total + means[second * count + band], 0);
      return decibels(sum / seconds.length);
    });
  }

  /** Over the seconds with sound: silence between two takes contains no information about their noise. */
  #quietLevel(band: number, totals: readonly number[]): number {
    const quiet = this.#quietMoments.values();
    const powers = totals.flatMap((total, second) =>
      total > MIN_SHARE ? [quiet[second * this.#bands.length + band]] : [],
    );
    return decibels(quantile(powers, QUIET_QUANTILE));
  }
}

function decibels(power: number): number {
  return powerDb(power + 1e-30);
}
