/** Cuts that are left out: one view that is shown twice is one shot. */

import { lengthOf } from '../../domain/spans.ts';
import type { Assignment } from './assignment.ts';
import type { CutPlan } from './cut-plan.ts';
import { isOverstayed } from './holding-time.ts';
import { isJumpCut, repeatsView } from './pair-costs.ts';
import type { Candidate, OutputSlot } from './slot-candidates.ts';

/** Rounding of lengths. */
const EQUAL_SECONDS = 1e-6;
/** Of a joined shot at most: 4.5 s and more were judged too long. */
const JOINED_SECONDS = 4;

/**
 * Slots that show a view again. Without the cut into such a slot, the shot before lasts longer: its take has a run of that length, which holds
 * a viewer. A jump cut holds nobody longer, and without it a shot may be as long as the two longest.
 *
 * @param longestSeconds Of a joined shot: without it a fast template on seven calm takes had shots of 8.8 s.
 */
export function slotsToJoin({ rules, choices }: Assignment, longestSeconds: number): Set<number> {
  const named = new Set<number>();
  const withoutJumpCut = Math.min(2 * longestSeconds, JOINED_SECONDS);
  const usual = Math.min(longestSeconds, JOINED_SECONDS);
  let joined = 0;
  for (const { index, seconds } of rules.slots) {
    const [before, choice] = [choices[index - 1] ?? null, choices[index]];
    joined += seconds;
    const isJoined =
      before !== null &&
      choice !== null &&
      isSeenBefore(rules.slots, choices, index) &&
      before.take.runs.some((run) => lengthOf(run) >= joined) &&
      (isJumpCut(before, choice)
        ? joined <= withoutJumpCut + EQUAL_SECONDS
        : joined <= usual + EQUAL_SECONDS && !isOverstayed(joined, before.hold));
    if (isJoined) named.add(index);
    else joined = seconds;
  }
  return named;
}

/** Without the cuts into the named slots. */
export function joinedCuts(cuts: CutPlan, named: ReadonlySet<number>): CutPlan {
  const slots: CutPlan['slots'][number][] = [];
  for (const [at, slot] of cuts.slots.entries()) {
    const last = slots.at(-1);
    if (last !== undefined && named.has(at)) slots[slots.length - 1] = { ...last, endFrame: slot.endFrame };
    else slots.push(slot);
  }
  return { ...cuts, slots };
}

function isSeenBefore(
  slots: readonly OutputSlot[],
  choices: readonly (Candidate | null)[],
  index: number,
): boolean {
  return choices
    .slice(0, index)
    .some(
      (earlier, at) => earlier !== null && repeatsView(earlier, choices[index]!, slots[at], slots[index]),
    );
}
