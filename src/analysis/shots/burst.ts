import type { FrameSketch } from '../frames/sketch.ts';
import { deviationOf } from '../transitions/ground.ts';
import { returnsOf, type Step } from './cut-evidence.ts';

/** Bursts of a distorted picture (shifted colors, noise, a negative, a mirror image) and flashes of a color. */
const BURST = {
  /** Longest burst. */
  SECONDS: 0.35,
  /**
   * Least absolute correlation in place of a picture and its distorted copy: bursts .94 to 1, inserts of another
   * framing up to .88.
   */
  SAME_PICTURE: 0.92,
  /**
   * Largest distance of the picture before a burst from the one after it, as a share of the step's change. Bursts
   * under a moving camera: up to .76.
   */
  MAX_RETURN: 0.8,
  /** The same for a flash, whose change is larger: at most .06. */
  FLASH_RETURN: 0.1,
  /** Largest deviation of a flash from its mean color, levels: drawn flashes up to 1, shots of sky or fog from 5. */
  FLASH_DEVIATION: 3,
  /**
   * A mirror image rearranges the pixels of the picture that returns. Limits: largest remaining distance, and largest distance of the
   * sorted levels over that in place. Rearranged pictures: .04 to .06; inserts of the same scene: from .07.
   */
  REARRANGED_RETURN: 0.3,
  SORTED_DISTANCE: 0.065,
} as const satisfies Readonly<Record<string, number>>;

/** Whether a step leads into or out of a burst or a flash: the picture was there before, or soon returns. */
export function isBurstEdge(window: readonly Step[], at: number): boolean {
  const [old, fresh] = [window[at - 1].sketch, window[at].sketch];
  const { ahead, behind } = returnsOf(window, at, { seconds: BURST.SECONDS, frames: 1 });
  const back = Math.min(ahead, behind);
  if (back <= BURST.FLASH_RETURN && (isFlash(old) || isFlash(fresh))) return true;
  if (back <= BURST.REARRANGED_RETURN && sortedDistance(old.small, fresh.small) <= BURST.SORTED_DISTANCE)
    return true;
  return back <= BURST.MAX_RETURN && samePicture(old, fresh) >= BURST.SAME_PICTURE;
}

/** Distance of the sorted levels of two pictures over their distance in place: 0 if only places differ. */
function sortedDistance(a: Float32Array, b: Float32Array): number {
  const sorted = [0, 1, 2].map((channel) => distance(sortedChannel(a, channel), sortedChannel(b, channel)));
  return sorted.reduce((sum, one) => sum + one, 0) / 3 / distance(a, b);
}

function sortedChannel(picture: Float32Array, channel: number): Float32Array {
  return picture.filter((_, at) => at % 3 === channel).sort();
}

/** Mean absolute difference. */
function distance(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, level, at) => sum + Math.abs(level - b[at]), 0) / a.length;
}

function isFlash(sketch: FrameSketch): boolean {
  return deviationOf(sketch) <= BURST.FLASH_DEVIATION;
}

/**
 * 0..1: absolute correlation of the brightness of two pictures in place; a negative counts as a match. Plain
 * pictures match nothing.
 */
function samePicture(a: FrameSketch, b: FrameSketch): number {
  const [x, y] = [centred(greys(a.coarse)), centred(greys(b.coarse))];
  const [own, other] = [squares(x), squares(y)];
  const both = x.reduce((sum, value, i) => sum + value * y[i], 0);
  return own < x.length || other < x.length ? 0 : Math.abs(both) / Math.sqrt(own * other);
}

function greys(rgb: Float32Array): Float32Array {
  return Float32Array.from({ length: rgb.length / 3 }, (_, cell) => {
    const at = 3 * cell;
    return 0.3 * rgb[at] + 0.5 * rgb[at + 1] + 0.2 * rgb[at + 2];
  });
}

function centred(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function squares(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}
