/** How long a span of a take holds a viewer. */
import { smoothstep } from '../../signal/interpolation.ts';
import type { PreparedTake } from './prepared-takes.ts';

/** A picture in which nothing happens is read in this time. */
const STILL_SECONDS = 2;
/** A beat or two: walls, floors and skies are read at once, however the camera moves over them. */
const NOTHING_SECONDS = 0.8;
/** Worth of spans with something and with nothing to see. Of 131 judged spans those of the best half have .5 and more, skies and walls .1 to .3. */
export const NOTHING_WORTH = [0.5, 0.2] as const;
/** Photos move slowly towards what matters in them. */
const PHOTO_HOLD_SECONDS = 4;
/** More while the camera moves: eleven slow pans and tilts of 3.2 to 4.7 s over walls, floors, ropes and decoration were judged too long. */
const CAMERA_SECONDS = 0.4;
/** More for all that can happen: silent shots of 4.5 s and more were judged too long. */
const EVENT_SECONDS = 2.1;
/** Share of `EVENT_SECONDS` for a figure: it may stand still. */
const FIGURE_SHARE = 0.3;
/** The same for a face: silent ones that hardly move were judged too long at 2.9 to 4.1 s (five shots of 20 reels). */
const FACE_SHARE = 0.5;
/** Values that fill half of it: diagonals per second (lively moments have an activity of .02 to .05, pans a motion of .03 and more), and heights. */
const HALF = { activity: 0.02, motion: 0.03, faceHeight: 0.1 } as const;
/** Of a span that is longer by a factor of e; a usual mismatch of curves costs 1. */
const OVERSTAY_COST = 0.8;
/** Longer spans are worth another cut. */
const MAX_OVERSTAY = 1.25;

/** Seconds: more with motion, activity, faces, figures, speech and what there is to see, never less. */
export function holdSeconds(
  { material, means }: PreparedTake,
  startSeconds: number,
  endSeconds: number,
  spokenShare: number,
): number {
  const mean = (name: keyof typeof HALF | 'figure') => means.mean(name, startSeconds, endSeconds);
  // Squares of activity: leaves in the wind and noise count little.
  const without = (name: keyof typeof HALF, power = 1) =>
    HALF[name] ** power / (mean(name) ** power + HALF[name] ** power);
  const nothing =
    without('activity', 2) *
    (1 - FACE_SHARE * (1 - without('faceHeight'))) *
    (1 - FIGURE_SHARE * mean('figure')) *
    (1 - spokenShare);
  const still = material.isPhoto ? PHOTO_HOLD_SECONDS : STILL_SECONDS;
  const most = still + CAMERA_SECONDS * (1 - without('motion')) + EVENT_SECONDS * (1 - nothing);
  const unseen = smoothstep(...NOTHING_WORTH, means.mean('worth', startSeconds, endSeconds));
  return most + (NOTHING_SECONDS - most) * unseen;
}

export function overstayCost(seconds: number, hold: number): number {
  return OVERSTAY_COST * Math.max(0, Math.log(seconds / hold));
}

export function isOverstayed(seconds: number, hold: number): boolean {
  return seconds > MAX_OVERSTAY * hold;
}
