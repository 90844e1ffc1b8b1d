/** Shots that end earlier, where they last longer than they hold a viewer. */
import { MIN_END_SECONDS } from './cut-plan.ts';
import { isCopied } from './cut-times.ts';
import type { EditRequest } from './edit-plan.ts';
import { listsOf, MIN_SHORTENED_SECONDS } from './filled-cuts.ts';
import { isOverstayed } from './holding-time.ts';
import { keptChoices } from './kept-choices.ts';
import { outputSlots } from './output-slots.ts';
import { type Drawn, hasNamedLength, secondsOfSlots } from './plan-cost.ts';
import { lengthenedCuts } from './slot-lengths.ts';

/** Of a shot, at least: it takes this long to see what it shows. */
const MIN_TRIMMED_SECONDS = 1.2;

/**
 * Removes beats from the shots that outlast what holds a viewer in them, the one that does so most first, where nobody names a length. The edit
 * keeps `MIN_SHORTENED_SECONDS`. `drawn` has no empty slot.
 */
export function trimmed(request: EditRequest, drawn: Drawn): Drawn {
  if (isCopied(request) || hasNamedLength(request)) return drawn;
  let best = drawn;
  // Each edit is shorter than the one before.
  for (let next = withoutBeat(request, best); next !== null; next = withoutBeat(request, best)) best = next;
  if (best === drawn) return drawn;
  const { slots, assignment, options } = best;
  return { ...best, lists: listsOf(slots, assignment.rules.takes, assignment.rules.story, options) };
}

/** Null: no shot outlasts its hold by a beat and can lose one. */
function withoutBeat(request: EditRequest, drawn: Drawn): Drawn | null {
  const { choices, rules } = drawn.assignment;
  const excess = (at: number) => drawn.slots[at]!.seconds / choices[at]!.hold;
  const long = drawn.slots
    .map(({ index }) => index)
    .filter((at) => choices[at] !== null && isOverstayed(drawn.slots[at]!.seconds, choices[at]!.hold))
    .sort((one, other) => excess(other) - excess(one));
  for (const at of long) {
    const cuts = lengthenedCuts(drawn.cuts, request, at, -1);
    if (cuts === null) continue;
    const slots = outputSlots(request, cuts);
    const isLast = at === slots.length - 1;
    const least = isLast ? Math.max(MIN_TRIMMED_SECONDS, MIN_END_SECONDS) : MIN_TRIMMED_SECONDS;
    if (slots[at]!.seconds < least || secondsOfSlots({ slots }) < MIN_SHORTENED_SECONDS) continue;
    const kept = keptChoices(drawn.assignment, slots, drawn.options);
    if (kept.choices.includes(null)) continue;
    return { ...drawn, cuts, slots, assignment: kept.withRules({ ...kept.rules, earlier: rules.earlier }) };
  }
  return null;
}
