/** Which slots of a template fill a length of time, and how material limits their lengths. */
import type { Span } from '../../analysis/facts.ts';
import { lengthOf } from '../../domain/spans.ts';

/** Share of the slots at each end that always stay: hook and ending. */
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

function fitted(lengths: readonly number[], seconds: number): number[] {
  const ends = lengths.length < 3 ? 0 : Math.max(1, Math.round(END_SHARE * lengths.length));
  const hook = lengths.slice(0, ends).map((_, slot) => slot);
  const ending = hook.map((slot) => lengths.length - ends + slot);
  const middle = lengths.slice(ends, lengths.length - ends).map((_, slot) => ends + slot);
  const kept = [...hook, ...ending].reduce((sum, slot) => sum + lengths[slot], 0);
  const repeated: number[] = [];
  let total = kept;
  for (let at = 0; total < seconds; at++) {
    const slot = middle[at % middle.length];
    // Half a slot too much is nearer than half a slot too little.
    if (total + lengths[slot] / 2 > seconds && repeated.length + hook.length > 0) break;
    repeated.push(slot);
    total += lengths[slot];
  }
  if (kept <= seconds || hook.length === 0) return [...hook, ...repeated, ...ending];
  return shortened([...hook, ...ending], lengths, seconds);
}

/** Leaves slots in the middle out; the first and the last stay. */
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
 * Of each slot the longest run that is left for it, when the longest slots choose first. Each takes the shortest run that holds it, in parts
 * if none does, so that it does not cost a slot that needs a longer one.
 */
export function materialCaps(lengths: readonly number[], runs: readonly Span[]): number[] {
  /** Ascending. */
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

/** Takes a length from the shortest run that has it, else from the longest. */
function takeFrom(left: number[], seconds: number): void {
  const at = left.findIndex((length) => length >= seconds - ROUNDING_SECONDS);
  const [run] = at < 0 ? left.splice(-1) : left.splice(at, 1);
  const rest = (run ?? 0) - seconds;
  if (rest <= ROUNDING_SECONDS) return;
  const place = left.findIndex((length) => length >= rest);
  left.splice(place < 0 ? left.length : place, 0, rest);
}
