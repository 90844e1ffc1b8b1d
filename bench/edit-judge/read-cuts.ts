/** Cuts by differences of grey pictures and of their histograms: a detector that shares nothing with the product's. */
import { median } from '../../src/signal/statistics.ts';
import { difference, type GreyFrames } from './read-file.ts';

const BINS = 16;
/** Frames on each side that a cut must stand out from. */
const AROUND = 8;
/** A cut changes the picture by so many grey levels, this many times as much as the frames around, and so much of the histogram. */
const [MIN_CHANGE, MIN_RATIO, MIN_HISTOGRAM] = [6, 3, 0.18];
/** Of two changes nearer than this one is a cut: flashes and transitions change several frames. */
const APART_SECONDS = 0.15;

/** Seconds, ascending. */
export function cutsOf({ frames, rate }: GreyFrames): number[] {
  const changes = frames.map((frame, at) => (at === 0 ? 0 : difference(frames[at - 1]!, frame)));
  const histograms = frames.map(histogramOf);
  const found: { readonly at: number; readonly change: number }[] = [];
  for (let at = 1; at < frames.length; at++) {
    const change = changes[at]!;
    const around = [
      ...changes.slice(Math.max(1, at - AROUND), at),
      ...changes.slice(at + 1, at + 1 + AROUND),
    ];
    if (change < MIN_CHANGE || change < MIN_RATIO * median(around)) continue;
    if (distance(histograms[at - 1]!, histograms[at]!) < MIN_HISTOGRAM) continue;
    const last = found.at(-1);
    if (last === undefined || at - last.at >= APART_SECONDS * rate) found.push({ at, change });
    else if (change > last.change) found[found.length - 1] = { at, change };
  }
  return found.map(({ at }) => at / rate);
}

function histogramOf(frame: Uint8Array): number[] {
  const counts = new Array<number>(BINS).fill(0);
  for (const value of frame) counts[(value * BINS) >> 8]! += 1 / frame.length;
  return counts;
}

/** 0..1 */
function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, share, bin) => sum + Math.abs(share - other[bin]!), 0) / 2;
}
