import { RGB } from '../../domain/footage.ts';
import { coarseDistance, type FrameSketch } from '../frames/sketch.ts';
import type { Candidate } from './candidate.ts';
import { EVIDENCE, largestStep } from './span-evidence.ts';

const LIMITS = {
  /**
   * Largest step of a transition over its change from end to end: 379 of 379 up to 1.02. Flashes and strobes, also over a
   * hard cut, have 1.3 to 2.4.
   */
  MAX_STEP: 1.2,
  /** Width of the bins of a histogram of colors, levels. */
  BIN_LEVELS: 16,
  /**
   * Largest share of the two commonest colors in the pictures at both ends of a wipe, slide or zoom: up to .74 of 246, black
   * and white pages among them. Silhouettes that enter a plain picture and sparks on black have .91 to 1.
   */
  MAX_TWO_TONES: 0.85,
} as const;

/**
 * Whether a candidate is only light or a silhouette: its picture changes more in one step than from end to end, or a moving
 * edge parts no more than two plain colors.
 */
export function isNoTransition(samples: readonly FrameSketch[], candidate: Candidate): boolean {
  const { start, end, type } = candidate;
  const change = Math.max(EVIDENCE.MIN_TRAVEL, coarseDistance(samples[start], samples[end]));
  if (largestStep(samples, candidate) > LIMITS.MAX_STEP * change) return true;
  return type !== 'dissolve' && twoToneShare(samples[start], samples[end]) > LIMITS.MAX_TWO_TONES;
}

/** Share of the pixels of two pictures that have one of the two commonest colors. */
function twoToneShare(a: FrameSketch, b: FrameSketch): number {
  const counts = new Map<number, number>();
  for (const { small } of [a, b]) {
    for (let at = 0; at < small.length; at += RGB) {
      let bin = 0;
      for (let k = 0; k < RGB; k++) bin = 256 * bin + Math.floor(small[at + k] / LIMITS.BIN_LEVELS);
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
    }
  }
  const [first = 0, second = 0] = [...counts.values()].sort((one, other) => other - one);
  return (RGB * (first + second)) / (a.small.length + b.small.length);
}
