/** The cost of a plan of an edit. Of several attempts the one with the least cost is kept. */
import { median } from '../../signal/statistics.ts';
import { type Assignment, UNFILLED_COST, UNSHOWN_COST, worthOfLines } from './assignment.ts';
import { type CutPlan, minAtEnds } from './cut-plan.ts';
import type { EditRequest } from './edit-plan.ts';
import { continuityCost, isJumpCut, repeatsView, repetitionCost } from './pair-costs.ts';
import type { Candidate, CandidateOptions, OutputSlot } from './slot-candidates.ts';

export interface Drawn {
  readonly cuts: CutPlan;
  /** By which wishes about lengths changed each slot. */
  readonly beatsChanged: readonly number[];
  readonly slots: readonly OutputSlot[];
  readonly assignment: Assignment;
  readonly lists: readonly (readonly Candidate[])[];
  readonly options: CandidateOptions;
}

/** Costs of an edit that lacks all its length, and of one that only repeats. */
export interface LengthCosts {
  readonly missing: number;
  readonly repeating: number;
  /** Of a cut that is left out. */
  readonly joined: number;
}

/** Of parted slots, times their square over the slots: a few show more takes, many are another rhythm than the template's. */
const PARTED_COST = 1.6;
/** Of a last shot that is too short, because nothing fills the slots after it: as much as .6 s less of an edit of 15 s with a named length. */
const SHORT_END_COST = 0.5;
/**
 * A cut to another moment of the same take counts as this share of a jump cut. Of 30 such cuts in five reels a strict eye saw 11 as jump cuts, as often
 * after 5 s as after .6 s, and as often between unlike pictures as between like ones (0307).
 */
const SAME_TAKE_SHARE = 0.7;
/**
 * Where nobody names a length: of all the length of an edit, and of slots that all show the same again (0300, 0307). A cut that is left out costs less: with
 * more, the edit of a fast template would keep its cuts within a view.
 */
const UNNAMED_LENGTH: LengthCosts = { missing: 4, repeating: 10, joined: 3 };
/** A cut that is left out costs less than a repeated view (1.5), more than one that is only alike (.5). */
const NAMED_LENGTH: LengthCosts = { missing: UNFILLED_COST, repeating: 0, joined: 0.75 };

/**
 * Per filled slot: costs of choices and of their cuts, of repeated views, of takes without a slot and of changed cuts; and of missing time,
 * empty slots included, which the edit leaves out. A view counts as repeated once, however often it was shown: else a shorter edit of one
 * scene would always be better. `joined`: cuts that were left out; repetition is that per cut with them, so that fewer slots make it less.
 */
export function planCost(drawn: Drawn, wanted: number, joined: number, costs: LengthCosts): number {
  const { cuts, slots, assignment } = drawn;
  const { choices, rules } = assignment;
  const filled = choices.filter((choice) => choice !== null).length;
  if (filled === 0) return Number.POSITIVE_INFINITY;
  const parted = cuts.slots.filter(({ isContinuation }) => isContinuation).length;
  let cost = (PARTED_COST * parted ** 2) / slots.length;
  let repetition = costs.joined * joined;
  choices.forEach((choice, at) => {
    if (choice === null) return;
    const earlier = choices.slice(0, at);
    const repeated = earlier.map((other, slot) =>
      other === null ? 0 : repetitionCost(other, choice, slots[slot], slots[at]),
    );
    const before = choices[at - 1] ?? null;
    cost += choice.cost + (before === null ? 0 : continuityCost(before, choice));
    repetition += Math.max(0, ...repeated);
  });
  const shown = new Set(choices.flatMap((choice) => (choice === null ? [] : [choice.take.line.group])));
  const usable = rules.takes.filter(({ usableSeconds: seconds }) => seconds > 0);
  for (const [group, worth] of worthOfLines(usable)) if (!shown.has(group)) cost += UNSHOWN_COST * worth;
  const total = secondsOfSlots(drawn) - emptySeconds(drawn);
  const last = slots.findLast(({ index }) => choices[index] !== null);
  const usual = median(slots.map(({ seconds }) => seconds));
  const isShortEnd = filled > 1 && last !== undefined && last.seconds < minAtEnds(usual).endSeconds - 1e-9;
  const perSlot = cost / filled + repetition / (filled + joined);
  return (
    perSlot +
    (isShortEnd ? SHORT_END_COST : 0) +
    costs.missing * Math.max(0, 1 - total / wanted) +
    costs.repeating * repeatedShare(drawn)
  );
}

/** Whether a person has set the length, in seconds or as the song's. */
export function hasNamedLength({ duration }: Pick<EditRequest, 'duration'>): boolean {
  return duration.kind !== 'template';
}

/** A named length counts more than repetition. */
export function lengthCosts(request: Pick<EditRequest, 'duration'>): LengthCosts {
  return hasNamedLength(request) ? NAMED_LENGTH : UNNAMED_LENGTH;
}

/** Of the slots those that repeat a view or follow a jump cut; a cut within a take otherwise counts as `SAME_TAKE_SHARE`. */
export function repeatedShare({ slots, assignment: { choices } }: Drawn): number {
  const repeated = choices.map((choice, at): number => {
    if (choice === null) return 0;
    const earlier = choices.slice(0, at);
    const before = earlier.at(-1) ?? null;
    const isSeen = earlier.some(
      (other, slot) => other !== null && repeatsView(other, choice, slots[slot], slots[at]),
    );
    if (isSeen || (before !== null && isJumpCut(before, choice))) return 1;
    return before?.take.line.group === choice.take.line.group ? SAME_TAKE_SHARE : 0;
  });
  return repeated.reduce((sum, share) => sum + share, 0) / Math.max(1, slots.length);
}

export function secondsOfSlots({ slots }: Pick<Drawn, 'slots'>): number {
  return slots.reduce((sum, { seconds }) => sum + seconds, 0);
}

export function emptySeconds({ slots, assignment }: Drawn): number {
  return secondsOfSlots({ slots: slots.filter(({ index }) => assignment.choices[index] === null) });
}
