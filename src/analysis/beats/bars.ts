import { mean } from '../../signal/statistics.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import type { Evidence } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import { logRatio } from './places.ts';

const CYCLE_BEATS = [2, 3, 4, 6, 8] as const;
/**
 * Span of harmony compared before and after a beat. The same at every tempo, since longer spans detect more
 * changes.
 */
const HARMONY_SECONDS = 0.5;
/** Standard errors by which a position must exceed the mean to count. */
const MIN_STANDARD_ERRORS = 2;

/**
 * Concentration of harmony, bass, snare and the whole onset curve on one position of cycles of beats
 * (`cycle.harmony.4`: 0 evenly on all four beats, log 4 on one alone). Chords and kicks mark bars, mostly of
 * four beats, and backbeats mark their halves. A hypothesis twice as fast has them in cycles of eight, one
 * half as fast in cycles of two.
 */
export function cyclesOf(beats: readonly number[], curve: OnsetCurve, harmony: HarmonicChange): Evidence {
  const levels = {
    harmony: beats.map((beat) => harmony.at(beat / FPS, HARMONY_SECONDS)),
    low: beats.map((beat) => peakNear(curve.low, beat)),
    snare: beats.map((beat) => peakNear(curve.snare, beat)),
    full: beats.map((beat) => peakNear(curve.full, beat)),
  };
  return Object.fromEntries(
    Object.entries(levels).flatMap(([name, values]) =>
      CYCLE_BEATS.map((length) => [`cycle.${name}.${length}`, concentration(values, length)]),
    ),
  );
}

/**
 * Logarithm of the strongest position's level over the mean, less two standard errors: by chance some
 * position is strongest, the more so the fewer cycles there are.
 */
function concentration(values: readonly number[], length: number): number {
  const places = Array.from({ length }, (_, place) => values.filter((_, i) => i % length === place));
  const means = places.map(mean);
  const scatter = Math.sqrt(mean(values.map((value, i) => (value - means[i % length]) ** 2)));
  const error = scatter / Math.sqrt(Math.max(1, values.length / length));
  const even = mean(values);
  const strongest = Math.max(even, Math.max(...means) - MIN_STANDARD_ERRORS * error);
  return logRatio(strongest, even, even);
}
