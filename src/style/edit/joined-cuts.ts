/** Joins shots that show one view again. */
import { lengthOf } from '../../domain/spans.ts';
import type { Assignment } from './assignment.ts';
import type { CutPlan } from './cut-plan.ts';
import { isOverstayed } from './holding-time.ts';
import { isJumpCut, repeatsView } from './pair-costs.ts';
import type { Candidate, OutputSlot } from './slot-candidates.ts';

/** Lengths that differ by less are equal: rounding. */
const EQUAL_SECONDS = 1e-6;
/** Longest joined shot: 4.5 s and more were judged too long. */
const MAX_JOINED_SECONDS = 4;

/**
 * Slots that show a view again and join the shot before, if its take has a run of their common length. `longestSeconds`: longest slot. No
 * joined shot is longer: otherwise a fast template on seven calm takes had shots of 8.8 s. To avoid a jump cut, it may be twice as long.
 */
export function slotsToJoin({ rules, choices }: Assignment, longestSeconds: number): Set<number> {
  const toJoin = new Set<number>();
  let joinedSeconds = 0;
  for (const { index, seconds } of rules.slots) {
    const [before, choice] = [choices[index - 1] ?? null, choices[index]];
    joinedSeconds += seconds;
    if (
      before !== null &&
      choice !== null &&
      isSeenBefore(rules.slots, choices, index) &&
      before.take.runs.some((run) => lengthOf(run) >= joinedSeconds) &&
      isShortEnough(joinedSeconds, before, choice, longestSeconds)
    )
      toJoin.add(index);
    else joinedSeconds = seconds;
  }
  return toJoin;
}

/** Without a jump cut between them, the joined shot must also hold a viewer. */
function isShortEnough(
  joinedSeconds: number,
  before: Candidate,
  after: Candidate,
  longestSeconds: number,
): boolean {
  const isJump = isJumpCut(before, after);
  const most = Math.min(isJump ? 2 * longestSeconds : longestSeconds, MAX_JOINED_SECONDS);
  return joinedSeconds <= most + EQUAL_SECONDS && (isJump || !isOverstayed(joinedSeconds, before.hold));
}

/** Removes the cuts into these slots. */
export function joinedCuts(cuts: CutPlan, toJoin: ReadonlySet<number>): CutPlan {
  const slots: CutPlan['slots'][number][] = [];
  for (const [at, slot] of cuts.slots.entries()) {
    const last = slots.at(-1);
    if (last !== undefined && toJoin.has(at)) slots[slots.length - 1] = { ...last, endFrame: slot.endFrame };
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
