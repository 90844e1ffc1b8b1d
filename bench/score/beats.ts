/** Beat tracking measures over annotated beats that need not be even. */

/** F-measure within ±70 ms, each beat used once (S. Dixon, JNMR 36, 2007). */
export function beatFMeasure(
  found: readonly number[],
  expected: readonly number[],
  toleranceSeconds = 0.07,
): number {
  let hits = 0;
  let at = 0;
  for (const time of expected) {
    while (at < found.length && found[at] < time - toleranceSeconds) at++;
    if (at < found.length && found[at] <= time + toleranceSeconds) {
      hits++;
      at++;
    }
  }
  const all = found.length + expected.length;
  return all === 0 ? 1 : (2 * hits) / all;
}

/** Deviation of place and of interval that continuity allows, in intervals. */
const CONTINUITY = 0.175;

export interface Continuity {
  /** Share of the beats that are right, and right in place of their forerunner: correct metrical level. */
  readonly cmlt: number;
  /** The same at half, double or off the beat: any allowed metrical level. */
  readonly amlt: number;
}

/** S. Hainsworth, "Techniques for the automated analysis of musical audio", 2004; M. Davies et al., C4DM-TR-09-06. */
export function beatContinuity(found: readonly number[], expected: readonly number[]): Continuity {
  const cmlt = continuityAgainst(found, expected);
  const half = expected.slice(1).map((time, i) => (time + expected[i]) / 2);
  const double = [...expected, ...half].sort((a, b) => a - b);
  const variants = [
    half,
    double,
    expected.filter((_, i) => i % 2 === 0),
    expected.filter((_, i) => i % 2 === 1),
  ];
  return { cmlt, amlt: Math.max(cmlt, ...variants.map((variant) => continuityAgainst(found, variant))) };
}

function continuityAgainst(found: readonly number[], expected: readonly number[]): number {
  if (found.length < 2 || expected.length < 2) return 0;
  let right = 0;
  for (let i = 0; i < found.length; i++) {
    const near = nearestIndex(expected, found[i]);
    // The first has no predecessor: its successors are used.
    const j = i === 0 ? 1 : i;
    const k = near === 0 ? 1 : near;
    const interval = expected[k] - expected[k - 1];
    const placed = Math.abs(found[i] - expected[near]) < CONTINUITY * interval;
    const before =
      i === 0 || Math.abs(found[i - 1] - (expected[near - 1] ?? found[i - 1])) < CONTINUITY * interval;
    const steady = Math.abs(1 - (found[j] - found[j - 1]) / interval) < CONTINUITY;
    if (placed && before && steady) right += 1;
  }
  return right / Math.max(found.length, expected.length);
}

function nearestIndex(times: readonly number[], time: number): number {
  let best = 0;
  for (let i = 1; i < times.length; i++)
    if (Math.abs(times[i] - time) < Math.abs(times[best] - time)) best = i;
  return best;
}
