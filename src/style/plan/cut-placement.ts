import type { Segment } from './segments.ts';

/** Cost of omitting a proposed cut, in squared mean shot lengths. */
const OMISSION_COST = 4;
/** Largest distance of a cut from its proposal, in mean shot lengths. */
const MAX_SHIFT = 1.5;
const MAX_STATES = 64;

/** A frame at which a cut is allowed. */
export interface Candidate {
  readonly frame: number;
  /** In squared mean shot lengths; 0 is best. */
  readonly cost: number;
}

/** Least number of frames between two cuts. */
export type MinGap = (from: number, to: number) => number;

/** The best choice that ends with a cut at frame `last`. */
interface State {
  readonly last: number;
  readonly cost: number;
  readonly before: State | null;
}

/**
 * Chooses frames of `candidates` (ascending) for the proposed cuts of one segment, at least `minGap` apart.
 * Dynamic programming finds the least squared distance from the proposals. The nearest candidate for each
 * would leave gaps too short for another cut. Unplaced cuts split the longest remaining gaps, at low-cost
 * candidates first.
 */
export function placeCuts(
  proposals: readonly number[],
  candidates: readonly Candidate[],
  segment: Segment,
  minGap: MinGap,
): number[] {
  const mean = (segment.endFrame - segment.startFrame) / (proposals.length + 1);
  let states: State[] = [{ last: segment.startFrame, cost: 0, before: null }];
  let first = 0;
  for (const proposal of proposals) {
    while (first < candidates.length && candidates[first].frame < proposal - MAX_SHIFT * mean) first++;
    const next = new Map<number, State>();
    for (const state of states) next.set(state.last, { ...state, cost: state.cost + OMISSION_COST });
    for (let at = first; at < candidates.length; at++) {
      const { frame, cost: ownCost } = candidates[at];
      if (frame > proposal + MAX_SHIFT * mean) break;
      // States are in ascending order of cost.
      const before = states.find(({ last }) => frame - last >= minGap(last, frame));
      if (before === undefined) continue;
      const cost = before.cost + ownCost + ((frame - proposal) / mean) ** 2;
      const known = next.get(frame);
      if (known === undefined || cost < known.cost) next.set(frame, { last: frame, cost, before });
    }
    states = [...next.values()].sort((one, other) => one.cost - other.cost).slice(0, MAX_STATES);
  }
  const cuts: number[] = [];
  for (let state: State | null = states[0]; state?.before != null; state = state.before)
    cuts.push(state.last);
  cuts.reverse();
  return splitLongGaps(cuts, proposals.length, candidates, segment, minGap);
}

function splitLongGaps(
  cuts: readonly number[],
  wanted: number,
  candidates: readonly Candidate[],
  segment: Segment,
  minGap: MinGap,
): number[] {
  const bounds = [segment.startFrame, ...cuts, segment.endFrame];
  const cheap = candidates.filter(({ cost }) => cost < OMISSION_COST / 2);
  while (bounds.length - 2 < wanted) {
    const extra = widestSplit(bounds, cheap, minGap) ?? widestSplit(bounds, candidates, minGap);
    if (extra === null) break;
    bounds.push(extra);
    bounds.sort((one, other) => one - other);
  }
  return bounds.slice(1, -1);
}

/** The candidate that splits its gap with the longest shorter part; null if none fits. */
function widestSplit(
  bounds: readonly number[],
  candidates: readonly Candidate[],
  minGap: MinGap,
): number | null {
  let [best, longest, gap] = [null as number | null, 0, 0];
  for (const { frame } of candidates) {
    while (gap + 2 < bounds.length && bounds[gap + 1] <= frame) gap++;
    const [from, to] = [bounds[gap], bounds[gap + 1]];
    const hasRoom = frame - from >= minGap(from, frame) && to - frame >= minGap(frame, to);
    const shorter = Math.min(frame - from, to - frame);
    if (hasRoom && shorter > longest) [best, longest] = [frame, shorter];
  }
  return best;
}
