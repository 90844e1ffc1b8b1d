/** Changes of a plan by a person: each changes the slots that it names, and others only where these leave no place. */
import { MAX_EDIT_SECONDS } from '../../domain/edit-options.ts';
import { LastResult } from '../../domain/last-result.ts';
import { lengthOf, overlapSeconds } from '../../domain/spans.ts';
import { completed, gapsFilled } from './assign-takes.ts';
import { Assignment, type AssignmentRules } from './assignment.ts';
import type { EditRequest } from './edit-plan.ts';
import { checkFilled } from './edit-requests.ts';
import { filledCuts, listsOf, usableSeconds, wantedSeconds } from './filled-cuts.ts';
import { choicesOfLength, keptChoices } from './kept-choices.ts';
import { lengthened } from './lengthened-cuts.ts';
import { otherVersion } from './other-version.ts';
import { outputSlots } from './output-slots.ts';
import { pinnedCandidates } from './pins.ts';
import type { Drawn } from './plan-cost.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { refined } from './refined-choices.ts';
import type { Candidate, CandidateOptions } from './slot-candidates.ts';
import { changedCuts } from './slot-lengths.ts';
import { distinctRuns, withoutFarWorse } from './take-supply.ts';
import { trimmed } from './trimmed-cuts.ts';

/** Relative difference of lengths that moves no cut by a beat: .3 s of 30 s. */
const EQUAL_LENGTH = 0.01;

const lastDrawn = new LastResult<Drawn>();

/** The plan without pins, lengths, bans and seed, which is that of the last request where only these changed. */
export function unchangedPlan(request: EditRequest, takes: readonly PreparedTake[], wanted: number): Drawn {
  const { takes: _, pins: _pins, lengths: _lengths, bans: _bans, seed: _seed, music, ...others } = request;
  const { song = null, ...start } = music ?? {};
  const drawn = lastDrawn.of([takes, song, JSON.stringify({ ...others, start })], () =>
    planOfLength(request, takes, wanted),
  );
  // Copies: equal requests give equal plans, whatever was planned before.
  const options = { ...drawn.options, looks: drawn.options.looks.copy() };
  return { ...drawn, assignment: drawn.assignment.copy(), options };
}

/** Shorter edits keep the choices of the longer one that they belong to: so ten per cent less length changes few shots. */
function planOfLength(request: EditRequest, takes: readonly PreparedTake[], wanted: number): Drawn {
  const longer = lengthToShorten(request, takes, wanted);
  const planned = filledPlan(request, takes, wanted);
  if (longer === null) return refinedPlan(planned);
  const reference = refinedPlan(filledPlan(request, takes, longer));
  const { options, lists } = planned;
  const kept = choicesOfLength(planned.assignment, reference.assignment, options);
  const { assignment } = refinedPlan({ ...planned, assignment: completed(kept, lists, options) });
  return { ...planned, assignment: assignment.withRules({ ...assignment.rules, earlier: null }) };
}

function filledPlan(request: EditRequest, takes: readonly PreparedTake[], wanted: number): Drawn {
  const filled = withoutEmptySlots(request, filledCuts(request, takes, wanted));
  return trimmed(request, lengthened(request, filled, wanted));
}

/** The template's length or a multiple by a power of two, as far as song and takes go; null: it is planned by itself. */
function lengthToShorten(
  request: EditRequest,
  takes: readonly PreparedTake[],
  wanted: number,
): number | null {
  if (request.duration.kind !== 'seconds') return null;
  const own = wantedSeconds({ ...request, duration: { kind: 'template' } });
  const power = Math.ceil(Math.log2(wanted / own));
  const song =
    request.music === null ? MAX_EDIT_SECONDS : wantedSeconds({ ...request, duration: { kind: 'music' } });
  const longer = Math.min(own * 2 ** power, song, usableSeconds(request, takes));
  return longer > wanted * (1 + EQUAL_LENGTH) ? longer : null;
}

function refinedPlan(drawn: Drawn): Drawn {
  return { ...drawn, assignment: refined(drawn.assignment, drawn.lists, drawn.options) };
}

export function withSeed({ seed }: EditRequest, drawn: Drawn): Drawn {
  return seed === 0 ? drawn : { ...drawn, assignment: otherVersion(drawn.assignment, drawn.lists, seed) };
}

/** Banned choices are replaced. A slot for which nothing is left is removed, and the edit is shorter. */
export function withBans(request: EditRequest, all: readonly PreparedTake[], drawn: Drawn): Drawn {
  if (request.bans.length === 0 || request.replan) return drawn;
  const { slots, options, assignment } = drawn;
  const takes = withoutFarWorse(
    all,
    slots.reduce((sum, { seconds }) => sum + seconds, 0),
  );
  const lists = listsOf(slots, takes, assignment.rules.story, options);
  const next = new Assignment({ ...assignment.rules, takes, earlier: assignment.choices });
  assignment.choices.forEach((choice, slot) => {
    if (choice === null) return;
    const take = takes[choice.take.index];
    const isBanned = take.runs.length === 0 || take.unwanted.some((span) => overlapSeconds(span, choice) > 0);
    if (!isBanned) next.put(slot, { ...choice, take });
  });
  return withoutEmptySlots(request, { ...drawn, lists, assignment: gapsFilled(next, lists, options) });
}

/** Slots that nothing fills are removed, and those after them begin earlier. */
function withoutEmptySlots(request: EditRequest, drawn: Drawn): Drawn {
  const { assignment } = drawn;
  const isFilled = (at: number) => assignment.choices[at] !== null;
  const of = <Item>(items: readonly Item[]) => items.filter((_, at) => isFilled(at));
  if (assignment.choices.every((choice) => choice !== null)) return drawn;
  if (assignment.choices.every((choice) => choice === null)) return drawn;
  let frame = 0;
  const cuts = of(drawn.cuts.slots).map((slot) => {
    const startFrame = frame;
    frame += slot.endFrame - slot.startFrame;
    return { ...slot, startFrame, endFrame: frame };
  });
  const slots = outputSlots(request, { ...drawn.cuts, slots: cuts });
  const story = assignment.rules.story?.withSlots(slots) ?? null;
  const earlier = assignment.rules.earlier === null ? null : of(assignment.rules.earlier);
  const next = new Assignment({ ...assignment.rules, slots, story, earlier });
  of(assignment.choices).forEach((choice, slot) => {
    next.put(slot, choice!);
  });
  return {
    ...drawn,
    cuts: { ...drawn.cuts, slots: cuts },
    beatsChanged: of(drawn.beatsChanged),
    slots,
    lists: of(drawn.lists),
    assignment: next,
  };
}

/** The plan with the lengths that a person wants; all shots stay that can. */
export function withLengths(request: EditRequest, takes: readonly PreparedTake[], drawn: Drawn): Drawn {
  if (request.lengths.length === 0) return drawn;
  const { options, assignment } = drawn;
  const { cuts, beats } = changedCuts(drawn.cuts, request, Math.max(...distinctRuns(takes).map(lengthOf)));
  const slots = outputSlots(request, cuts);
  const kept = keptChoices(assignment, slots, options);
  const lists = listsOf(slots, takes, kept.rules.story, options);
  const filled = gapsFilled(kept, lists, options);
  const emptied = filled.choices.findIndex(
    (choice, at) => choice === null && assignment.choices[at] !== null,
  );
  checkFilled(request, emptied, beats);
  return { ...drawn, cuts, beatsChanged: beats, slots, lists, assignment: filled };
}

/** Each pin in turn on the plan without it, so that all other slots stay as they are where they can. */
export function withPins(
  request: EditRequest,
  requestNumbers: readonly number[],
  takes: readonly PreparedTake[],
  drawn: Drawn,
): Drawn {
  const { slots, lists, options } = drawn;
  const candidates = pinnedCandidates(request, requestNumbers, takes, slots, options);
  const assignment = request.pins.reduce(
    (before, { slot }, at) => pinned(before, candidates[at], slot, lists, options),
    drawn.assignment,
  );
  return { ...drawn, assignment };
}

/** Puts a pin in its slot, empties the slots that it makes impossible, and fills these. */
function pinned(
  before: Assignment,
  candidate: Candidate,
  slot: number,
  lists: readonly (readonly Candidate[])[],
  options: CandidateOptions,
): Assignment {
  const rules: AssignmentRules = {
    ...before.rules,
    earlier: [...before.choices],
    pinned: new Set([...before.rules.pinned, slot]),
  };
  const next = new Assignment(rules);
  next.put(slot, candidate);
  before.choices.forEach((chosen, at) => {
    if (at !== slot && chosen !== null && (rules.pinned.has(at) || next.allows(at, chosen)))
      next.put(at, chosen);
  });
  return completed(next, lists, options);
}
