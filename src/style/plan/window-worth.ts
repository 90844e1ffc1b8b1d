/** The value of a framing at each place along a side: what it holds, less the cost of its distance from the middle. */
import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import type { WeightedStretch } from './figure-stretch.ts';
import { extentsAt, subjectsOfRun } from './subject-extents.ts';

/**
 * Vertical middle of a framing without findings, in shares of what may be shown. People stand with their heads in the
 * upper part: of marked boxes in square and upright clips the middle lies at .4 on the mean. A closer look hardly moves.
 */
export const RESTING_HEIGHT = { subject: 0.4, padded: 0.4, middle: 0.46 } as const;
/** Places that are compared along a side, less one. */
export const FOCUS_STEPS = 64;
/** Cost of the squared distance from the middle, by the same fit as `KIND_WEIGHT`. */
const CENTER_WEIGHT = 3;
/**
 * This middle share of a framing counts for more. Subjects then lie in its middle with a margin, and are not
 * cut at its edge for the sake of the picture's middle. Marked moments, tuning: from .5 to .7 crops hold the
 * same within .005 of the boxes.
 */
const MIDDLE_SHARE = 0.6;
/**
 * Share of the worth that comes from the middle. At half, one of two people who just fit would be cut to have
 * the other in the middle. Less from above, where the top of tall subjects is contained. A padded picture is
 * as wide as its subjects need. Ranges with the same result: docs/notebook/framing.md, "Constants".
 */
export const MIDDLE_WEIGHT = { x: 0.45, y: 0.2 } as const;
export const NO_WEIGHT = { x: 0, y: 0 } as const;
/** Cost of leaving the middle, per distance: a closer framing rests unless a subject would be cut. */
const CLOSER_WEIGHT = 0.05;

/** A side of the picture along which a framing of `size` is placed. */
interface Along {
  readonly extents: readonly WeightedStretch[];
  readonly start: number;
  readonly whole: number;
  readonly size: number;
  readonly middle: number;
  /** Share of the worth that is that of the framing's middle. */
  readonly middleWeight: number;
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
  const along = {
    start: area[axis],
    whole: area[side],
    size,
    middle: area[axis] + area[side] * (axis === 'x' ? 0.5 : RESTING_HEIGHT.subject),
    middleWeight: MIDDLE_WEIGHT[axis],
  };
  return times.map((time) =>
    worths({ ...along, extents: extentsAt(source, time, subjects, { axis, size }) }, squaredCost),
  );
}

type Cost = (along: Along, focus: number) => number;

export const squaredCost: Cost = ({ middle, whole }, focus) =>
  CENTER_WEIGHT * ((focus - middle) / whole) ** 2 * whole;

export const closerCost: Cost = ({ extents, middle }, focus) =>
  CLOSER_WEIGHT * Math.abs(focus - middle) * Math.max(1, sumOf(extents));

/** The middle of the stretch that is worth most. */
export function focusAlong(along: Along, cost: Cost): number {
  const { start, whole, size } = along;
  let [best, most] = [along.middle, Number.NEGATIVE_INFINITY];
  for (const [step, worth] of worths(along, cost).entries())
    if (worth > most + 1e-9) [best, most] = [start + ((whole - size) * step) / FOCUS_STEPS + size / 2, worth];
  return best;
}

/**
 * The value of each stretch from one end to the other. It is that of its subjects and of those in its middle,
 * less the cost of the distance from the picture's middle.
 */
function worths(along: Along, cost: Cost): Float64Array {
  const { extents, start, whole, size, middleWeight } = along;
  return Float64Array.from({ length: FOCUS_STEPS + 1 }, (_, step) => {
    const from = start + ((whole - size) * step) / FOCUS_STEPS;
    const all = heldBy(extents, from, size);
    const inner = heldBy(extents, from + ((1 - MIDDLE_SHARE) / 2) * size, MIDDLE_SHARE * size);
    return all + middleWeight * (inner - all) - cost(along, from + size / 2);
  });
}

/** Weight of the extents that lie inside a stretch. */
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
