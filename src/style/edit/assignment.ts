/** Which candidate fills which slot, with the cost of the whole. */
import { continuityCost, repetitionCost, shareInstant } from './pair-costs.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { type Candidate, endCost, type OutputSlot, secondsOf } from './slot-candidates.ts';
import type { StoryPlaces } from './story-order.ts';

export interface AssignmentRules {
  readonly slots: readonly OutputSlot[];
  readonly takes: readonly PreparedTake[];
  /** Null: any order. */
  readonly story: StoryPlaces | null;
  /** Length of a usual slot. */
  readonly usualSeconds: number;
  /** Seconds that each time line (group of twins) may fill before more costs. */
  readonly fairSeconds: ReadonlyMap<number, number>;
  readonly mustUse: ReadonlySet<number>;
  /** Choices of an earlier plan, which stay unless something is clearly better; per slot. */
  readonly earlier: readonly (Candidate | null)[] | null;
  /** More cost of a candidate in a slot; left out: none. */
  readonly bias?: (slot: number, candidate: Candidate) => number;
  /** Whether `endCost` counts; left out while takes are placed: a better end would cost a take its place. */
  readonly hasEnds?: boolean;
  /** Slots whose candidates nothing may change. */
  readonly pinned: ReadonlySet<number>;
}

/** Of a slot. */
export const UNFILLED_COST = 12;
const UNUSED_MUST_COST = 5;
/** Of a take that has no slot (twins count as one take), less if it is far softer than the others. In ten plans of six to ten takes, 0, .4, .8: takes left out .7, .4, .2; mean fit .208, .202, .200. */
export const UNSHOWN_COST = 0.8;
/**
 * Of a slot's worth of time beyond the fair share, growing. In 48 plans of seven takes, .25, .5 and 1: the largest share of a take .33, .31,
 * .28; takes left out .69, .46, .40; mean fit .212, .205, .202.
 */
const UNFAIR_WEIGHT = 0.5;
/** More than candidates of about the same cost differ by. */
const STAY_GAIN = 0.6;

/** Choices per slot; `use` holds seconds per time line, `counts` slots per take. */
export class Assignment {
  readonly rules: AssignmentRules;
  readonly choices: (Candidate | null)[];
  readonly #use: Map<number, number>;
  readonly #counts: Int32Array;
  /** Per time line. */
  readonly #worth: ReadonlyMap<number, number>;
  /** Slots per time line. */
  readonly #shown: Map<number, number>;
  cost: number;

  constructor(rules: AssignmentRules, from?: Assignment) {
    this.rules = rules;
    this.#worth = from === undefined ? worthOfLines(rules.takes) : from.#worth;
    this.choices = from ? [...from.choices] : rules.slots.map(() => null);
    this.#use = new Map(from ? from.#use : []);
    this.#counts = from ? from.#counts.slice() : new Int32Array(rules.takes.length);
    this.#shown = new Map(from ? from.#shown : []);
    this.cost =
      from?.cost ??
      UNFILLED_COST * rules.slots.length +
        UNUSED_MUST_COST * rules.mustUse.size +
        UNSHOWN_COST * [...this.#worth.values()].reduce((sum, worth) => sum + worth, 0);
  }

  copy(): Assignment {
    return new Assignment(this.rules, this);
  }

  /** The same choices, with their cost under other rules. */
  withRules(rules: AssignmentRules): Assignment {
    const next = new Assignment(rules);
    for (const [slot, choice] of this.choices.entries()) if (choice !== null) next.put(slot, choice);
    return next;
  }

  /** Whether no choice, except the slot's own and that of `except`, forbids it. */
  allows(slot: number, candidate: Candidate, except = -1): boolean {
    for (let other = 0; other < this.choices.length; other++) {
      const chosen = this.choices[other];
      if (chosen === null || other === slot || other === except) continue;
      if (shareInstant(candidate, chosen)) return false;
    }
    const { story, pinned } = this.rules;
    if (story === null || pinned.has(slot)) return true;
    for (const step of [-1, 1]) {
      for (let other = slot + step; other >= 0 && other < this.choices.length; other += step) {
        const chosen = this.choices[other];
        if (chosen === null || pinned.has(other) || other === except) continue;
        const [before, after] = step < 0 ? [chosen, candidate] : [candidate, chosen];
        if (!story.isInOrder(before, after)) return false;
        break;
      }
    }
    return true;
  }

  /**
   * The additional cost of this choice in an empty slot.
   *
   * @param limit From this cost on the exact one does not matter, and any cost above it is returned.
   */
  costOf(slot: number, candidate: Candidate, limit = Number.POSITIVE_INFINITY): number {
    const { rules, choices } = this;
    let cost = candidate.cost - UNFILLED_COST;
    const earlier = rules.earlier?.[slot];
    if (earlier && isSameChoice(earlier, candidate)) cost -= STAY_GAIN;
    const { index, line } = candidate.take;
    if (this.#counts[index] === 0 && rules.mustUse.has(index)) cost -= UNUSED_MUST_COST;
    if ((this.#shown.get(line.group) ?? 0) === 0) cost -= UNSHOWN_COST * this.#worth.get(line.group)!;
    // Only costs follow, no gains.
    if (rules.bias !== undefined) cost += rules.bias(slot, candidate);
    if (rules.hasEnds === true) cost += endCost(rules.slots[slot], candidate.look);
    if (rules.story !== null) cost += rules.story.costOf(slot, candidate);
    const used = this.#use.get(line.group) ?? 0;
    cost += this.#unfair(line.group, used + secondsOf(candidate)) - this.#unfair(line.group, used);
    const before = choices[slot - 1];
    const after = choices[slot + 1];
    if (before && cost < limit) cost += continuityCost(before, candidate);
    if (after && cost < limit) cost += continuityCost(candidate, after);
    for (let other = 0; other < choices.length && cost < limit; other++) {
      const chosen = choices[other];
      if (chosen !== null && other !== slot)
        cost += repetitionCost(chosen, candidate, rules.slots[other], rules.slots[slot]);
    }
    return cost;
  }

  /** A lower limit of `costOf` for all candidates whose own cost is not below this one. */
  leastCostOf(candidateCost: number): number {
    const { earlier, mustUse } = this.rules;
    const gains =
      UNSHOWN_COST + (earlier === null ? 0 : STAY_GAIN) + (mustUse.size === 0 ? 0 : UNUSED_MUST_COST);
    return candidateCost - UNFILLED_COST - gains;
  }

  #unfair(group: number, seconds: number): number {
    const fair = this.rules.fairSeconds.get(group) ?? 0;
    const beyond = Math.max(0, seconds - fair) / this.rules.usualSeconds;
    return UNFAIR_WEIGHT * beyond * (1 + beyond / 4);
  }

  put(slot: number, candidate: Candidate, cost = this.costOf(slot, candidate)): void {
    this.cost += cost;
    this.choices[slot] = candidate;
    const { index, line } = candidate.take;
    this.#counts[index] += 1;
    this.#shown.set(line.group, (this.#shown.get(line.group) ?? 0) + 1);
    this.#use.set(line.group, (this.#use.get(line.group) ?? 0) + secondsOf(candidate));
  }

  /** Empties a slot. */
  take(slot: number): Candidate | null {
    const candidate = this.choices[slot];
    if (candidate === null) return null;
    this.choices[slot] = null;
    const { index, line } = candidate.take;
    this.#counts[index] -= 1;
    this.#shown.set(line.group, this.#shown.get(line.group)! - 1);
    this.#use.set(line.group, (this.#use.get(line.group) ?? 0) - secondsOf(candidate));
    this.cost -= this.costOf(slot, candidate);
    return candidate;
  }
}

/** Of each time line, the worth of its best take. */
export function worthOfLines(takes: readonly PreparedTake[]): ReadonlyMap<number, number> {
  const worths = new Map<number, number>();
  for (const { line, worth } of takes) worths.set(line.group, Math.max(worth, worths.get(line.group) ?? 0));
  return worths;
}

export function isSameChoice(one: Candidate, other: Candidate): boolean {
  return one.take.index === other.take.index && Math.abs(one.startSeconds - other.startSeconds) < 1e-6;
}
