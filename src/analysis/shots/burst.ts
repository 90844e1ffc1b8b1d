import type { FrameSketch } from '../frames/sketch.ts';
import { deviationOf, plainColour } from '../transitions/ground.ts';
import { returnsOf, type Step } from './cut-evidence.ts';

/** Bursts of a distorted picture (shifted colours, noise, a negative, blocks), flashes of a colour, and strobes. */
export const BURST = {
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
  /** Largest deviation of a flash from its mean colour, levels: drawn flashes up to 1, shots of sky or fog from 5. */
  FLASH_DEVIATION: 3,
  /**
   * In a strobe both pictures return, and they are one scene under two lights: likeness .85 to 1; alternating
   * shots up to .14.
   */
  STROBE_RETURN: 0.1,
  STROBE_LIKENESS: 0.6,
  /** Longest time from an edge of a burst to the cut that it hides. */
  CUT_SECONDS: 0.2,
} as const satisfies Readonly<Record<string, number>>;

/** Whether a step leads into or out of a burst or a flash: the picture was there before, or soon returns. */
export function isBurstEdge(window: readonly Step[], at: number): boolean {
  const [old, fresh] = [window[at - 1].sketch, window[at].sketch];
  const { ahead, behind } = returnsOf(window, at, { seconds: BURST.SECONDS, frames: 1 });
  const back = Math.min(ahead, behind);
  if (back <= BURST.FLASH_RETURN && (isFlash(old) || isFlash(fresh))) return true;
  const likeness = samePicture(old, fresh);
  if (Math.max(ahead, behind) <= BURST.STROBE_RETURN && likeness >= BURST.STROBE_LIKENESS) return true;
  return back <= BURST.MAX_RETURN && likeness >= BURST.SAME_PICTURE;
}

function isFlash(sketch: FrameSketch): boolean {
  return plainColour(sketch) !== null && deviationOf(sketch) <= BURST.FLASH_DEVIATION;
}

/**
 * 0..1: absolute correlation of the brightness of two pictures in place; a negative counts as a match. Plain
 * pictures match nothing.
 */
export function samePicture(a: FrameSketch, b: FrameSketch): number {
  const [x, y] = [greys(a.coarse), greys(b.coarse)];
  const [meanX, meanY] = [mean(x), mean(y)];
  let [own, other, both] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const u = x[i] - meanX;
    const v = y[i] - meanY;
    own += u * u;
    other += v * v;
    both += u * v;
  }
  return own < x.length || other < x.length ? 0 : Math.abs(both) / Math.sqrt(own * other);
}

/** Removes the edges of bursts that hide a cut: a cut between two edges. */
export function withoutBurstEdges<Cut extends { readonly timeSeconds: number; readonly samePicture: number }>(
  cuts: readonly Cut[],
): Cut[] {
  const edges = cuts.filter((cut) => cut.samePicture >= BURST.SAME_PICTURE);
  const hidden = cuts.filter((cut) => !edges.includes(cut));
  const isBetween = (first: Cut, cut: Cut, last: Cut) =>
    cut.timeSeconds > first.timeSeconds &&
    cut.timeSeconds - first.timeSeconds <= BURST.CUT_SECONDS &&
    last.timeSeconds > cut.timeSeconds &&
    last.timeSeconds - cut.timeSeconds <= BURST.CUT_SECONDS;
  const isOfBurst = (edge: Cut) =>
    hidden.some((cut) => edges.some((other) => isBetween(edge, cut, other) || isBetween(other, cut, edge)));
  return cuts.filter((cut) => !edges.includes(cut) || !isOfBurst(cut));
}

function greys(coarse: Float32Array): Float32Array {
  return Float32Array.from({ length: coarse.length / 3 }, (_, cell) => {
    const at = 3 * cell;
    return 0.3 * coarse[at] + 0.5 * coarse[at + 1] + 0.2 * coarse[at + 2];
  });
}

function mean(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
