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
const FLOOR_DB = -100;
/** Quantile of the seconds' quietest moments: the level without other sounds. */
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
  readonly #sums: Float64Array;
  readonly #least: Float64Array;
  readonly #seconds = new Series();
  readonly #quiet = new Series();
  #frameCount = 0;

  /** `fullScale`: power of a full-scale sine in the spectrum, summed over the bins. */
  constructor(format: { fftSize: number; sampleRate: number; framesPerSecond: number; fullScale: number }) {
    this.#bands = thirdOctaveBands(format.sampleRate);
    const bins = format.fftSize / 2 + 1;
    this.#bank = new Filterbank(bandFilters(this.#bands, format.sampleRate / format.fftSize, bins), bins);
    this.#framesPerSecond = format.framesPerSecond;
    this.#fullScale = format.fullScale;
    this.#sums = new Float64Array(this.#bands.length);
    this.#least = new Float64Array(this.#bands.length).fill(Number.POSITIVE_INFINITY);
  }

  push(power: Float64Array): void {
    const frame = this.#bank.powersOf(power);
    for (let b = 0; b < frame.length; b++) {
      this.#sums[b] += frame[b];
      if (frame[b] < this.#least[b]) this.#least[b] = frame[b];
    }
    this.#frameCount += 1;
    if (this.#frameCount === this.#framesPerSecond) this.#close();
  }

  #close(): void {
    for (const sum of this.#sums) this.#seconds.push(sum / this.#frameCount / this.#fullScale);
    for (const least of this.#least) this.#quiet.push(least / this.#fullScale);
    this.#sums.fill(0);
    this.#least.fill(Number.POSITIVE_INFINITY);
    this.#frameCount = 0;
  }

  /** Levels relative to a full-scale sine, at most 100 dB below the strongest; empty without sound. */
  finish(): AudioFacts['spectrum'] {
    if (this.#frameCount > 0) this.#close();
    const values = this.#seconds.values();
    const count = this.#bands.length;
    const totals: number[] = [];
    for (let at = 0; at < values.length; at += count) {
      totals.push(values.subarray(at, at + count).reduce((sum, value) => sum + value, 0));
    }
    const sounding = totals.filter((total) => total > MIN_SHARE);
    if (sounding.length === 0) return { centresHz: [], levelsDb: [], quietDb: [] };
    const gate = Math.max(MIN_SHARE, (GATE_POWER * sounding.reduce((a, b) => a + b, 0)) / sounding.length);
    const means = new Float64Array(count);
    totals.forEach((total, second) => {
      if (total <= gate) return;
      for (let b = 0; b < count; b++) means[b] += values[second * count + b];
    });
    const counted = totals.filter((total) => total > gate).length;
    const levels = Array.from(means, (sum) => decibels(sum / counted));
    const floor = Math.max(...levels) + FLOOR_DB;
    return {
      centresHz: this.#bands.map((band) => band.centreHz),
      levelsDb: levels.map((level) => Math.max(floor, level)),
      quietDb: levels.map((_, band) => Math.max(floor, this.#quietLevel(band, totals))),
    };
  }

  /** Over the seconds with sound: silence between two takes contains no information about their noise. */
  #quietLevel(band: number, totals: readonly number[]): number {
    const quiet = this.#quiet.values();
    const powers = totals.flatMap((total, second) =>
      total > MIN_SHARE ? [quiet[second * this.#bands.length + band]] : [],
    );
    return decibels(quantile(powers, QUIET_QUANTILE));
  }
}

function decibels(power: number): number {
  return powerDb(power + 1e-30);
}
