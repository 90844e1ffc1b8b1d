import { mean } from '../../signal/statistics.ts';
import { type OnsetCurve, peakNear } from './onset-curve.ts';

/** Frames from a beat to the next one; after the last one, the grid's `interval`. */
export function stepAt(beats: readonly number[], index: number, interval: number): number {
  return (beats[index + 1] ?? beats[index] + interval) - beats[index];
}

/** Levels of a band at a part (0..1 from a beat to the next) of each beat. */
export function levelsAt(
  beats: readonly number[],
  interval: number,
  part: number,
  band: OnsetCurve['full'],
): number[] {
  return beats.map((beat, i) => peakNear(band, beat + stepAt(beats, i, interval) * part));
}

/** Mean level of a band at the first, second … quarter of the beats. */
export function quarterLevels(
  beats: readonly number[],
  interval: number,
  band: OnsetCurve['full'],
): readonly number[] {
  return [0, 1, 2, 3].map((quarter) => mean(levelsAt(beats, interval, quarter / 4, band)));
}

/** Regularized by a tenth of the mean level, so that one silent position does not dominate. */
export function logRatio(a: number, b: number, usual: number): number {
  const floor = 0.1 * usual + 1e-3;
  return Math.log((a + floor) / (b + floor));
}
