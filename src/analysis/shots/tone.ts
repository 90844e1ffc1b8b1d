import { RGB } from '../../domain/footage.ts';
import type { FrameSketch } from '../frames/sketch.ts';

/** Fit of the best tone curve from one picture to another one. */
interface ToneChange {
  /** 0..1: share of the other picture's variance that a tone curve of this one explains. Cuts have up to .65. */
  readonly explained: number;
  /** The same, but a plain picture counts as any picture in the dark or in too much light. */
  readonly explainedOrPlain: number;
  /** 0..1: share of the change that the curve leaves. Another framing of the same place leaves nearly all of it. */
  readonly left: number;
}

const TONE = {
  /** Steps of the curve, of sixteen levels each. */
  STEPS: 16,
  /** Variance, squared levels, below which a picture shows hardly anything. */
  PLAIN_VARIANCE: 25,
  /** Levels by which unchanged pictures differ. */
  NOISE: 1,
} as const;

/**
 * Best tone curve between two pictures, in the better direction (Pearson's correlation ratio per channel). It
 * finds sudden changes of light or exposure, even clipping ones. After those, one of the two pictures no
 * longer determines the other.
 */
export function toneChange(a: FrameSketch, b: FrameSketch): ToneChange {
  const on = toneCurve(a.small, b.small);
  const back = toneCurve(b.small, a.small);
  return {
    explained: Math.max(on.explained, back.explained),
    explainedOrPlain: Math.max(on.explainedOrPlain, back.explainedOrPlain),
    left: Math.min(on.left, back.left),
  };
}

function toneCurve(from: Float32Array, to: Float32Array): ToneChange {
  const sums = new Float64Array(TONE.STEPS);
  const counts = new Float64Array(TONE.STEPS);
  let total = 0;
  let within = 0;
  let left = 0;
  let plain = 0;
  for (let channel = 0; channel < RGB; channel++) {
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
    for (let step = 0; step < TONE.STEPS; step++) sums[step] /= Math.max(1, counts[step]);
    for (let i = channel; i < from.length; i += 3) {
      const rest = to[i] - sums[from[i] >> 4];
      within += rest * rest;
      total += (to[i] - mean) ** 2;
      left += Math.abs(rest);
      plain += Math.abs(to[i] - from[i]);
    }
  }
  const plainness = TONE.PLAIN_VARIANCE * from.length;
  return {
    explained: (total - within) / (total + plainness),
    explainedOrPlain: (total - within + plainness) / (total + plainness),
    left: Math.min(1, left / (plain + TONE.NOISE * from.length)),
  };
}
