import { integratedLoudness, loudnessRange } from '../../analysis/loudness/loudness.ts';
import { amplitudeDb, powerOfDb } from '../../signal/decibels.ts';
import { RELEASE_DB_PER_SECOND } from './audio-limiter.ts';
import { type AudioTrace, STEP_SECONDS, STEPS_PER_LOUDNESS_STEP } from './audio-trace.ts';

/** Share of the non-silent steps that `limitingDb` covers; rare peaks may be limited more. */
export const LIMITED_QUANTILE = 0.995;
const SOUNDING_POWER = 1e-7;
const MIN_PEAK_DB = -100;
const MAX_COUNTED_DB = 60;
const COUNTS_PER_DB = 50;

export interface Forecast {
  /** LUFS; null: silence. */
  readonly loudnessLufs: number | null;
  /** LU; null: too short to have one. */
  readonly rangeLu: number | null;
  /** Gain reduction of the highest peaks by the limiter, dB. */
  readonly limitingDb: number;
}

/** Predicts loudness and limiting of a trace of sound after a gain curve and a limiter. */
export class AudioForecast {
  /** Peak of each step after the gains, in dB. */
  readonly peaksDb: Float32Array;
  readonly #powers: Float64Array;
  readonly #sounding: Uint8Array;

  constructor({ powers, peaks }: AudioTrace, gainsDb: Float32Array) {
    const count = powers.length;
    this.#powers = new Float64Array(count);
    this.#sounding = new Uint8Array(count);
    this.peaksDb = new Float32Array(count);
    // A plain loop: a fit constructs many forecasts, and `map` takes ten times as long.
    for (let at = 0; at < count; at++) {
      const gain = gainsDb[at];
      this.#powers[at] = powers[at] * powerOfDb(gain);
      this.#sounding[at] = powers[at] > SOUNDING_POWER ? 1 : 0;
      this.peaksDb[at] = Math.max(MIN_PEAK_DB, amplitudeDb(peaks[at])) + gain;
    }
  }

  /** Forecast for a constant gain and a limiter, modelled after `AudioLimiter` in steps of 5 ms. */
  afterLimiter(gainDb: number, limitDb: number): Forecast {
    const release = RELEASE_DB_PER_SECOND * STEP_SECONDS;
    const limiting = new Uint32Array(MAX_COUNTED_DB * COUNTS_PER_DB + 1);
    const gain = powerOfDb(gainDb);
    const steps: number[] = [];
    let [held, sum] = [0, 0];
    for (let at = 0; at < this.#powers.length; at++) {
      held = Math.max(0, held - release, this.peaksDb[at] + gainDb - limitDb);
      if (this.#sounding[at] === 1)
        limiting[Math.min(limiting.length - 1, Math.round(held * COUNTS_PER_DB))]++;
      sum += held > 0 ? this.#powers[at] * powerOfDb(-held) : this.#powers[at];
      if ((at + 1) % STEPS_PER_LOUDNESS_STEP !== 0) continue;
      steps.push((gain * sum) / STEPS_PER_LOUDNESS_STEP);
      sum = 0;
    }
    return {
      loudnessLufs: integratedLoudness(steps),
      rangeLu: loudnessRange(steps),
      limitingDb: countedQuantile(limiting),
    };
  }

  /** Mean squares of 100 ms, like in `LoudnessMeter`. */
  loudnessSteps(): number[] {
    const count = Math.floor(this.#powers.length / STEPS_PER_LOUDNESS_STEP);
    return Array.from({ length: count }, (_, step) => {
      const from = step * STEPS_PER_LOUDNESS_STEP;
      const part = this.#powers.subarray(from, from + STEPS_PER_LOUDNESS_STEP);
      return part.reduce((sum, power) => sum + power, 0) / STEPS_PER_LOUDNESS_STEP;
    });
  }
}

/** Quantile of a histogram of limiting depths; a list could have millions of steps. */
function countedQuantile(counts: Uint32Array): number {
  let left = LIMITED_QUANTILE * counts.reduce((sum, count) => sum + count, 0);
  const found = counts.findIndex((count) => {
    left -= count;
    return left < 0;
  });
  return Math.max(0, found) / COUNTS_PER_DB;
}
