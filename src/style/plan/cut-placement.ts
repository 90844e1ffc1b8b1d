import type { Segment } from './segments.ts';

/** Cost, in squared mean shot lengths, of leaving a wanted cut out. */
const SKIPPED = 4;
/** A cut may stray this many mean shot lengths from where it was proposed. */
const REACH = 1.5;
const MAX_STATES = 64;

/** The best choice so far that ends with a cut at frame `last`. */
interface State {
  readonly last: number;
  readonly cost: number;
  readonly before: State | null;
}

/**
 * Frames of `candidates` (ascending) for the proposed cuts of one segment, at least `minFrames` apart: dynamic
 * programming over the proposals, least squared distance, for the nearest candidate one by one soon leaves gaps
 * that no other cut fits into. What finds no place splits the longest gaps that are left.
 */
export function placeCuts(
  proposals: readonly number[],
  candidates: readonly number[],
  segment: Segment,
  minFrames: number,
): number[] {
  const mean = (segment.endFrame - segment.startFrame) / (proposals.length + 1);
  let states: State[] = [{ last: segment.startFrame, cost: 0, before: null }];
  let first = 0;
  for (const proposal of proposals) {
    while (first < candidates.length && candidates[first]! < proposal - REACH * mean) first++;
    const next = new Map<number, State>();
    for (const state of states) next.set(state.last, { ...state, cost: state.cost + SKIPPED });
    for (let at = first; at < candidates.length && candidates[at]! <= proposal + REACH * mean; at++) {
      const candidate = candidates[at]!;
      const before = cheapest(states, candidate - minFrames);
      if (before === null) continue;
      const cost = before.cost + ((candidate - proposal) / mean) ** 2;
      const known = next.get(candidate);
      if (known === undefined || cost < known.cost) next.set(candidate, { last: candidate, cost, before });
    }
    states = [...next.values()].sort((one, other) => one.cost - other.cost).slice(0, MAX_STATES);
  }
  const cuts: number[] = [];
  for (let state: State | null = states[0]!; state?.before != null; state = state.before)
    cuts.push(state.last);
  cuts.reverse();
  return filled(cuts, proposals.length, candidates, segment, minFrames);
}

/** The cheapest state whose cut lies no later than `latest`; states come in ascending order of cost. */
function cheapest(states: readonly State[], latest: number): State | null {
  return states.find(({ last }) => last <= latest) ?? null;
}

function filled(
  cuts: readonly number[],
  wanted: number,
  candidates: readonly number[],
  segment: Segment,
  minFrames: number,
): number[] {
  const bounds = [segment.startFrame, ...cuts, segment.endFrame];
  while (bounds.length - 2 < wanted) {
    const extra = widestSplit(bounds, candidates, minFrames);
    if (extra === null) break;
    bounds.push(extra);
    bounds.sort((one, other) => one - other);
  }
  return bounds.slice(1, -1);
}

/** The candidate that splits its gap so that the shorter part is longest; null when none leaves room. */
function widestSplit(
  bounds: readonly number[],
  candidates: readonly number[],
  minFrames: number,
): number | null {
  let [best, longest, gap] = [null as number | null, minFrames - 1, 0];
  for (const candidate of candidates) {
    while (gap + 2 < bounds.length && bounds[gap + 1]! <= candidate) gap++;
    const shorter = Math.min(candidate - bounds[gap]!, bounds[gap + 1]! - candidate);
    if (shorter > longest) [best, longest] = [candidate, shorter];
  }
  return best;
}
