import { powerDb } from '../../signal/decibels.ts';
import { type Filter, Filterbank } from '../../signal/filterbank.ts';
import type { Detector } from '../detector.ts';

export const BANDS = 18;
/** Below are hum and rumble, above little of speech and nothing of a telephone. */
const LOW_HZ = 120;
const HIGH_HZ = 7600;
/** Half a decibel is finer than the noise of a level over 46 ms. */
export const STEP_DB = 0.5;
/** Level of the lowest step, dB relative to full scale: below dither of 16 bits. */
const LOWEST_DB = -120;

/** Levels of mel bands, one byte each, so that three hours need 20 MB. */
export interface BandLevels {
  readonly frames: number;
  /** Level of a band in a frame, dB relative to full scale. */
  at(frame: number, band: number): number;
  /** Steps of half a decibel above −120 dB, `BANDS` for each frame. */
  readonly steps: Uint8Array;
}

/** Measures 18 mel bands from 120 Hz to 7.6 kHz, 100 frames a second. Fed with power spectra. */
export class VoiceBandMeter implements Detector<[Float64Array], BandLevels> {
  readonly #filters: Filterbank;
  readonly #fullScale: number;
  #steps = new Uint8Array(BANDS * 1024);
  #frames = 0;

  /** `fullScale` is the power that a full-scale sine leaves in the spectrum, all bins together. */
  constructor(format: { readonly fftSize: number; readonly sampleRate: number; readonly fullScale: number }) {
    this.#filters = new Filterbank(melFilters(format), format.fftSize / 2 + 1);
    this.#fullScale = format.fullScale;
  }

  push(power: Float64Array): void {
    const at = this.#frames * BANDS;
    if (at === this.#steps.length) {
      const grown = new Uint8Array(2 * this.#steps.length);
      grown.set(this.#steps);
      this.#steps = grown;
    }
    const powers = this.#filters.powersOf(power);
    for (let band = 0; band < BANDS; band++) {
      const level = powerDb(powers[band] / this.#fullScale + 1e-30);
      this.#steps[at + band] = Math.max(0, Math.min(255, Math.round((level - LOWEST_DB) / STEP_DB)));
    }
    this.#frames += 1;
  }

  finish(): BandLevels {
    const steps = this.#steps.slice(0, this.#frames * BANDS);
    return { frames: this.#frames, steps, at: (frame, band) => levelOf(steps[frame * BANDS + band]) };
  }
}

/** Level of a step, dB relative to full scale. */
export function levelOf(step: number): number {
  return LOWEST_DB + step * STEP_DB;
}

const melOf = (hz: number) => 2595 * Math.log10(1 + hz / 700);
const hzOf = (mel: number) => 700 * (10 ** (mel / 2595) - 1);

/** Triangles on the mel scale. Bands above half the sample rate are empty. */
function melFilters({
  fftSize,
  sampleRate,
}: {
  readonly fftSize: number;
  readonly sampleRate: number;
}): Filter[] {
  const [low, high] = [melOf(LOW_HZ), melOf(HIGH_HZ)];
  const binAt = (corner: number) =>
    (hzOf(low + ((high - low) * corner) / (BANDS + 1)) * fftSize) / sampleRate;
  return Array.from({ length: BANDS }, (_, band) => {
    const [from, middle, to] = [binAt(band), binAt(band + 1), binAt(band + 2)];
    const firstBin = Math.ceil(from);
    const end = Math.min(Math.floor(to) + 1, fftSize / 2 + 1);
    const weights = Array.from({ length: Math.max(0, end - firstBin) }, (_, at) => {
      const bin = firstBin + at;
      return bin <= middle ? (bin - from) / (middle - from) : (to - bin) / (to - middle);
    });
    return { firstBin: Math.min(firstBin, fftSize / 2), weights };
  });
}
