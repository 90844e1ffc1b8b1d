/** Plans an edit: many takes, one song, the template's rhythm. Pure: equal requests give equal plans. */
import type { TakeMaterial } from '../../analysis/material/take-material.ts';
import { Failure } from '../../domain/errors.ts';
import { oncePer } from '../../domain/once-per.ts';
import { refusal } from '../../domain/refusals.ts';
import { unchangedPlan, withBans, withLengths, withPins, withSeed } from './changed-plan.ts';
import { minSlotSeconds } from './cut-plan.ts';
import { alternativesOf, takeUses } from './edit-choices.ts';
import type { EditPlan, EditRequest, EditTake, PlannedSlot, ShownSpan } from './edit-plan.ts';
import { checkPinnedSlots, checkRequest } from './edit-requests.ts';
import { alikeWarnings, warningsOf } from './edit-warnings.ts';
import { usableSeconds, wantedSeconds } from './filled-cuts.ts';
import { handlesOf } from './handles.ts';
import { outputBeats } from './output-slots.ts';
import { isJumpCut } from './pair-costs.ts';
import type { Drawn } from './plan-cost.ts';
import { type PreparedTake, preparedOnce, withoutBanned } from './prepared-takes.ts';
import { type Candidate, isStillShot } from './slot-candidates.ts';
import { transitionBetween } from './slot-transitions.ts';

/** @throws Failure `VALIDATION_ERROR` for impossible requests, `INPUT_UNSUPPORTED` if no moment of the takes can be used. */
export function planEdit(request: EditRequest): EditPlan {
  checkRequest(request);
  const requestNumbers = canonicalOrder(request);
  const upright = withFrozenTakes(reordered(request, requestNumbers));
  const sorted = isTooShort(upright) ? withSidewaysTakes(upright) : upright;
  const all = preparedOnce(sorted.takes);
  const takes = withoutBanned(all, sorted.bans);
  const wanted = wantedSeconds(sorted);
  if (sorted !== upright && isTooShort(sorted)) throw nothingUsable(sorted.takes);
  const first = unchangedPlan(sorted, sorted.replan ? takes : all, wanted);
  const version = withSeed(sorted, first);
  const timed = withLengths(sorted, takes, withBans(sorted, takes, version));
  checkPinnedSlots(
    request,
    timed.slots.map((slot) => slot.seconds),
  );
  const plan = published(
    sorted,
    requestNumbers,
    takes,
    withPins(sorted, requestNumbers, takes, timed),
    wanted,
  );
  return {
    ...plan,
    unchanged: shownSpans(first, requestNumbers, request.frameRate),
    warnings: [...plan.warnings, ...alikeWarnings(first, version)],
  };
}

function shownSpans(
  { slots, assignment }: Drawn,
  requestNumbers: readonly number[],
  frameRate: number,
): ShownSpan[] {
  return slots.flatMap(({ index, startFrame, endFrame }) => {
    const choice = assignment.choices[index];
    if (choice === null) return [];
    return {
      take: requestNumbers[choice.take.index],
      sourceStartSeconds: choice.startSeconds,
      sourceEndSeconds: choice.endSeconds,
      startSeconds: startFrame / frameRate,
      endSeconds: endFrame / frameRate,
    };
  });
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

function reordered(request: EditRequest, requestNumbers: readonly number[]): EditRequest {
  const placeOf = new Map(requestNumbers.map((take, at) => [take, at]));
  const moved = <Item extends { readonly take: number }>(item: Item) => ({
    ...item,
    take: placeOf.get(item.take)!,
  });
  return {
    ...request,
    takes: requestNumbers.map((take) => request.takes[take]),
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

/** Whether the usable moments are shorter than the shortest edit. */
function isTooShort(request: EditRequest): boolean {
  const takes = withoutBanned(preparedOnce(request.takes), request.bans);
  return usableSeconds(request, takes) < minSlotSeconds(request.template);
}

const withoutSideways = oncePer((material: TakeMaterial): TakeMaterial => {
  return { ...material, faults: material.faults.filter(({ fault }) => fault !== 'sideways') };
});

/** Takes that lie on their side are better than no edit. */
function withSidewaysTakes(request: EditRequest): EditRequest {
  const takes = request.takes.map((take) => ({ ...take, material: withoutSideways(take.material) }));
  return { ...request, takes };
}

function published(
  request: EditRequest,
  requestNumbers: readonly number[],
  takes: readonly PreparedTake[],
  drawn: Drawn,
  wanted: number,
): Omit<EditPlan, 'unchanged'> {
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
      requestNumbers,
    );
    const transition = choice.hasHandles ? transitionBetween(before, choice, slot) : null;
    const isCutInstead = choice.hasHandles && slot.transition !== null && transition === null;
    slots.push({
      ...chosen,
      reasons: [
        ...chosen.reasons,
        ...(isCutInstead
          ? [{ code: 'cut_instead', values: { transition: slot.transition!.type } } as const]
          : []),
      ],
      startSeconds: frame / request.frameRate,
      endSeconds: endFrame / request.frameRate,
      beat: beats.get(frame) ?? null,
      templateSlot: slot.templateSlot,
      transition,
      isPinned: drawn.assignment.rules.pinned.has(slot.index),
      handles: handlesOf(slot.index, drawn.assignment.choices),
      isJumpCut: before !== null && isJumpCut(before, choice),
      beatsChanged: drawn.beatsChanged[slot.index],
      focus: request.pins.find((pin) => pin.slot === slot.index)?.focus ?? null,
      alternatives,
    });
    [frame, before] = [endFrame, choice];
  }
  const uses = takeUses(takes, slots, requestNumbers, request);
  return {
    ...{ slots, musicStartSeconds, takes: uses },
    warnings: warningsOf(request, requestNumbers, { slots, takes: uses }, wanted),
  };
}

function nothingUsable(takes: readonly EditTake[]): Failure {
  const seconds = takes.reduce((sum, { material }) => sum + material.durationSeconds, 0);
  const field = refusal('edit.takes', 'NOTHING_USABLE', { takes: takes.length, seconds });
  return new Failure(
    'INPUT_UNSUPPORTED',
    `No moment of ${takes.length} takes (${seconds.toFixed(1)} s) can be used: all is faulty, excluded or banned.`,
    { fields: [field] },
  );
}
