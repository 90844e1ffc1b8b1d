/** Plans an edit: many takes, one song, the template's rhythm. Pure: equal requests give equal plans. */
import type { TakeMaterial } from '../../analysis/material/take-material.ts';
import { Failure } from '../../domain/errors.ts';
import { LastResult } from '../../domain/last-result.ts';
import { oncePer } from '../../domain/once-per.ts';
import { assign, completed, gapsFilled } from './assign-takes.ts';
import { Assignment, type AssignmentRules } from './assignment.ts';
import { UsableRanks } from './curve-means.ts';
import { type CutPlan, minSlotSeconds, partedCuts, planCuts } from './cut-times.ts';
import { alternativesOf, takeUses } from './edit-choices.ts';
import type { EditPlan, EditRequest, EditTake, PlannedSlot } from './edit-plan.ts';
import { checkFilled, checkPinnedSlots, checkRequest } from './edit-requests.ts';
import { warningsOf } from './edit-warnings.ts';
import { handlesOf } from './handles.ts';
import { keptChoices } from './kept-choices.ts';
import { otherVersion } from './other-version.ts';
import { outputBeats, outputSlots } from './output-slots.ts';
import { isJumpCut } from './pair-costs.ts';
import { pinnedCandidate } from './pins.ts';
import {
  distinctRuns,
  type PreparedTake,
  preparedOnce,
  usableTotal,
  withoutBanned,
  withoutFarSofter,
} from './prepared-takes.ts';
import {
  type Candidate,
  type CandidateOptions,
  candidatesOf,
  isStillShot,
  type OutputSlot,
} from './slot-candidates.ts';
import { changedCuts } from './slot-lengths.ts';
import { SpanLooks } from './span-looks.ts';
import { StoryPlaces } from './story-order.ts';
import { lengthOf, overlapSeconds } from './take-runs.ts';

/** Candidates per slot over all takes. */
const CANDIDATES = 56;
const MIN_PER_TAKE = 4;
const MAX_ATTEMPTS = 4;
/** Of one plan of cuts: halves, then quarters of slots that nothing fills. */
const MAX_PARTINGS = 3;
/** Of a slot, before cuts are planned. */
const USUAL_SECONDS = 2;

/** @throws Failure `VALIDATION_ERROR` for impossible requests, `INPUT_UNSUPPORTED` if no moment of the takes can be used. */
export function planEdit(request: EditRequest): EditPlan {
  checkRequest(request);
  const order = canonicalOrder(request);
  const sorted = withFrozenTakes(reordered(request, order));
  const all = preparedOnce(sorted.takes);
  const takes = withoutBanned(all, sorted.bans);
  const wanted = wantedSeconds(sorted);
  if (usableSeconds(sorted, takes) < minSlotSeconds(sorted.template)) throw nothingUsable(sorted.takes);
  const unchanged = drawnOnce(sorted, all, wanted);
  const drawn = withBans(takes, unchanged) ?? filledCuts(sorted, takes, wanted);
  const timed = withLengths(sorted, takes, drawn);
  checkPinnedSlots(
    request,
    timed.slots.map((slot) => slot.seconds),
  );
  return published(sorted, order, takes, withPins(sorted, takes, timed), wanted);
}

const lastDrawn = new LastResult<Drawn>();

/** The plan without pins, lengths and bans, which is that of the last request where only these changed. */
function drawnOnce(request: EditRequest, takes: readonly PreparedTake[], wanted: number): Drawn {
  const { takes: _, pins: _pins, lengths: _lengths, bans: _bans, music, ...others } = request;
  const { song = null, ...start } = music ?? {};
  const drawn = lastDrawn.of([takes, song, JSON.stringify({ ...others, start })], () =>
    filledCuts(request, takes, wanted),
  );
  // Copies: equal requests give equal plans, whatever was planned before.
  const options = { ...drawn.options, looks: drawn.options.looks.copy() };
  return { ...drawn, assignment: drawn.assignment.copy(), options };
}

/** The maximum length of an edit of these takes. */
function usableSeconds({ template }: EditRequest, takes: readonly PreparedTake[]): number {
  const longest = Math.max(...template.slots.map(({ durationSeconds }) => durationSeconds));
  return usableTotal(distinctRuns(takes), takes, longest);
}

interface Drawn {
  readonly cuts: CutPlan;
  /** By which wishes about lengths changed each slot. */
  readonly beatsChanged: readonly number[];
  readonly slots: readonly OutputSlot[];
  readonly assignment: Assignment;
  readonly lists: readonly (readonly Candidate[])[];
  readonly options: CandidateOptions;
}

/** Cuts that material can fill: slots that nothing fills are parted, and if that is no help the edit is shorter. */
function filledCuts(request: EditRequest, all: readonly PreparedTake[], wanted: number): Drawn {
  const takes = withoutFarSofter(all, wanted);
  const runs = distinctRuns(takes);
  let seconds = Math.max(minSlotSeconds(request.template), Math.min(wanted, usableSeconds(request, takes)));
  let best: { readonly drawn: Drawn; readonly missing: number } | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const story = storyOf(request, takes, seconds);
    const cutRequest = {
      ...request,
      seconds,
      runs,
      ...(story === null ? {} : { longestAt: (place: number) => story.longestAt(place, takes) }),
    };
    let cuts: CutPlan | null = planCuts(cutRequest);
    for (let part = 0; cuts !== null && part < MAX_PARTINGS; part++) {
      const drawn: Drawn = filled(request, takes, cuts, story);
      const empty = drawn.slots.filter(({ index }) => drawn.assignment.choices[index] === null);
      if (empty.length === 0) return drawn;
      const missing = empty.reduce((sum, slot) => sum + slot.seconds, 0);
      if (best === null || missing < best.missing) best = { drawn, missing };
      cuts = partedCuts(cuts, new Set(empty.map(({ index }) => index)), cutRequest);
    }
    seconds = Math.max(0.5, 0.98 * (seconds - best!.missing));
  }
  return best!.drawn;
}

function storyOf(
  { order }: EditRequest,
  takes: readonly PreparedTake[],
  seconds: number,
): StoryPlaces | null {
  if (order === 'free') return null;
  const fair = fairShares(takes, seconds, USUAL_SECONDS);
  const weights = takes.map(({ line, usableSeconds }) => {
    const twins = takes.filter((other) => other.line.group === line.group && other.usableSeconds > 0);
    return usableSeconds > 0 ? fair.get(line.group)! / twins.length : 0;
  });
  return new StoryPlaces(weights);
}

function wantedSeconds({ template, duration, music }: EditRequest): number {
  if (duration.kind === 'seconds') return duration.seconds;
  if (duration.kind === 'music') return music!.song.soundEndSeconds - (music!.startSeconds ?? 0);
  return template.slots.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

function filled(
  request: EditRequest,
  takes: readonly PreparedTake[],
  cuts: CutPlan,
  story: StoryPlaces | null,
): Drawn {
  const slots = outputSlots(request, cuts);
  const total = slots.reduce((sum, slot) => sum + slot.seconds, 0);
  const usualSeconds = Math.max(0.1, total / Math.max(1, slots.length));
  const usable = takes.filter(({ runs }) => runs.length > 0);
  const options: CandidateOptions = {
    looks: new SpanLooks(new UsableRanks(takes, usualSeconds)),
    playsTakes: request.playsTakes,
    frameSeconds: 1 / request.frameRate,
    perTake: Math.max(MIN_PER_TAKE, Math.ceil(CANDIDATES / Math.max(1, usable.length))),
    most: CANDIDATES,
  };
  const places = story?.withSlots(slots) ?? null;
  const lists = listsOf(slots, takes, places, options);
  const rules: AssignmentRules = {
    slots,
    takes,
    story: places,
    usualSeconds,
    fairSeconds: fairShares(takes, total, usualSeconds),
    mustUse: new Set(
      takes.flatMap(({ take, runs, index }) => (take.mustUse && runs.length > 0 ? [index] : [])),
    ),
    earlier: null,
    pinned: new Set(),
  };
  const best = assign(rules, lists, options);
  const assignment = request.seed === 0 ? best : otherVersion(best, lists, request.seed);
  return { cuts, beatsChanged: slots.map(() => 0), slots, assignment, lists, options };
}

function listsOf(
  slots: readonly OutputSlot[],
  takes: readonly PreparedTake[],
  story: StoryPlaces | null,
  options: CandidateOptions,
): Candidate[][] {
  return slots.map((slot) => {
    const all = candidatesOf(slot, takes, options);
    return story === null ? all : all.filter((candidate) => story.isNear(slot.index, candidate));
  });
}

/** Banned choices are replaced, and the rest stays if possible. Null: a slot is left without a shot. */
function withBans(takes: readonly PreparedTake[], drawn: Drawn): Drawn | null {
  const { slots, options, assignment } = drawn;
  if (takes.every((take, at) => take === assignment.rules.takes[at])) return drawn;
  const lists = listsOf(slots, takes, assignment.rules.story, options);
  const next = new Assignment({ ...assignment.rules, takes, earlier: assignment.choices });
  assignment.choices.forEach((choice, slot) => {
    if (choice === null) return;
    const take = takes[choice.take.index];
    const isBanned = take.runs.length === 0 || take.unwanted.some((span) => overlapSeconds(span, choice) > 0);
    if (!isBanned) next.put(slot, { ...choice, take });
  });
  const filled = completed(next, lists, options);
  return filled.choices.includes(null) ? null : { ...drawn, lists, assignment: filled };
}

/** The plan with the lengths that a person wants; all shots stay that can. */
function withLengths(request: EditRequest, takes: readonly PreparedTake[], drawn: Drawn): Drawn {
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
function withPins({ pins }: EditRequest, takes: readonly PreparedTake[], drawn: Drawn): Drawn {
  const { slots, lists, options } = drawn;
  const assignment = pins.reduce(
    (before, pin) =>
      pinned(before, pinnedCandidate(pin, slots[pin.slot], takes, options), pin.slot, lists, options),
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

/** Equal shares of the edit's time for each group of twins, less for those in which less happens. */
function fairShares(
  takes: readonly PreparedTake[],
  total: number,
  usualSeconds: number,
): Map<number, number> {
  const capacity = new Map<number, number>();
  for (const { line, runs, take, means } of takes) {
    // The end of a run is mostly too short for another slot.
    const seconds = take.material.isPhoto
      ? Math.min(runs.length, 1) * usualSeconds
      : runs.reduce((sum, run) => {
          const filled = lengthOf(run) * (1 - means.mean('empty', run.startSeconds, run.endSeconds));
          return sum + Math.max(filled / 2, filled - 0.3 * usualSeconds);
        }, 0);
    capacity.set(line.group, Math.max(capacity.get(line.group) ?? 0, seconds));
  }
  let left = total;
  const shares = new Map<number, number>();
  const ascending = [...capacity].sort(([, one], [, other]) => one - other);
  ascending.forEach(([group, seconds], at) => {
    const share = Math.min(seconds, left / (ascending.length - at));
    shares.set(group, share);
    left -= share;
  });
  return shares;
}

/** Takes by their content where any order is allowed, so that the order of files decides nothing. */
function canonicalOrder({ takes, order }: EditRequest): number[] {
  const numbers = takes.map((_, at) => at);
  if (order === 'story') return numbers;
  return numbers.sort((one, other) => {
    const [first, second] = [takes[one].content, takes[other].content];
    return first < second ? -1 : first > second ? 1 : one - other;
  });
}

function reordered(request: EditRequest, order: readonly number[]): EditRequest {
  const placeOf = new Map(order.map((take, at) => [take, at]));
  const moved = <Item extends { readonly take: number }>(item: Item) => ({
    ...item,
    take: placeOf.get(item.take)!,
  });
  return {
    ...request,
    takes: order.map((take) => request.takes[take]),
    pins: request.pins.map(moved),
    bans: request.bans.map(moved),
  };
}

const frozen = oncePer((material: TakeMaterial): TakeMaterial => {
  const fault = { fault: 'frozen', startSeconds: 0, endSeconds: material.durationSeconds } as const;
  return { ...material, faults: [fault, ...material.faults] };
});

/** Where no shot of the template is still, takes in which nothing moves are frozen. */
function withFrozenTakes(request: EditRequest): EditRequest {
  if (request.template.slots.some(isStillShot)) return request;
  const takes = request.takes.map((take) =>
    take.material.isMotionless === true ? { ...take, material: frozen(take.material) } : take,
  );
  return { ...request, takes };
}

function published(
  request: EditRequest,
  order: readonly number[],
  takes: readonly PreparedTake[],
  drawn: Drawn,
  wanted: number,
): EditPlan {
  const { musicStartSeconds } = drawn.cuts;
  const beats = outputBeats(request.music?.song ?? null, musicStartSeconds, request.frameRate);
  const slots: PlannedSlot[] = [];
  let frame = 0;
  let before: Candidate | null = null;
  for (const slot of drawn.slots) {
    const choice = drawn.assignment.choices[slot.index];
    if (choice === null) continue;
    const endFrame = frame + slot.endFrame - slot.startFrame;
    const { chosen, alternatives } = alternativesOf(
      drawn.assignment,
      slot,
      drawn.lists[slot.index],
      drawn.options,
      order,
    );
    slots.push({
      ...chosen,
      startSeconds: frame / request.frameRate,
      endSeconds: endFrame / request.frameRate,
      beat: beats.get(frame) ?? null,
      templateSlot: slot.templateSlot,
      transition: choice.hasHandles ? slot.transition : null,
      isPinned: drawn.assignment.rules.pinned.has(slot.index),
      handles: handlesOf(slot.index, drawn.assignment.choices),
      isJumpCut: before !== null && isJumpCut(before, choice),
      beatsChanged: drawn.beatsChanged[slot.index],
      focus: request.pins.find((pin) => pin.slot === slot.index)?.focus ?? null,
      alternatives,
    });
    [frame, before] = [endFrame, choice];
  }
  return {
    slots,
    musicStartSeconds,
    takes: takeUses(takes, slots, order, request),
    warnings: warningsOf(request, order, slots, wanted),
  };
}

function nothingUsable(takes: readonly EditTake[]): Failure {
  const seconds = takes.reduce((sum, { material }) => sum + material.durationSeconds, 0);
  return new Failure(
    'INPUT_UNSUPPORTED',
    `No moment of ${takes.length} takes (${seconds.toFixed(1)} s) can be used: all is faulty, excluded or banned.`,
  );
}
