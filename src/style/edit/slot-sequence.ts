/** Which slots of a template fill a length of time, and how material limits their lengths. */
import type { Span } from '../../analysis/facts.ts';
import { lengthOf } from '../../domain/spans.ts';

/** Share of the slots at each end, hook and ending, that are never repeated and left out last. */
const END_SHARE = 0.15;
/** Relative difference of lengths up to which all slots are scaled and none is repeated or left out. */
const SCALED_SHARE = 0.05;
/** Lengths of runs and slots are rounded to frames and steps. */
const ROUNDING_SECONDS = 0.06;

export interface SequenceSlot {
  readonly slot: number;
  readonly seconds: number;
}

/** The middle is repeated or shortened until the slots fill about `seconds`, then all are scaled to fill them. */
export function slotSequence(lengths: readonly number[], seconds: number): SequenceSlot[] {
  const order =
    Math.abs(totalOf(lengths) / seconds - 1) <= SCALED_SHARE
      ? lengths.map((_, slot) => slot)
      : fitted(lengths, seconds);
  const scale = seconds / totalOf(order.map((slot) => lengths[slot]));
  return order.map((slot) => ({ slot, seconds: lengths[slot] * scale }));
}

/** At least one slot, in an order that lasts about `seconds`. */
function fitted(lengths: readonly number[], seconds: number): number[] {
  const slots = lengths.map((_, slot) => slot);
  const ends = slots.length < 3 ? 0 : Math.max(1, Math.round(END_SHARE * slots.length));
  const hook = slots.slice(0, ends);
  const middle = slots.slice(ends, slots.length - ends);
  const ending = slots.slice(slots.length - ends);
  let total = totalOf([...hook, ...ending].map((slot) => lengths[slot]));
  if (total > seconds) return shortened([...hook, ...ending], lengths, seconds);
  const repeated: number[] = [];
  for (let at = 0; total < seconds; at++) {
    const slot = middle[at % middle.length];
    // Without the slot the total is nearer to `seconds`.
    if (total + lengths[slot] / 2 > seconds && total > 0) break;
    repeated.push(slot);
    total += lengths[slot];
  }
  return [...hook, ...repeated, ...ending];
}

/** Leaves out slots in the middle; the first and the last stay. */
function shortened(order: readonly number[], lengths: readonly number[], seconds: number): number[] {
  const rest = [...order];
  while (rest.length > 1) {
    const total = totalOf(rest.map((slot) => lengths[slot]));
    const middle = rest.length === 2 ? 1 : rest.length >> 1;
    if (total - lengths[rest[middle]] / 2 <= seconds) break;
    rest.splice(middle, 1);
  }
  return rest;
}

function totalOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/**
 * Longest possible length of each slot. The longest slots choose first: a slot may be as long as the longest run that is then left. It uses
 * up the shortest run that is long enough, or is split over several runs, so that long runs remain for slots that need them.
 */
export function materialCaps(lengths: readonly number[], runs: readonly Span[]): number[] {
  // Ascending.
  const left = runs.map(lengthOf).sort((one, other) => one - other);
  const caps = new Array<number>(lengths.length).fill(0);
  const longestFirst = lengths
    .map((_, at) => at)
    .sort((one, other) => lengths[other] - lengths[one] || one - other);
  for (const slot of longestFirst) {
    const longest = left.at(-1) ?? 0;
    caps[slot] = longest;
    if (longest <= 0) continue;
    const parts = Math.max(1, Math.ceil((lengths[slot] - ROUNDING_SECONDS) / longest));
    for (let part = 0; part < parts; part++) takeFrom(left, lengths[slot] / parts);
  }
  return caps;
}

/** Takes a length from the shortest run that is long enough, else from the longest. `left`: lengths of runs, stays ascending. */
function takeFrom(left: number[], seconds: number): void {
  const at = left.findIndex((length) => length >= seconds - ROUNDING_SECONDS);
  const [run] = at < 0 ? left.splice(-1) : left.splice(at, 1);
  const rest = (run ?? 0) - seconds;
  if (rest <= ROUNDING_SECONDS) return;
  const place = left.findIndex((length) => length >= rest);
  left.splice(place < 0 ? left.length : place, 0, rest);
}
