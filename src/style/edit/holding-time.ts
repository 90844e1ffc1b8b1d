/** How long a span of a take holds a viewer. */
import type { PreparedTake } from './prepared-takes.ts';

/** A picture in which nothing happens is read in this time. */
const STILL_SECONDS = 2;
/** Photos move slowly towards what matters in them. */
const PHOTO_HOLD_SECONDS = 4;
/** More for all that can happen, not fitted: 8.3 s of asphalt was judged too long. */
const EVENT_SECONDS = 6;
/** Values that fill half of it: diagonals per second (lively moments have an activity of .02 to .05, pans a motion of .03 and more), and heights. */
const HALF = { activity: 0.02, motion: 0.03, faceHeight: 0.1 } as const;
/** Of a span that is longer by a factor of e; a usual mismatch of curves costs 1. */
const OVERSTAY_COST = 0.8;
/** Longer spans are worth another cut. */
const MAX_OVERSTAY = 1.5;

/** Seconds: more with motion, activity, faces, figures and speech, never less. */
export function holdSeconds(
  { take, means }: PreparedTake,
  startSeconds: number,
  endSeconds: number,
  spokenShare: number,
): number {
  const mean = (name: keyof typeof HALF | 'figure') => means.mean(name, startSeconds, endSeconds);
  const without = (name: keyof typeof HALF) => HALF[name] / (mean(name) + HALF[name]);
  const nothing =
    without('activity') *
    without('motion') *
    without('faceHeight') *
    (1 - mean('figure') / 2) *
    (1 - spokenShare);
  const still = take.material.isPhoto ? PHOTO_HOLD_SECONDS : STILL_SECONDS;
  return still + EVENT_SECONDS * (1 - nothing);
}

export function overstayCost(seconds: number, hold: number): number {
  return OVERSTAY_COST * Math.max(0, Math.log(seconds / hold));
}

export function isOverstayed(seconds: number, hold: number): boolean {
  return seconds > MAX_OVERSTAY * hold;
}
