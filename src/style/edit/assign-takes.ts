/** Fills slots with candidates: long slots first by beam search, then repair by moves and swaps. */
import type { Span } from '../../analysis/facts.ts';
import { Assignment, type AssignmentRules, isSameChoice } from './assignment.ts';
import { shareInstant } from './pair-costs.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { byCost, type Candidate, type CandidateOptions, takeCandidates } from './slot-candidates.ts';
import { without } from './take-runs.ts';

const BEAM_WIDTH = 6;
/** Shots in order depend on all before them. */
const STORY_BEAM_WIDTH = 40;
/** States that end with one shot: others keep the search from running into one dead end. */
const MAX_ALIKE_STATES = 8;
const MAX_PASSES = 4;
/** Candidates of a slot for which another slot gives up its own. */
const EVICTING = 10;
export const MIN_GAIN = 1e-6;

export type CandidateLists = readonly (readonly Candidate[])[];

/** From nothing. */
export function assign(rules: AssignmentRules, lists: CandidateLists, options: CandidateOptions): Assignment {
  return completed(new Assignment(rules), lists, options);
}

/** Fills empty slots and improves the whole. */
export function completed(start: Assignment, lists: CandidateLists, options: CandidateOptions): Assignment {
  const best = searched(start, lists);
  fillGaps(best, options);
  repair(best, lists);
  fillGaps(best, options);
  return best;
}

/** Fills empty slots. Other choices change only if that fills more of them. */
export function gapsFilled(start: Assignment, lists: CandidateLists, options: CandidateOptions): Assignment {
  const filled = searched(start, lists);
  fillGaps(filled, options);
  if (emptyCount(filled) === 0) return filled;
  const changed = completed(start, lists, options);
  return emptyCount(changed) < emptyCount(filled) ? changed : filled;
}

function emptyCount({ choices }: Assignment): number {
  return choices.filter((choice) => choice === null).length;
}

/** @param width States that are followed; the default depends on the order of the shots. */
export function searched(
  start: Assignment,
  lists: CandidateLists,
  width = start.rules.story === null ? BEAM_WIDTH : STORY_BEAM_WIDTH,
): Assignment {
  const { slots, story } = start.rules;
  const empty = slots.filter(({ index }) => start.choices[index] === null);
  // Of equal lengths the slot with fewer choices has less to lose.
  const order =
    story === null
      ? [...empty].sort((one, other) => other.seconds - one.seconds || one.index - other.index)
      : empty;
  let beam = [start];
  for (const { index } of order) beam = extended(beam, index, lists[index], width);
  return beam[0];
}

/** The highest of the lowest `count` values, or infinity until there are so many. */
class LowestValues {
  readonly #count: number;
  readonly #values: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  get value(): number {
    return this.#values.length < this.#count ? Number.POSITIVE_INFINITY : this.#values.at(-1)!;
  }

  add(value: number): void {
    if (this.#count === Number.POSITIVE_INFINITY) return;
    const at = this.#values.findIndex((other) => other > value);
    this.#values.splice(at < 0 ? this.#values.length : at, 0, value);
    if (this.#values.length > this.#count) this.#values.pop();
  }
}

interface Extension {
  readonly from: Assignment;
  readonly candidate: Candidate | null;
  readonly added: number;
  readonly total: number;
}

function extended(
  beam: readonly Assignment[],
  slot: number,
  candidates: readonly Candidate[],
  width: number,
): Assignment[] {
  const extensions: Extension[] = [];
  // In a wide beam, states beyond the width can replace those that end with the same shot.
  const limit = new LowestValues(width > MAX_ALIKE_STATES ? Number.POSITIVE_INFINITY : width);
  for (const from of beam) {
    // Unfilled here: later slots may be worth more.
    extensions.push({ from, candidate: null, added: 0, total: from.cost });
    for (const candidate of candidates) {
      const most = limit.value - from.cost;
      if (from.leastCostOf(candidate.cost) >= most) break;
      const added = from.costOf(slot, candidate, most);
      if (added >= most || !from.allows(slot, candidate)) continue;
      const total = from.cost + added;
      extensions.push({ from, candidate, added, total });
      limit.add(total);
    }
  }
  extensions.sort((one, other) => one.total - other.total);
  const alike = new Map<Candidate | null, number>();
  const kept: Extension[] = [];
  for (const extension of extensions) {
    if (kept.length === width) break;
    const count = alike.get(extension.candidate) ?? 0;
    alike.set(extension.candidate, count + 1);
    if (count < MAX_ALIKE_STATES) kept.push(extension);
  }
  return kept.map(({ from, candidate, added }) => {
    const next = from.copy();
    if (candidate !== null) next.put(slot, candidate, added);
    return next;
  });
}

/** Better choices for one slot, or for two that exchange, until there are none. */
export function repair(assignment: Assignment, lists: CandidateLists): void {
  const { slots, pinned } = assignment.rules;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = assignment.cost;
    for (const { index } of slots) if (!pinned.has(index)) improveSlot(assignment, index, lists);
    for (const { index } of slots) if (!pinned.has(index)) improveByEviction(assignment, index, lists);
    if (before - assignment.cost < MIN_GAIN) return;
  }
}

export function improveSlot(assignment: Assignment, slot: number, lists: CandidateLists): void {
  const before = assignment.cost;
  const old = assignment.take(slot);
  const best = bestFor(assignment, slot, lists[slot]);
  const isBetter = best !== null && assignment.cost + best.added < before - MIN_GAIN;
  if (isBetter) assignment.put(slot, best.candidate, best.added);
  else if (old !== null) assignment.put(slot, old);
}

/** @param candidates Ascending by their own cost. */
function bestFor(
  assignment: Assignment,
  slot: number,
  candidates: readonly Candidate[],
): { candidate: Candidate; added: number } | null {
  let best: { candidate: Candidate; added: number } | null = null;
  for (const candidate of candidates) {
    const limit = best?.added ?? Number.POSITIVE_INFINITY;
    if (assignment.leastCostOf(candidate.cost) >= limit) break;
    const added = assignment.costOf(slot, candidate, limit);
    if (added < limit && assignment.allows(slot, candidate)) best = { candidate, added };
  }
  return best;
}

/** Moves the choice of another slot to a slot, and gives the other its best remaining choice. */
function improveByEviction(assignment: Assignment, slot: number, lists: CandidateLists): void {
  const { pinned } = assignment.rules;
  for (const candidate of lists[slot].slice(0, EVICTING)) {
    const own = assignment.choices[slot];
    if (own !== null && isSameChoice(own, candidate)) continue;
    const other = assignment.choices.findIndex(
      (chosen, at) => chosen !== null && at !== slot && !pinned.has(at) && shareInstant(candidate, chosen),
    );
    if (other < 0 || !assignment.allows(slot, candidate, other)) continue;
    const before = assignment.cost;
    const evicted = assignment.take(other)!;
    const old = assignment.take(slot);
    if (assignment.allows(slot, candidate)) {
      assignment.put(slot, candidate);
      const best = bestFor(assignment, other, lists[other]);
      if (best !== null && assignment.cost + best.added < before - MIN_GAIN) {
        assignment.put(other, best.candidate, best.added);
        continue;
      }
      assignment.take(slot);
    }
    if (old !== null) assignment.put(slot, old);
    assignment.put(other, evicted);
  }
}

/** Empty slots take the rest of runs, from any beginning. */
function fillGaps(assignment: Assignment, options: CandidateOptions): void {
  const { slots, takes } = assignment.rules;
  for (const slot of slots) {
    if (assignment.choices[slot.index] !== null) continue;
    const candidates = takes.flatMap((take) =>
      takeCandidates(slot, take, freeSpans(assignment, take), options),
    );
    const best = bestFor(assignment, slot.index, candidates.sort(byCost));
    if (best !== null) assignment.put(slot.index, best.candidate, best.added);
  }
}

function freeSpans(assignment: Assignment, take: PreparedTake): Span[] {
  const used = assignment.choices.flatMap((chosen) =>
    chosen === null || chosen.take.line.group !== take.line.group
      ? []
      : [
          {
            startSeconds: chosen.startSeconds + chosen.take.line.offsetSeconds - take.line.offsetSeconds,
            endSeconds: chosen.endSeconds + chosen.take.line.offsetSeconds - take.line.offsetSeconds,
          },
        ],
  );
  // A photo is shown once.
  if (take.material.isPhoto && used.length > 0) return [];
  return take.runs.flatMap((run) => without(run, used));
}
