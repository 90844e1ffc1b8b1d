/** Shots that last longer, where an edit is shorter than wanted and their takes have more. */
import { isCopied } from './cut-times.ts';
import type { EditRequest } from './edit-plan.ts';
import { listsOf, NEAR_SHARE } from './filled-cuts.ts';
import { isOverstayed } from './holding-time.ts';
import { keptChoices } from './kept-choices.ts';
import { outputSlots } from './output-slots.ts';
import { type Drawn, hasNamedLength, lengthCosts, planCost, secondsOfSlots } from './plan-cost.ts';
import { lengthenedCuts } from './slot-lengths.ts';
import { longestUsual } from './template-rhythm.ts';

/** Beats that are added at most; an edit of 14 s lacks up to 12. */
const MAX_BEATS = 32;

/**
 * Adds a beat to the shot for which it costs least, until the edit is as long as wanted or no shot has more. Other shots
 * stay as they are. `drawn` has no empty slot.
 */
export function lengthened(request: EditRequest, drawn: Drawn, wanted: number): Drawn {
  if (isCopied(request)) return drawn;
  const costs = lengthCosts(request);
  const longest = longestUsual(request.template.slots.map(({ durationSeconds }) => durationSeconds));
  let best = { drawn, cost: planCost(drawn, wanted, 0, costs) };
  for (let beat = 0; beat < MAX_BEATS && secondsOfSlots(best.drawn) < wanted * (1 - NEAR_SHARE); beat++) {
    const from = best;
    for (const { index } of from.drawn.slots) {
      const longer = withBeat(request, from.drawn, index, longest);
      if (longer === null || secondsOfSlots(longer) > wanted) continue;
      const cost = planCost(longer, wanted, 0, costs);
      if (cost < best.cost) best = { drawn: longer, cost };
    }
    if (best === from) break;
  }
  if (best.drawn === drawn) return drawn;
  const { slots, assignment, options } = best.drawn;
  return { ...best.drawn, lists: listsOf(slots, assignment.rules.takes, assignment.rules.story, options) };
}

/** Null: the song ends before, its take has no more there, it would be longer than the template's usual shots or, where nobody names a length, no longer hold a viewer. */
function withBeat(request: EditRequest, drawn: Drawn, slot: number, longestSeconds: number): Drawn | null {
  const cuts = lengthenedCuts(drawn.cuts, request, slot);
  if (cuts === null) return null;
  const slots = outputSlots(request, cuts);
  if (slots[slot].seconds > longestSeconds) return null;
  const { assignment } = drawn;
  const kept = keptChoices(assignment, slots, drawn.options);
  const choice = kept.choices[slot];
  if (kept.choices.includes(null)) return null;
  if (!hasNamedLength(request) && isOverstayed(slots[slot].seconds, choice!.hold)) return null;
  const rules = { ...kept.rules, earlier: assignment.rules.earlier };
  return { ...drawn, cuts, slots, assignment: kept.withRules(rules) };
}
