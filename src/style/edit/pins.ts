/** Shots that a person puts in slots. */
import { type ForbiddenPart, type PinPlace, pinPlace } from '../../domain/pin-place.ts';
import type { EditPin, EditRequest } from './edit-plan.ts';
import { failWith } from './edit-requests.ts';
import { type PreparedTake, shiftBetween } from './prepared-takes.ts';
import {
  byCost,
  type Candidate,
  type CandidateOptions,
  candidateAt,
  type OutputSlot,
  TOLERATED_FRAMES,
  takeCandidates,
} from './slot-candidates.ts';

/**
 * @param requestNumbers Number in the request of each take.
 * @returns The shot of each pin, outside all bans and exclusions.
 * @throws Failure `VALIDATION_ERROR` that names each pin of a forbidden part, and what forbids it.
 */
export function pinnedCandidates(
  { pins, bans }: Pick<EditRequest, 'pins' | 'bans'>,
  requestNumbers: readonly number[],
  takes: readonly PreparedTake[],
  slots: readonly OutputSlot[],
  options: CandidateOptions,
): readonly Candidate[] {
  const places = pins.map((pin, at) => {
    const { isPhoto, durationSeconds } = takes[pin.take].material;
    const forbidden = forbiddenParts(takes[pin.take], bans, requestNumbers, takes);
    const { slot, startSeconds } = pin;
    return pinPlace(
      { path: `edit.pins.${at}`, slot, startSeconds, isPhoto, durationSeconds, forbidden },
      slots[slot].seconds,
      TOLERATED_FRAMES * options.frameSeconds,
    );
  });
  failWith(places.flatMap((place) => ('runs' in place ? [] : place)));
  return pins.map((pin, at) =>
    pinnedCandidate(pin, places[at] as PinPlace, slots[pin.slot], takes[pin.take], options),
  );
}

/** Faults do not matter: a person has seen the shot. */
function pinnedCandidate(
  { startSeconds: wanted }: EditPin,
  { runs, startSeconds }: PinPlace,
  slot: OutputSlot,
  take: PreparedTake,
  options: CandidateOptions,
): Candidate {
  const { isPhoto } = take.material;
  const spans = runs.map(([from, to]) => ({ startSeconds: from, endSeconds: isPhoto ? slot.seconds : to }));
  if (wanted === null) {
    const best =
      takeCandidates(slot, take, take.runs, options).sort(byCost)[0] ??
      takeCandidates(slot, take, spans, options).sort(byCost)[0];
    if (best !== undefined) return best;
  }
  const [span] = spans.toSorted(
    (one, other) => other.endSeconds - other.startSeconds - (one.endSeconds - one.startSeconds),
  );
  const latest = Math.max(span.startSeconds, span.endSeconds - slot.seconds);
  const start = isPhoto ? 0 : Math.min(startSeconds ?? (span.startSeconds + latest) / 2, latest);
  return candidateAt(slot, take, span, start, options);
}

/** Exclusions of a take, and bans in it or in a twin. */
function forbiddenParts(
  take: PreparedTake,
  bans: EditRequest['bans'],
  requestNumbers: readonly number[],
  takes: readonly PreparedTake[],
): ForbiddenPart[] {
  const excluded = take.exclude.map(
    ({ startSeconds, endSeconds }, at): ForbiddenPart => ({
      range: [startSeconds, endSeconds],
      path: `edit.takes.${requestNumbers[take.index]}.exclude.${at}`,
    }),
  );
  const banned = bans.flatMap((ban, at): ForbiddenPart[] => {
    const shift = shiftBetween(takes[ban.take], take);
    if (shift === null) return [];
    return [{ range: [ban.startSeconds + shift, ban.endSeconds + shift], path: `edit.bans.${at}.range` }];
  });
  return [...excluded, ...banned];
}
