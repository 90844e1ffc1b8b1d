import type { Filter } from './filterbank.ts';

/** One band of a third-octave analysis. */
export interface FrequencyBand {
  readonly centreHz: number;
  readonly lowHz: number;
  readonly highHz: number;
}

/** Nominal centres of IEC 61260-1 from 25 Hz to 20 kHz. */
const NOMINAL_CENTRES_HZ = [
  25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500,
  3150, 4000, 5000, 6300, 8000, 10000, 12500, 16000, 20000,
] as const;

/** Third-octave bands entirely below the Nyquist frequency, with base-ten edges (IEC 61260-1, 5.4). */
export function thirdOctaveBands(sampleRate: number): readonly FrequencyBand[] {
  const bands: FrequencyBand[] = [];
  for (const centreHz of NOMINAL_CENTRES_HZ) {
    const exact = 1000 * 10 ** (Math.round(10 * Math.log10(centreHz / 1000)) / 10);
    const half = 10 ** 0.05;
    if (exact * half > sampleRate / 2) break;
    bands.push({ centreHz, lowHz: exact / half, highHz: exact * half });
  }
  return bands;
}

/** Filters for the power of each band; a bin on an edge counts by its share inside the band. */
export function bandFilters(bands: readonly FrequencyBand[], binHz: number, bins: number): readonly Filter[] {
  return bands.map(({ lowHz, highHz }) => {
    const from = lowHz / binHz + 0.5;
    const to = highHz / binHz + 0.5;
    const firstBin = Math.floor(from);
    const end = Math.min(Math.floor(to) + 1, bins);
    const weights = Array.from({ length: Math.max(0, end - firstBin) }, (_, k) => {
      const bin = firstBin + k;
      return Math.min(to, bin + 1) - Math.max(from, bin);
    });
    return { firstBin, weights };
  });
}
