import { coarseDistance, type FrameSketch } from '../frames/sketch.ts';
import { deviationOf } from '../transitions/ground.ts';
import { returnsOf, type Step } from './cut-evidence.ts';

/** Bursts of a distorted picture (shifted colors, noise, a negative, blocks), flashes of a color, and strobes. */
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
   * In a strobe both pictures return, and they are one scene under two lights: likeness .85 to 1; alternating
   * shots up to .14.
   */
  STROBE_RETURN: 0.1,
  STROBE_LIKENESS: 0.6,
  /**
   * A fault that moves rows, columns or blocks, such as a rolled frame, rearranges the pixels of the picture
   * that returns. Limits: largest remaining distance, least histogram intersection, largest distance of the
   * sorted levels over that in place. Faults: intersection .87 to .96, sorted distance .04 to .06; inserts of
   * the same scene: up to .82, from .07.
   */
  REARRANGED_RETURN: 0.3,
  SAME_PIXELS: 0.86,
  SORTED_DISTANCE: 0.065,
  /**
   * Least correlation of a picture with the one before it after rows and columns move round, by more than one 2×2
   * pixel, and largest distance of the sorted levels over that in place. 24 of 25 rolled frames: .89 to 1, .01 to .1
   * (one .14); stripes and shots alike match others by .88 to .98, at .14 or more.
   */
  ROLLED_LIKENESS: 0.88,
  ROLLED_SORTED_DISTANCE: 0.12,
  /** Most frames of a burst that hides no cut: two shots of two frames are longer. */
  INSIDE_FRAMES: 3,
  /**
   * Largest distance of the picture before such a burst from the one after it, and least distance of both from the
   * pictures beside the step, as shares of the step's change. Bursts: up to .08, from .6; shots between two that are
   * alike: from .1.
   */
  INSIDE_RETURN: 0.09,
  INSIDE_CHANGE: 0.3,
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
  if (back <= BURST.REARRANGED_RETURN && isRearranged(old, fresh)) return true;
  if (isRolled(old, fresh)) return true;
  return back <= BURST.MAX_RETURN && likeness >= BURST.SAME_PICTURE;
}

/** Whether a step lies inside a burst so short that no two shots fit: the same picture is before and after it. */
export function isInsideBurst(window: readonly Step[], at: number): boolean {
  const change = window[at].coarse;
  const apart = (one: number, other: number): number =>
    coarseDistance(window[one].sketch, window[other].sketch) / change;
  for (let before = at - 2; before >= Math.max(0, at - BURST.INSIDE_FRAMES); before--) {
    if (apart(before, at - 1) < BURST.INSIDE_CHANGE) continue;
    const end = Math.min(window.length - 1, before + BURST.INSIDE_FRAMES + 1);
    for (let after = at + 1; after <= end; after++)
      if (apart(before, after) <= BURST.INSIDE_RETURN && apart(at, after) >= BURST.INSIDE_CHANGE) return true;
  }
  return false;
}

/** Whether one picture is the other with its rows and columns moved round. */
function isRolled(old: FrameSketch, fresh: FrameSketch): boolean {
  return (
    sortedDistance(old.small, fresh.small) <= BURST.ROLLED_SORTED_DISTANCE &&
    rolledLikeness(old, fresh) >= BURST.ROLLED_LIKENESS
  );
}

/** Best correlation (−1..1) over all moves of one picture's rows and columns round it; plain pictures match nothing. */
function rolledLikeness(old: FrameSketch, fresh: FrameSketch): number {
  const { smallWidth: width, smallHeight: height } = old;
  const [a, b] = [centred(greys(old.small)), centred(greys(fresh.small))];
  const power = Math.sqrt(squares(a) * squares(b));
  if (Math.min(squares(a), squares(b)) < a.length) return 0;
  let best = -power;
  for (let down = 0; down < height; down++) {
    for (let across = 0; across < width; across++) {
      // Moved by a pixel, a picture resembles itself in any case.
      if (isShort(down, height) && isShort(across, width)) continue;
      let both = 0;
      for (let y = 0, at = 0; y < height; y++) {
        const row = ((y + down) % height) * width;
        for (let x = 0; x < width; x++, at++) both += a[at] * b[row + ((x + across) % width)];
      }
      best = Math.max(best, both);
    }
  }
  return best / power;
}

function isShort(move: number, length: number): boolean {
  return Math.min(move, length - move) <= 1;
}

/** Bins of a histogram per channel. */
const BINS = 8;

function isRearranged({ small: a }: FrameSketch, { small: b }: FrameSketch): boolean {
  return histogramIntersection(a, b) >= BURST.SAME_PIXELS || sortedDistance(a, b) <= BURST.SORTED_DISTANCE;
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

/** 0..1: common part of the color histograms of two pictures of one size. */
function histogramIntersection(a: Float32Array, b: Float32Array): number {
  const bin = (level: number) => Math.min(BINS - 1, Math.floor((level * BINS) / 256));
  const binOf = (picture: Float32Array, at: number) =>
    (bin(picture[at]) * BINS + bin(picture[at + 1])) * BINS + bin(picture[at + 2]);
  const counts = new Int32Array(BINS ** 3);
  for (let at = 0; at < a.length; at += 3) counts[binOf(a, at)] += 1;
  let common = 0;
  for (let at = 0; at < b.length; at += 3) {
    const index = binOf(b, at);
    if (counts[index] <= 0) continue;
    counts[index] -= 1;
    common += 1;
  }
  return (3 * common) / b.length;
}

function isFlash(sketch: FrameSketch): boolean {
  return deviationOf(sketch) <= BURST.FLASH_DEVIATION;
}

/**
 * 0..1: absolute correlation of the brightness of two pictures in place; a negative counts as a match. Plain
 * pictures match nothing.
 */
export function samePicture(a: FrameSketch, b: FrameSketch): number {
  const [x, y] = [centred(greys(a.coarse)), centred(greys(b.coarse))];
  const [own, other] = [squares(x), squares(y)];
  const both = x.reduce((sum, value, i) => sum + value * y[i], 0);
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
