/** Order of a story: takes in their listed order, by time within a take, each with its share of the slots. */

import { lengthOf, overlapSeconds } from '../../domain/spans.ts';
import { clamp } from '../../signal/interpolation.ts';
import type { PreparedTake } from './prepared-takes.ts';
import type { Candidate, OutputSlot } from './slot-candidates.ts';

/** Slots by which a shot may lie before or after its place without cost. */
const FREE_SLOTS = 0.5;
/** A slot further off costs this; within a take more tolerance is left than between takes. */
const OFF_PLACE_COST = 0.35;
/** Shots further than this many slots from their place are not considered. */
const MAX_OFF_SLOTS = 3;
/** Takes this near to a place of the edit may be shown there. */
const NEAR_PLACE = 0.02;

export class StoryPlaces {
  readonly #weights: readonly number[];
  readonly #shares: readonly { readonly from: number; readonly share: number }[];
  /** Middle of each slot as a share of the edit. */
  readonly #places: readonly number[];

  /** @param weights Time that each take is to fill, in any unit. */
  constructor(weights: readonly number[], places: readonly number[] = []) {
    this.#weights = weights;
    const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
    let from = 0;
    this.#shares = weights.map((weight) => {
      const share = { from, share: weight / total };
      from += share.share;
      return share;
    });
    this.#places = places;
  }

  withSlots(slots: readonly OutputSlot[]): StoryPlaces {
    const end = slots.at(-1)?.endFrame ?? 1;
    return new StoryPlaces(
      this.#weights,
      slots.map(({ startFrame, endFrame }) => (startFrame + endFrame) / 2 / end),
    );
  }

  /** Where a take's share of the edit has its middle, 0..1. */
  placeOf({ index }: PreparedTake): number {
    const { from, share } = this.#shares[index];
    return from + share / 2;
  }

  /** Longest run of the takes that are shown about a place, 0..1 of the edit. */
  longestAt(place: number, takes: readonly PreparedTake[]): number {
    const runs = takes.flatMap((take) => {
      const { from, share } = this.#shares[take.index];
      const isNear = share > 0 && from <= place + NEAR_PLACE && from + share >= place - NEAR_PLACE;
      return isNear ? take.runs.map(lengthOf) : [];
    });
    return Math.max(0, ...runs);
  }

  isInOrder(before: Candidate, after: Candidate): boolean {
    if (before.take.index !== after.take.index) return before.take.index < after.take.index;
    return after.startSeconds >= before.endSeconds - 1e-6;
  }

  /** Distance of a shot from its place, in slots. */
  offSlots(slot: number, candidate: Candidate): number {
    const { from, share } = this.#shares[candidate.take.index];
    const place = from + share * placeWithin(candidate.take, candidate);
    return Math.max(0, Math.abs(place - this.#places[slot]) * this.#places.length - FREE_SLOTS);
  }

  costOf(slot: number, candidate: Candidate): number {
    return OFF_PLACE_COST * this.offSlots(slot, candidate) ** 2;
  }

  isNear(slot: number, candidate: Candidate): boolean {
    return this.offSlots(slot, candidate) <= Math.max(MAX_OFF_SLOTS, this.#places.length * 0.1);
  }
}

/** Share of the take's usable time before a candidate's middle. */
function placeWithin({ runs, usableSeconds }: PreparedTake, { startSeconds, endSeconds }: Candidate): number {
  const middle = { startSeconds: 0, endSeconds: (startSeconds + endSeconds) / 2 };
  const before = runs.reduce((sum, run) => sum + overlapSeconds(run, middle), 0);
  return usableSeconds > 0 ? clamp(before / usableSeconds, 0, 1) : 0.5;
}
