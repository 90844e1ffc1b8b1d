import { ease } from '../signal/easing.ts';
import { EASINGS, type Easing } from './facts.ts';

export interface ProgressFit {
  /** Indices into the points: the last at 0 and the first at 1. */
  readonly start: number;
  readonly end: number;
  readonly easing: Easing;
  /** Root mean square of what the curve leaves, over the points from `start` to `end`. */
  readonly error: number;
}

/** A curved easing has to fit better than a straight line by this factor: bends are easily made by noise. */
const CURVE_ADVANTAGE = 0.8;
/** The start lies where the measured progress is below this, the end where it is above one minus this. */
const END_ZONE = 0.35;

/**
 * Least-squares fit of an eased ramp from 0 to 1 to measured progress (`values` at ascending `times`).
 * Null when the values do not rise from the one zone to the other.
 */
export function fitProgress(times: ArrayLike<number>, values: ArrayLike<number>): ProgressFit | null {
  let lastLow = -1;
  let firstHigh = -1;
  for (let i = 0; i < times.length; i++) {
    if (values[i] < END_ZONE && firstHigh < 0) lastLow = i;
    if (values[i] > 1 - END_ZONE && firstHigh < 0) firstHigh = i;
  }
  if (lastLow < 0 || firstHigh < 0) return null;
  let best: ProgressFit | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const easing of EASINGS) {
    for (let start = lastLow; start >= 0; start--) {
      for (let end = Math.max(firstHigh, start + 1); end < times.length; end++) {
        const limit = easing === 'linear' ? bestCost : bestCost * CURVE_ADVANTAGE;
        const cost = rampCost(times, values, start, end, easing, limit);
        if (cost < limit) {
          bestCost = cost;
          best = { start, end, easing, error: 0 };
        }
      }
    }
  }
  return best === null ? null : { ...best, error: spanError(times, values, best) };
}

/** Sum of squares; gives up beyond `limit`. */
function rampCost(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  start: number,
  end: number,
  easing: Easing,
  limit: number,
): number {
  const from = times[start];
  const length = times[end] - from;
  let cost = 0;
  for (let i = 0; i < times.length && cost < limit; i++) {
    const left = values[i] - ease(easing, (times[i] - from) / length);
    cost += left * left;
  }
  return cost;
}

function spanError(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  fit: Omit<ProgressFit, 'error'>,
): number {
  const from = times[fit.start];
  const length = times[fit.end] - from;
  let sum = 0;
  for (let i = fit.start; i <= fit.end; i++) {
    sum += (values[i] - ease(fit.easing, (times[i] - from) / length)) ** 2;
  }
  return Math.sqrt(sum / (fit.end - fit.start + 1));
}
