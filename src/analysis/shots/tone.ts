import type { FrameSketch } from '../frames/sketch.ts';

/** Sixteen levels each. */
const STEPS = 16;
/** Share of the other picture's variance that a tone curve of this one explains: seen on cuts up to .65. */
const EXPLAINED = 0.85;
/** And what it may leave of the plain change: another framing of the same place leaves all of it. */
const LEFT = 0.4;

/**
 * The one picture is the other under another tone curve (Pearson's correlation ratio per channel): light or exposure
 * that changes at once, even where it clips, so that one of the two no longer tells what the other was.
 */
export function isToneChange(a: FrameSketch, b: FrameSketch): boolean {
  return followsFrom(a.small, b.small) || followsFrom(b.small, a.small);
}

function followsFrom(from: Float32Array, to: Float32Array): boolean {
  const sums = new Float64Array(STEPS);
  const counts = new Float64Array(STEPS);
  let total = 0;
  let within = 0;
  let left = 0;
  let plain = 0;
  for (let channel = 0; channel < 3; channel++) {
    sums.fill(0);
    counts.fill(0);
    let sum = 0;
    for (let i = channel; i < from.length; i += 3) {
      const step = from[i] >> 4;
      sums[step] += to[i];
      counts[step] += 1;
      sum += to[i];
    }
    const mean = (3 * sum) / from.length;
    for (let step = 0; step < STEPS; step++) sums[step] /= Math.max(1, counts[step]);
    for (let i = channel; i < from.length; i += 3) {
      const rest = to[i] - sums[from[i] >> 4];
      within += rest * rest;
      total += (to[i] - mean) ** 2;
      left += Math.abs(rest);
      plain += Math.abs(to[i] - from[i]);
    }
  }
  return within <= (1 - EXPLAINED) * total && left <= LEFT * plain;
}
