import type { FrameSketch } from '../frames/sketch.ts';
import type { Ground } from './ground.ts';

export const FADE_ENDS = {
  /**
   * Samples beyond an arm that are searched for its end, or must have one level, as a share of its length; at
   * least two. .2 to .4 are equal, .5 and .8 worse.
   */
  MARGIN_SHARE: 0.3,
  MIN_MARGIN: 2,
  /** Least share of the cells that an estimate needs. */
  MIN_CELLS: 0.15,
  /** Least samples of the whole picture whose mean is its level; 3 and 4 are equal. */
  MIN_PLATEAU: 2,
  /** Cells closer to the fade's color than this, of 255, have no visible share. */
  NO_LEVEL: 0.5,
  /** Exponents of easing curves: editors offer 1.7 to 3, and sines, which lie between. */
  POWERS: [1.3, 1.6, 2, 2.5, 3],
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

const CURVES: readonly ((share: number) => number)[] = [
  (x) => x,
  ...FADE_ENDS.POWERS.map((power) => (x: number) => x ** power),
  ...FADE_ENDS.POWERS.map((power) => (x: number) => 1 - (1 - x) ** power),
  ...FADE_ENDS.POWERS.map(
    (power) => (x: number) => (x < 0.5 ? 0.5 * (2 * x) ** power : 1 - 0.5 * (2 - 2 * x) ** power),
  ),
];

/** One side of a fade. */
export interface FadeArm {
  /** Index of the sample with the whole picture. */
  readonly whole: number;
  /** Index of the sample without it. */
  readonly hidden: number;
  /** Root mean square distance from an eased ramp. */
  readonly error: number;
  /** Distance of the whole picture from the fade's color, of 255. */
  readonly level: number;
}

export interface FadeLevels {
  /** The fade's color. */
  readonly ground: Ground;
  /** Distance of each sample from it, of 255. */
  readonly levels: Float64Array;
  /** Distance at the sample that is nearest to it, of 255. */
  readonly low: number;
}

/**
 * Visible share of the picture in one sample relative to another one, from the middle half of its cells.
 * Motion changes the picture's level, but not most of its cells.
 */
export function visibleRatio(
  samples: readonly FrameSketch[],
  at: number,
  against: number,
  { ground, levels, low }: FadeLevels,
): number {
  const picture = samples[at].coarse;
  const reference = samples[against].coarse;
  const cells: { readonly here: number; readonly there: number }[] = [];
  for (let i = 0; i < picture.length; i += 3) {
    const here = Math.max(0, ground.cellDistance(picture, i) - low);
    const there = ground.cellDistance(reference, i) - low;
    if (there > FADE_ENDS.NO_LEVEL) cells.push({ here, there });
  }
  if (cells.length < (FADE_ENDS.MIN_CELLS * picture.length) / 3) {
    const there = levels[against] - low;
    return there > FADE_ENDS.NO_LEVEL ? Math.max(0, levels[at] - low) / there : 1;
  }
  // Ascending by here / there.
  cells.sort((a, b) => a.here * b.there - b.here * a.there);
  let here = 0;
  let there = 0;
  for (const cell of cells.slice(Math.floor(cells.length / 4), Math.ceil((3 * cells.length) / 4))) {
    here += cell.here;
    there += cell.there;
  }
  return here / there;
}

/**
 * Refines the ends of an arm by the visible share of the picture, because its level also changes by motion. At
 * the sample `first` nothing is visible; up to the sample `last` the visible share grows.
 */
export function refineEnds(
  samples: readonly FrameSketch[],
  arm: FadeArm,
  { first, last }: { readonly first: number; readonly last: number },
  levels: FadeLevels,
): FadeArm {
  const step = Math.sign(arm.whole - arm.hidden);
  const length = Math.abs(arm.whole - arm.hidden);
  const margin = Math.max(FADE_ENDS.MIN_MARGIN, Math.round(FADE_ENDS.MARGIN_SHARE * length));
  const reach = Math.min(Math.abs(arm.whole - first) + margin, Math.abs(last - first));
  const shares = new Float64Array(reach + 1).fill(1);
  for (let k = reach - 1; k >= 0; k--)
    shares[k] = shares[k + 1] * visibleRatio(samples, first + step * k, first + step * (k + 1), levels);
  const fit = fitEnds(shares);
  return fit === null ? arm : { ...arm, whole: first + step * fit.whole, hidden: first + step * fit.hidden };
}

interface Ends {
  readonly hidden: number;
  readonly whole: number;
}

/** Least squares over all ends and curves: shares from 0 at `hidden` to their own mean from `whole`. */
function fitEnds(shares: Float64Array): Ends | null {
  const last = shares.length - 1;
  const meanFrom = new Float64Array(shares.length);
  for (let k = last, sum = 0; k >= 0; k--) {
    sum += shares[k];
    meanFrom[k] = sum / (last + 1 - k);
  }
  let best: Ends | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const curve of CURVES) {
    for (let whole = 2; whole <= last; whole++) {
      if (last - whole + 1 < FADE_ENDS.MIN_PLATEAU && whole < last) continue;
      for (let hidden = 0; hidden < whole; hidden++) {
        const cost = costOf(shares, { hidden, whole }, meanFrom[whole], curve, least);
        if (cost >= least) continue;
        least = cost;
        best = { hidden, whole };
      }
    }
  }
  return best;
}

/** Sum of squared errors of shares that rise to `high` along a curve; stops beyond `limit`. */
function costOf(
  shares: Float64Array,
  { hidden, whole }: Ends,
  high: number,
  curve: (share: number) => number,
  limit: number,
): number {
  let cost = 0;
  for (let k = 0; k < shares.length && cost < limit; k++) {
    const time = (k - hidden) / (whole - hidden);
    const error = shares[k] / high - (time <= 0 ? 0 : time >= 1 ? 1 : curve(time));
    cost += error * error;
  }
  return cost;
}
