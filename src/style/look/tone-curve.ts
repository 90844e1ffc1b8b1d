import { between, clamp, segmentAt } from '../../signal/interpolation.ts';

/** Intervals of the curve: knots every 10 in lightness keep it smooth enough for skies and skin. */
const INTERVALS = 10;
const STEP = 100 / INTERVALS;
const ROUNDS = 400;
/** Pull towards even slopes, against the weight 1 of all the percentiles together. */
const SMOOTHNESS = 45;

const EMPTY_SLOPE = 0.15;
/** Percentiles are those of a small picture: single pixels lie further out. */
const EMPTY_MARGIN = 2;

export interface ToneKnot {
  readonly in: number;
  readonly out: number;
}

/**
 * The monotone curve that brings the lightness percentiles `from` as near to `to` as slopes within `minSlope..maxSlope` and a
 * smooth course allow. Black rises to `maxBlack` at most. Found by projected gradient descent on the slopes of a polyline
 * with knots every 10. Both lists hold percentiles at the same, evenly spaced probabilities (0..100).
 *
 * `restraint` pulls every slope towards 1, as `SMOOTHNESS` pulls each towards its neighbours'.
 */
export function fitToneCurve(
  from: readonly number[],
  to: readonly number[],
  limits: {
    readonly minSlope: number;
    readonly maxSlope: number;
    readonly maxBlack: number;
    readonly restraint: number;
  },
): ToneKnot[] {
  const { minSlope, maxSlope, maxBlack, restraint } = limits;
  const slopes = new Float64Array(INTERVALS).fill(1);
  let base = 0;
  const least = minSlopes(from, minSlope);
  // The outermost percentiles are single pixels: they count least.
  const weights = from.map((_, index) => (index === 0 || index === from.length - 1 ? 0.2 : 1) / from.length);
  const rate = 0.5 / (INTERVALS * STEP * STEP + SMOOTHNESS * 4 + restraint);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(INTERVALS);
    let baseGradient = 0;
    for (let index = 0; index < from.length; index++) {
      const error = weights[index] * (curveAt(base, slopes, from[index]) - to[index]);
      baseGradient += error;
      for (let at = 0; at < INTERVALS; at++) gradient[at] += error * covered(at, from[index]);
    }
    for (let at = 0; at < INTERVALS; at++) {
      const [before, after] = [slopes[at - 1] ?? slopes[at], slopes[at + 1] ?? slopes[at]];
      gradient[at] += SMOOTHNESS * (2 * slopes[at] - before - after) * 0.5 + restraint * (slopes[at] - 1);
    }
    base = Math.max(0, Math.min(maxBlack, base - 0.3 * baseGradient));
    for (let at = 0; at < INTERVALS; at++) {
      slopes[at] = Math.max(least[at], Math.min(maxSlope, slopes[at] - rate * gradient[at]));
    }
    keepBelowWhite(base, slopes, least);
  }
  return Array.from({ length: INTERVALS + 1 }, (_, at) => ({
    in: at * STEP,
    out: Math.round(curveAt(base, slopes, at * STEP) * 1000) / 1000,
  }));
}

/** The value at `lightness` of the polyline through `knots` (ascending), held beyond its ends. */
export function toneAt(knots: readonly ToneKnot[], lightness: number): number {
  if (knots.length === 0) return lightness;
  const { left, right, share } = segmentAt(knots, (knot) => knot.in, lightness);
  return between(left.out, right.out, share);
}

function curveAt(base: number, slopes: Float64Array, lightness: number): number {
  let value = base;
  for (let at = 0; at < INTERVALS; at++) value += slopes[at] * covered(at, lightness);
  return value;
}

/** How much of interval `at` lies below `lightness`. */
function covered(at: number, lightness: number): number {
  return Math.max(0, Math.min(STEP, lightness - at * STEP));
}

/** Where a picture has nothing, its curve may run flatter still: below its black and above its white. */
function minSlopes(from: readonly number[], minSlope: number): Float64Array {
  const [black, white] = [from[0] - EMPTY_MARGIN, from.at(-1)! + EMPTY_MARGIN];
  return Float64Array.from({ length: INTERVALS }, (_, at) => {
    const used = Math.min((at + 1) * STEP, white) - Math.max(at * STEP, black);
    return EMPTY_SLOPE + clamp(used / STEP, 0, 1) * (Math.max(EMPTY_SLOPE, minSlope) - EMPTY_SLOPE);
  });
}

/** Takes from the slopes above their least what would lift white above 100, most from the brightest. */
function keepBelowWhite(base: number, slopes: Float64Array, least: Float64Array): void {
  let excess = base + slopes.reduce((sum, slope) => sum + slope, 0) * STEP - 100;
  for (let at = INTERVALS - 1; at >= 0 && excess > 0; at--) {
    const spare = (slopes[at] - least[at]) * STEP;
    const removed = Math.min(excess, spare * 0.5);
    slopes[at] = slopes[at] - removed / STEP;
    excess -= removed;
  }
  for (let at = INTERVALS - 1; at >= 0 && excess > 1e-9; at--) {
    const removed = Math.min(excess, (slopes[at] - least[at]) * STEP);
    slopes[at] = slopes[at] - removed / STEP;
    excess -= removed;
  }
}
