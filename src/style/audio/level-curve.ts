import { polylineAt } from '../../signal/interpolation.ts';

/** The level (dB) at a frequency (Hz) of a spectrum: linear in the logarithm of frequency, constant beyond its ends. */
export function levelCurve(
  centresHz: readonly number[],
  levelsDb: readonly number[],
): (hz: number) => number {
  const knots = centresHz.map((hz, band) => [Math.log2(hz), levelsDb[band]] as const);
  return (hz) => polylineAt(knots, Math.log2(hz));
}
