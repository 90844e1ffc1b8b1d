/** Shots that a person puts in a slot. */
import type { EditPin } from './edit-plan.ts';
import type { PreparedTake } from './prepared-takes.ts';
import {
  byCost,
  type Candidate,
  type CandidateOptions,
  candidateAt,
  type OutputSlot,
  takeCandidates,
} from './slot-candidates.ts';

/** Faults do not matter: a person has seen the shot. One that begins too late for its slot begins earlier. */
export function pinnedCandidate(
  { take: number, startSeconds }: EditPin,
  slot: OutputSlot,
  takes: readonly PreparedTake[],
  options: CandidateOptions,
): Candidate {
  const take = takes[number];
  const { durationSeconds, isPhoto } = take.take.material;
  const whole = { startSeconds: 0, endSeconds: isPhoto ? slot.seconds : durationSeconds };
  if (startSeconds === null) {
    const best = takeCandidates(slot, take, take.runs, options).sort(byCost)[0];
    if (best !== undefined) return best;
  }
  const latest = Math.max(0, whole.endSeconds - slot.seconds);
  return candidateAt(slot, take, whole, isPhoto ? 0 : Math.min(startSeconds ?? latest / 2, latest), options);
}
