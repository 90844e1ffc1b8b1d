import { ease } from '../../signal/easing.ts';
import { EASINGS, type Easing } from '../facts.ts';

const PROGRESS = {
  /** Largest error of a curved easing relative to that of a straight line: noise easily bends a line. */
  CURVE_ADVANTAGE: 0.85,
  /** The start is where the measured progress is below this, the end where it is above one minus this. */
  END_ZONE: 0.35,
  /** With more points, the search is coarse first. */
  COARSE_POINTS: 24,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

export interface ProgressFit {
  /** Indices into the points: the last at 0 and the first at 1. */
  readonly start: number;
  readonly end: number;
  readonly easing: Easing;
  /** Root mean square residual over the points from `start` to `end`. */
  readonly error: number;
}

/**
 * Least-squares fit of an eased ramp from 0 to 1 to measured progress (`values` at ascending `times`). Null if
 * the values do not rise between the two zones.
 */
export function fitProgress(times: ArrayLike<number>, values: ArrayLike<number>): ProgressFit | null {
  let lastLow = -1;
  let firstHigh = -1;
  for (let i = 0; i < times.length; i++) {
    if (values[i] < PROGRESS.END_ZONE && firstHigh < 0) lastLow = i;
    if (values[i] > 1 - PROGRESS.END_ZONE && firstHigh < 0) firstHigh = i;
  }
  if (lastLow < 0 || firstHigh < 0) return null;
  const step = Math.max(1, Math.floor(times.length / PROGRESS.COARSE_POINTS));
  const points = { times, values, squaresBefore: squaresBefore(values), squaresAfter: squaresAfter(values) };
  let best = searchRamp(points, [0, lastLow], [firstHigh, times.length - 1], step);
  if (best !== null && step > 1) {
    const { start, end } = best;
    const starts: [number, number] = [Math.max(0, start - 2 * step), Math.min(lastLow, start + 2 * step)];
    const ends: [number, number] = [
      Math.max(firstHigh, end - 2 * step),
      Math.min(times.length - 1, end + 2 * step),
    ];
    best = searchRamp(points, starts, ends, 1);
  }
  return best === null ? null : { ...best, error: spanError(times, values, best) };
}

type Ramp = Omit<ProgressFit, 'error'>;

interface Points {
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** Of the residuals of a ramp before its start, where it is 0: sums of squares of the values before each. */
  readonly squaresBefore: Float64Array;
  /** Of the residuals after its end, where it is 1. */
  readonly squaresAfter: Float64Array;
}

/** The ramp of least cost with start and end in these ranges, `step` apart. */
function searchRamp(
  points: Points,
  [firstStart, lastStart]: readonly [number, number],
  [firstEnd, lastEnd]: readonly [number, number],
  step: number,
): Ramp | null {
  let best: Ramp | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const easing of EASINGS) {
    for (let start = lastStart; start >= firstStart; start -= step) {
      for (let end = Math.max(firstEnd, start + 1); end <= lastEnd; end += step) {
        const limit = easing === 'linear' ? bestCost : bestCost * PROGRESS.CURVE_ADVANTAGE;
        const cost = rampCost(points, start, end, easing, limit);
        if (cost < limit) {
          bestCost = cost;
          best = { start, end, easing };
        }
      }
    }
  }
  return best;
}

/** Sum of the squared residuals; stops beyond `limit`. */
function rampCost(
  { times, values, squaresBefore, squaresAfter }: Points,
  start: number,
  end: number,
  easing: Easing,
  limit: number,
): number {
  const from = times[start];
  const length = times[end] - from;
  let cost = squaresBefore[start] + squaresAfter[end];
  for (let i = start; i <= end && cost < limit; i++) {
    const left = values[i] - ease(easing, (times[i] - from) / length);
    cost += left * left;
  }
  return cost;
}

function squaresBefore(values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(values.length);
  for (let i = 1; i < values.length; i++) sums[i] = sums[i - 1] + values[i - 1] * values[i - 1];
  return sums;
}

function squaresAfter(values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(values.length);
  for (let i = values.length - 2; i >= 0; i--) sums[i] = sums[i + 1] + (1 - values[i + 1]) ** 2;
  return sums;
}

function spanError(times: ArrayLike<number>, values: ArrayLike<number>, fit: Ramp): number {
  const from = times[fit.start];
  const length = times[fit.end] - from;
  let sum = 0;
  for (let i = fit.start; i <= fit.end; i++) {
    sum += (values[i] - ease(fit.easing, (times[i] - from) / length)) ** 2;
  }
  return Math.sqrt(sum / (fit.end - fit.start + 1));
}
