import type { FrameSketch } from '../frames/sketch.ts';
import { deviationOf, plainColour } from '../transitions/ground.ts';
import { returnsOf, type Step } from './cut-evidence.ts';

/** Bursts of a distorted picture (shifted colours, noise, a negative, blocks), flashes of a colour and strobes. */
export const BURST = {
  /** A burst lasts no longer. */
  SECONDS: 0.35,
  /** Correlation in place, of whichever sign, from which one picture is the other one, distorted: bursts .94 to 1, inserts of another framing up to .88. */
  SAME_PICTURE: 0.92,
  /** Distance of the picture before a burst from the one after it, as a share of the step's change. Bursts under a moving camera have up to .76. */
  MAX_RETURN: 0.8,
  /** The same of a flash, whose change is larger: .06 at most. */
  FLASH_RETURN: 0.1,
  /** Levels by which the picture of a flash deviates from its mean colour: drawn ones up to 1, shots of a sky or of fog from 5 on. */
  FLASH_DEVIATION: 3,
  /** Of a strobe both pictures come back, and are one under two lights: .85 to 1. Edits to and fro have a likeness up to .14. */
  STROBE_RETURN: 0.1,
  STROBE_LIKENESS: 0.6,
  /** From the edges of a burst to the cut that it hides. */
  CUT_SECONDS: 0.2,
} as const satisfies Readonly<Record<string, number>>;

/** Whether a step leads into a burst or a flash, or out of one: the picture was there before, or soon comes back. */
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

/** 0..1: how well the brightness of two pictures correlates in place, the one as it is or as a negative. Plain pictures are like nothing. */
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

/** Cuts but for the edges of a burst that hides one of them: that one lies between an edge on either side. */
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
