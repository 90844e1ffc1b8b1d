/** The value of a framing at each place along a side: what it holds, less the cost of its distance from the middle. */
import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import type { WeightedStretch } from './figure-stretch.ts';
import { extentsAt, subjectsOfRun } from './subject-extents.ts';

/**
 * Vertical middle of a framing without findings, as a share of the area that may be shown. People have their heads in the
 * upper part: marked boxes in square and upright clips have a mean of .4. A closer framing (`middle`) stays near the middle.
 */
export const RESTING_HEIGHT = { subject: 0.4, padded: 0.4, middle: 0.46 } as const;
/** Steps between the places that are compared along a side. */
export const FOCUS_STEPS = 64;
/** Cost of the squared distance from the middle, fitted together with `KIND_WEIGHT`. */
const CENTER_WEIGHT = 3;
/**
 * Share of a framing that is its inner part, which counts for more: subjects then lie in it with a margin. Marked
 * moments, tuning: from .5 to .7 crops hold the same within .005 of the boxes.
 */
const INNER_SHARE = 0.6;
/**
 * Share of the worth that comes from the inner part. At half, one of two people who just fit is cut to center the
 * other. Vertically less, so that tall subjects keep their top. Ranges with the same result:
 * docs/notebook/framing.md, "Constants".
 */
export const INNER_WEIGHT = { x: 0.45, y: 0.2 } as const;
/** For padded pictures, which are as wide as their subjects need, and for closer framings. */
export const NO_WEIGHT = { x: 0, y: 0 } as const;
/** Cost of the distance from the middle: a closer framing stays there unless a subject would be cut. */
const CLOSER_WEIGHT = 0.05;

/** Placement of a framing along one side of the picture. Lengths and positions are shares of that side. */
interface Placement {
  /** Subjects. */
  readonly extents: readonly WeightedStretch[];
  /** Start and size of the area that may be shown. */
  readonly areaStart: number;
  readonly areaSize: number;
  /** Size of the framing. */
  readonly size: number;
  /** Where its middle is without findings. */
  readonly middle: number;
  /** Share of the worth that comes from the framing's inner part. */
  readonly innerWeight: number;
}

/** At each time, the value of the framing at each of its places, from one end of the area to the other. */
export function worthsAt(
  source: ClipFacts,
  run: Span,
  times: readonly number[],
  { axis, area, size }: { readonly axis: 'x' | 'y'; readonly area: Box; readonly size: number },
): Float64Array[] {
  const side = axis === 'x' ? 'width' : 'height';
  const subjects = subjectsOfRun(source, run);
  const placement = {
    areaStart: area[axis],
    areaSize: area[side],
    size,
    middle: area[axis] + area[side] * (axis === 'x' ? 0.5 : RESTING_HEIGHT.subject),
    innerWeight: INNER_WEIGHT[axis],
  };
  return times.map((time) =>
    worths({ ...placement, extents: extentsAt(source, time, subjects, { axis, size }) }, squaredCost),
  );
}

/** Cost of a framing with its middle at `focus`. */
type Cost = (placement: Placement, focus: number) => number;

export const squaredCost: Cost = ({ middle, areaSize }, focus) =>
  CENTER_WEIGHT * ((focus - middle) / areaSize) ** 2 * areaSize;

export const closerCost: Cost = ({ extents, middle }, focus) =>
  CLOSER_WEIGHT * Math.abs(focus - middle) * Math.max(1, sumOf(extents));

/** The middle of the framing that is worth most. */
export function bestFocus(placement: Placement, cost: Cost): number {
  const all = worths(placement, cost);
  let best = 0;
  for (let step = 1; step < all.length; step++) if (all[step] > all[best] + 1e-9) best = step;
  return framingStart(placement, best) + placement.size / 2;
}

/** Start of the framing at one of its places. */
function framingStart({ areaStart, areaSize, size }: Placement, step: number): number {
  return areaStart + ((areaSize - size) * step) / FOCUS_STEPS;
}

/** The value of the framing at each of its places: its subjects, those in its inner part, and its distance from the middle. */
function worths(placement: Placement, cost: Cost): Float64Array {
  const { extents, size, innerWeight } = placement;
  return Float64Array.from({ length: FOCUS_STEPS + 1 }, (_, step) => {
    const from = framingStart(placement, step);
    const all = heldBy(extents, from, size);
    const inner = heldBy(extents, from + ((1 - INNER_SHARE) / 2) * size, INNER_SHARE * size);
    return all + innerWeight * (inner - all) - cost(placement, from + size / 2);
  });
}

/** Weight of the extents between two positions; of one that is partly inside, its share. */
export function heldBy(extents: readonly WeightedStretch[], from: number, size: number): number {
  let held = 0;
  for (const extent of extents) {
    const overlap = Math.min(from + size, extent.from + extent.size) - Math.max(from, extent.from);
    held += (extent.weight * Math.max(0, overlap)) / Math.max(1e-6, extent.size);
  }
  return held;
}

function sumOf(extents: readonly WeightedStretch[]): number {
  return extents.reduce((sum, { weight }) => sum + weight, 0);
}
