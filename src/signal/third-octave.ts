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

/** The third-octave bands that lie whole below the Nyquist frequency; base-ten edges (IEC 61260-1, 5.4). */
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

/** Adds the power of each band to `into`; a bin on an edge counts by the part of it that lies inside. */
export function addBandPowers(
  power: ArrayLike<number>,
  binHz: number,
  bands: readonly FrequencyBand[],
  into: Float64Array,
): void {
  for (let b = 0; b < bands.length; b++) {
    const from = bands[b].lowHz / binHz + 0.5;
    const to = bands[b].highHz / binHz + 0.5;
    const first = Math.floor(from);
    const last = Math.min(Math.floor(to), power.length - 1);
    let sum = 0;
    for (let k = first; k <= last; k++) sum += power[k] * (Math.min(to, k + 1) - Math.max(from, k));
    into[b] += sum;
  }
}
