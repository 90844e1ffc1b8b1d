import { mean } from '../../signal/statistics.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import type { Evidence } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import { logRatio } from './places.ts';

const CYCLE_BEATS = [2, 3, 4, 6, 8] as const;
/** Harmony before and after a beat is compared over this long at every tempo, or slow hypotheses would hear more. */
const HARMONY_SECONDS = 0.5;
/** Standard errors by which a place must stand out before it counts. */
const SURE_ERRORS = 2;

/**
 * In which cycles of beats the harmony, the bass, the snare and the whole gather on one place (`cycle.harmony.4`: 0
 * evenly on all four beats, log 4 on one alone). Chords and kicks mark bars, mostly of four beats, and backbeats halves
 * of them: of a hypothesis twice as fast they gather in cycles of eight, of one half as fast in cycles of two.
 */
export function cyclesOf(beats: readonly number[], curve: OnsetCurve, harmony: HarmonicChange): Evidence {
  const heard = {
    harmony: beats.map((beat) => harmony.at(beat / FPS, HARMONY_SECONDS)),
    low: beats.map((beat) => peakNear(curve.low, beat)),
    snare: beats.map((beat) => peakNear(curve.snare, beat)),
    full: beats.map((beat) => peakNear(curve.full, beat)),
  };
  return Object.fromEntries(
    Object.entries(heard).flatMap(([name, values]) =>
      CYCLE_BEATS.map((length) => [`cycle.${name}.${length}`, concentration(values, length)]),
    ),
  );
}

/**
 * Logarithm of how much more the strongest place of a cycle has than an even share, less two standard errors of it: chance
 * has a strongest place too, the stronger the fewer cycles there are.
 */
function concentration(values: readonly number[], length: number): number {
  const places = Array.from({ length }, (_, place) => values.filter((_, i) => i % length === place));
  const means = places.map(mean);
  const scatter = Math.sqrt(mean(values.map((value, i) => (value - means[i % length]) ** 2)));
  const error = scatter / Math.sqrt(Math.max(1, values.length / length));
  const even = mean(values);
  const strongest = Math.max(even, Math.max(...means) - SURE_ERRORS * error);
  return logRatio(strongest, even, even);
}
