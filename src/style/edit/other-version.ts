/** Another version of an edit: other choices that are nearly as good. */

import { lengthOf, overlapSeconds } from '../../domain/spans.ts';
import { type CandidateLists, repair } from './assign-takes.ts';
import type { Assignment, AssignmentRules } from './assignment.ts';
import { noise } from './noise.ts';
import type { Candidate } from './slot-candidates.ts';

/** Of the slots, at least: fewer read as the same edit. */
export const MIN_DIFFERENT_SHARE = 1 / 3;
/** Of a choice of the best version, in the slots that are to change; raised until enough do. */
const AVOIDED_COSTS = [0.15, 0.3, 0.6, 1.2];
/** Share of the slots in which the best choice is avoided. */
const AVOIDED_SHARE = 0.5;
/** Distinguishes versions; usual differences of the best candidates are .05 to .2. */
const NOISE_COST = 0.05;
/** Spans with more in common are one choice. */
const SAME_SHARE = 0.5;

/** @param best The assignment of seed 0. Its rules hold for the result; where the takes allow no other version, that is the same. */
export function otherVersion(best: Assignment, lists: CandidateLists, seed: number): Assignment {
  let found = best;
  for (const cost of AVOIDED_COSTS) {
    found = varied(best, lists, seed, cost);
    if (differentShare(best, found) >= MIN_DIFFERENT_SHARE) break;
  }
  return found;
}

/** Avoids half of the choices at a cost. */
export function varied(
  best: Assignment,
  lists: CandidateLists,
  seed: number,
  avoidedCost: number,
): Assignment {
  const bias: AssignmentRules['bias'] = (slot, candidate) => {
    const chosen = best.choices[slot];
    const { hash } = candidate.take;
    const isAvoided = noise(slot, seed) < AVOIDED_SHARE && chosen !== null && isSameShot(chosen, candidate);
    const varying = NOISE_COST * noise(hash, Math.round(candidate.startSeconds * 1000), slot, seed);
    return varying + (isAvoided ? avoidedCost : 0);
  };
  const biased = best.withRules({ ...best.rules, bias });
  repair(biased, lists);
  return biased.withRules(best.rules);
}

export function differentShare(one: Assignment, other: Assignment): number {
  const different = one.choices.filter((choice, slot) => {
    const chosen = other.choices[slot];
    return choice !== chosen && (choice === null || chosen === null || !isSameShot(choice, chosen!));
  });
  return different.length / Math.max(1, one.choices.length);
}

function isSameShot(one: Candidate, other: Candidate): boolean {
  return one.take.index === other.take.index && overlapSeconds(one, other) > SAME_SHARE * lengthOf(one);
}
