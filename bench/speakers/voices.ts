import type { Detector } from '../../src/analysis/detector.ts';
import { Spectra } from '../../src/analysis/spectrum/spectra.ts';
import type { SampleBlock } from '../../src/domain/footage.ts';
import { Filterbank, logarithmicFilters } from '../../src/signal/filterbank.ts';

export const CURVES_PER_SECOND = 25;
const WINDOW_SAMPLES = 2048;
/** Where voices are told apart: from the lowest pitch to the highest formants. */
const BANDS = { lowHz: 80, highHz: 7000, bandsPerOctave: 4 } as const;
/** Coefficients of the cosine transform of the bands' levels that are kept: the envelope, without its level. */
const COEFFICIENTS = 14;
const FLOOR = 1e-6;

export interface VoiceMoment {
  /** Root mean square of what the bands hold. */
  readonly level: number;
  /** Shape of the spectrum's envelope (cepstrum): it tells one voice from another. */
  readonly timbre: readonly number[];
}

/** Level and timbre of a clip's sound, 25 times a second. */
export class TimbreMeter implements Detector<[SampleBlock], VoiceMoment[]> {
  readonly #spectra: Spectra;
  readonly #bank: Filterbank;
  readonly #moments: VoiceMoment[] = [];

  constructor(sampleRate: number) {
    const filters = logarithmicFilters(WINDOW_SAMPLES, sampleRate, BANDS);
    this.#bank = new Filterbank(filters, WINDOW_SAMPLES / 2 + 1);
    this.#spectra = new Spectra(WINDOW_SAMPLES, sampleRate, CURVES_PER_SECOND, (power) => this.#take(power));
  }

  push({ channels }: SampleBlock): void {
    const mono = new Float32Array(channels[0]!.length);
    for (const channel of channels)
      for (let n = 0; n < mono.length; n++) mono[n]! += channel[n]! / channels.length;
    this.#spectra.push(mono);
  }

  finish(): VoiceMoment[] {
    this.#spectra.finish();
    return this.#moments;
  }

  #take(power: Float64Array): void {
    const bands = this.#bank.magnitudesOf(power);
    const level = Math.sqrt(bands.reduce((sum, band) => sum + band ** 2, 0) / bands.length);
    const logs = bands.map((band) => Math.log(band + FLOOR));
    const timbre = Array.from({ length: COEFFICIENTS }, (_, at) =>
      logs.reduce(
        (sum, log, band) => sum + log * Math.cos((Math.PI * (at + 1) * (band + 0.5)) / logs.length),
        0,
      ),
    );
    this.#moments.push({ level, timbre });
  }
}
