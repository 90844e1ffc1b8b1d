/** The choices of an edit in words: chosen spans with reasons, alternatives, and unused parts. */

import type { Span } from '../../analysis/facts.ts';
import { TAKE_FAULTS, type TakeFault } from '../../analysis/material/take-material.ts';
import { lengthOf, overlapSeconds, totalSeconds } from '../../domain/spans.ts';
import { rounded } from '../../signal/rounding.ts';
import type { EditReason, EditReasonCode } from '../model/edit-reasons.ts';
import type { Assignment } from './assignment.ts';
import type { EditRequest, PlannedSlot, SlotChoice, TakeUse } from './edit-plan.ts';
import { overstayCost } from './holding-time.ts';
import { shareInstant } from './pair-costs.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { RANK_FIELDS, RANKED_CURVES } from './ranked-curves.ts';
import {
  ALIGNED_IMPACT_GAIN,
  type Candidate,
  type CandidateOptions,
  type OutputSlot,
  takeCandidates,
} from './slot-candidates.ts';
import { without } from './take-runs.ts';

const ALTERNATIVES = 5;
/** Other in-points of one shot are no other choice. */
const SAME_SHOT_SECONDS = 1;
/** Of each earlier choice from the same take. */
const SAME_TAKE_COST = 0.2;
/** Of a shot that is faulty throughout. */
const FAULTY_COST = 0.3;
const MAX_FAULTY = 2;
/** Nothing can be seen in them. */
const UNSEEN_FAULTS: readonly TakeFault[] = ['frozen', 'covered', 'dark'];
const MAX_UNSEEN_SHARE = 0.5;
/** A cost of 1 leaves this fit. */
const FIT_AT_ONE = 0.45;

/** @param requestNumbers Number in the request of each prepared take. */
export function alternativesOf(
  assignment: Assignment,
  slot: OutputSlot,
  candidates: readonly Candidate[],
  options: CandidateOptions,
  requestNumbers: readonly number[],
): { readonly chosen: SlotChoice; readonly alternatives: readonly SlotChoice[] } {
  const choice = assignment.choices[slot.index]!;
  const isPinned = assignment.rules.pinned.has(slot.index);
  const choiceOf = (candidate: Candidate, more: readonly EditReason[]): SlotChoice => ({
    take: requestNumbers[candidate.take.index],
    sourceStartSeconds: rounded(candidate.startSeconds, 4),
    sourceEndSeconds: rounded(candidate.endSeconds, 4),
    fit: rounded(FIT_AT_ONE ** Math.max(0, candidate.cost - ALIGNED_IMPACT_GAIN), 3),
    reasons: [...more, ...faultsIn(candidate), ...reasonsOf(candidate, slot, options)],
  });
  const faulty = faultyCandidates(slot, candidates, assignment.rules.takes, options);
  const kept = varied([...candidates, ...faulty], choice, new Set(faulty), slot);
  return {
    chosen: choiceOf(choice, isPinned ? [{ code: 'pinned' }] : []),
    alternatives: kept.map((candidate) => {
      const user = assignment.choices.findIndex((other) => other !== null && shareInstant(other, candidate));
      const isUsed = user >= 0 && user !== slot.index;
      return choiceOf(candidate, isUsed ? [{ code: 'used_in_slot', values: { slot: user } }] : []);
    }),
  };
}

/**
 * Of takes that have no faultless run for the slot, faulty spans. No plan takes them by itself; a person who sees them may.
 */
function faultyCandidates(
  slot: OutputSlot,
  candidates: readonly Candidate[],
  takes: readonly PreparedTake[],
  options: CandidateOptions,
): Candidate[] {
  const offered = new Set(candidates.map(({ take }) => take.index));
  return takes.flatMap((take) => {
    const { isPhoto, durationSeconds } = take.material;
    if (offered.has(take.index) || isPhoto) return [];
    const wanted = without({ startSeconds: 0, endSeconds: durationSeconds }, take.unwanted);
    return takeCandidates(slot, take, wanted, options)
      .filter((candidate) => faultyShare(candidate, UNSEEN_FAULTS) <= MAX_UNSEEN_SHARE)
      .map((candidate) => ({
        ...candidate,
        cost: candidate.cost + FAULTY_COST * faultyShare(candidate, TAKE_FAULTS),
      }));
  });
}

function faultyShare(candidate: Candidate, which: readonly TakeFault[]): number {
  const { startSeconds, endSeconds } = candidate;
  const faults = candidate.take.material.faults.filter(({ fault }) => which.includes(fault));
  const clean = without({ startSeconds, endSeconds }, faults);
  return 1 - totalSeconds(clean) / lengthOf(candidate);
}

function faultsIn(candidate: Candidate): EditReason[] {
  const found = candidate.take.material.faults.filter((fault) => overlapSeconds(fault, candidate) > 0);
  return [...new Set(found.map(({ fault }) => fault))].map((code) => ({ code }));
}

/**
 * The spans most like the template's shot, other takes before other moments of the same takes. Soft and empty ones lose nothing here: a person
 * sees that in their pictures.
 */
function varied(
  candidates: readonly Candidate[],
  choice: Candidate,
  faulty: ReadonlySet<Candidate>,
  { seconds }: OutputSlot,
): Candidate[] {
  const kept: Candidate[] = [];
  const costIn = (candidate: Candidate) =>
    candidate.cost -
    candidate.look.readingCost -
    overstayCost(seconds, candidate.hold) +
    SAME_TAKE_COST * [choice, ...kept].filter(({ take }) => take.index === candidate.take.index).length;
  while (kept.length < ALTERNATIVES) {
    let best: Candidate | null = null;
    for (const candidate of candidates) {
      if ([choice, ...kept].some((other) => isSameShot(other, candidate))) continue;
      if (faulty.has(candidate) && kept.filter((other) => faulty.has(other)).length === MAX_FAULTY) continue;
      if (best === null || costIn(candidate) < costIn(best)) best = candidate;
    }
    if (best === null) break;
    kept.push(best);
  }
  return kept;
}

function isSameShot(one: Candidate, other: Candidate): boolean {
  if (shareInstant(one, other)) return true;
  return (
    one.take.index === other.take.index && Math.abs(one.startSeconds - other.startSeconds) < SAME_SHOT_SECONDS
  );
}

/** Ranks near the template's, nearest first, and other reasons. */
function reasonsOf(
  { look, impactSeconds, hasHandles }: Candidate,
  { template, startFrame, seconds, transition }: OutputSlot,
  { frameSeconds }: CandidateOptions,
): EditReason[] {
  const ranked = RANKED_CURVES.flatMap((code, at) => {
    const wanted = template[RANK_FIELDS[code]];
    return wanted === null ? [] : [{ code, rank: look.ranks[at]!, wanted }];
  });
  const off = ({ rank, wanted }: { readonly rank: number; readonly wanted: number }) =>
    Math.abs(rank - wanted);
  const reasons: EditReason[] = ranked
    .sort((one, other) => off(one) - off(other))
    .slice(0, 3)
    .map(({ code, rank, wanted }) => ({
      code,
      values: { rank: rounded(rank, 2), wanted: rounded(wanted, 2) },
    }));
  if (impactSeconds !== null) {
    const atSeconds = rounded(startFrame * frameSeconds + impactSeconds, 2);
    reasons.unshift({ code: 'impact_on_beat', values: { at_seconds: atSeconds } });
  }
  if (look.size !== null && look.size === template.size)
    reasons.push({ code: 'shot_size', values: { size: look.size } });
  if (transition !== null && !hasHandles)
    reasons.push({ code: 'no_handles', values: { transition: transition.type } });
  return reasons.length > 0 ? reasons : [{ code: 'usable', values: { seconds: rounded(seconds, 1) } }];
}

/** In the request's order. */
export function takeUses(
  takes: readonly PreparedTake[],
  slots: readonly PlannedSlot[],
  requestNumbers: readonly number[],
  request: EditRequest,
): TakeUse[] {
  const uses: TakeUse[] = [];
  takes.forEach((prepared) => {
    const number = requestNumbers[prepared.index];
    const used = slots
      .filter(({ take }) => take === number)
      .map(({ sourceStartSeconds, sourceEndSeconds }) => ({
        startSeconds: sourceStartSeconds,
        endSeconds: sourceEndSeconds,
      }))
      .sort((one, other) => one.startSeconds - other.startSeconds);
    uses[number] = { used, passedOver: passedOver(prepared, used, slots, takes, requestNumbers, request) };
  });
  return uses;
}

function passedOver(
  prepared: PreparedTake,
  used: readonly Span[],
  slots: readonly PlannedSlot[],
  takes: readonly PreparedTake[],
  requestNumbers: readonly number[],
  request: EditRequest,
): TakeUse['passedOver'] {
  const { material, exclude, runs, line } = prepared;
  const because = (code: EditReasonCode) => (span: Span) => ({
    ...{ startSeconds: span.startSeconds, endSeconds: span.endSeconds },
    reason: { code },
  });
  const named = [
    ...material.faults.map((span) => because(span.fault)(span)),
    ...exclude.map(because('excluded')),
    ...request.bans.filter((ban) => ban.take === prepared.index).map(because('banned')),
  ];
  const twins = takes.filter(
    ({ line: other, index }) => other.group === line.group && index !== prepared.index,
  );
  const shown = twins.flatMap((twin) =>
    slots
      .filter((slot) => slot.take === requestNumbers[twin.index])
      .map(({ sourceStartSeconds, sourceEndSeconds }) => ({
        startSeconds: sourceStartSeconds + twin.line.offsetSeconds - line.offsetSeconds,
        endSeconds: sourceEndSeconds + twin.line.offsetSeconds - line.offsetSeconds,
        reason: { code: 'shown_from_take' as const, values: { take: requestNumbers[twin.index]! } },
      })),
  );
  const rest = material.isPhoto
    ? used.length === 0
      ? [{ startSeconds: 0, endSeconds: 0 }]
      : []
    : runs.flatMap((run) => without(run, [...used, ...shown]));
  return [...named, ...shown, ...rest.map(because(prepared.isBlurred ? 'blurred' : 'no_slot'))].sort(
    (one, other) => one.startSeconds - other.startSeconds,
  );
}
