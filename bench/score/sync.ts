/** Whether two courses of the same thing run together in time. */

/** Values of a step function: `values[n]` holds from `times[n]` to the next. */
export interface Course {
  readonly timesSeconds: readonly number[];
  readonly values: readonly number[];
}

const GRID_SECONDS = 0.005;
/** Below this correlation nothing can be said. */
const LEAST_CORRELATION = 0.8;

/**
 * The delay in seconds (positive: `after` is late) at which the courses agree best within `fromSeconds..toSeconds`, lags
 * to ±`mostSeconds`; null where they do not agree at any, or nothing happens.
 */
export function delayBetween(
  before: Course,
  after: Course,
  [fromSeconds, toSeconds]: readonly [number, number],
  mostSeconds = 0.2,
): number | null {
  const steps = Math.floor((toSeconds - fromSeconds) / GRID_SECONDS);
  const most = Math.round(mostSeconds / GRID_SECONDS);
  const one = sampled(before, fromSeconds, steps);
  const other = sampled(after, fromSeconds, steps);
  let [best, bestLag] = [LEAST_CORRELATION, Number.NaN];
  for (let lag = -most; lag <= most; lag++) {
    const found = correlation(one, other, lag, most);
    if (found > best) [best, bestLag] = [found, lag];
  }
  return Number.isNaN(bestLag) ? null : bestLag * GRID_SECONDS;
}

function sampled({ timesSeconds, values }: Course, from: number, steps: number): Float64Array {
  const out = new Float64Array(steps);
  let at = 0;
  for (let step = 0; step < steps; step++) {
    const time = from + step * GRID_SECONDS;
    while (at + 1 < timesSeconds.length && timesSeconds[at + 1]! <= time) at++;
    out[step] = values[at] ?? 0;
  }
  return out;
}

function correlation(one: Float64Array, other: Float64Array, lag: number, most: number): number {
  let [x, y, xx, yy, xy, count] = [0, 0, 0, 0, 0, 0];
  for (let at = most; at < one.length - most; at++) {
    const [p, q] = [one[at]!, other[at + lag]!];
    x += p;
    y += q;
    xx += p * p;
    yy += q * q;
    xy += p * q;
    count++;
  }
  const spread = (xx - (x * x) / count) * (yy - (y * y) / count);
  return spread <= 0 ? 0 : (xy - (x * y) / count) / Math.sqrt(spread);
}
