import { RGB } from '../../domain/footage.ts';
import type { FrameSketch } from '../frames/sketch.ts';

/** Not fitted: no ranges were measured. */
const PART = {
  /** Least change of a cell between the pictures around a step, mean of its channels, levels. */
  CELL_LEVELS: 20,
  /** Largest distance of a cell from the picture that it belongs to, as a share of that change. */
  NEAR: 0.2,
  /** Least share of the changed cells that switch before the step, or after it. */
  MIN_SHARE: 0.1,
} as const;

/**
 * Whether a step to the sample `at` switches only a part of the picture: other parts switch with the step before or after it,
 * as in a wipe, circle or slide of a few frames.
 */
export function switchesInParts(samples: readonly FrameSketch[], at: number): boolean {
  if (at < 2 || at + 1 >= samples.length) return false;
  const [old, before, after, fresh] = [at - 2, at - 1, at, at + 1].map((k) => samples[k].coarse);
  const distance = (a: Float32Array, b: Float32Array, cell: number): number => {
    let sum = 0;
    for (let k = cell; k < cell + RGB; k++) sum += Math.abs(a[k] - b[k]);
    return sum / RGB;
  };
  let [changed, early, late] = [0, 0, 0];
  for (let cell = 0; cell < old.length; cell += RGB) {
    const change = distance(old, fresh, cell);
    if (change < PART.CELL_LEVELS) continue;
    changed += 1;
    if (distance(before, fresh, cell) <= PART.NEAR * change) early += 1;
    if (distance(after, old, cell) <= PART.NEAR * change) late += 1;
  }
  return Math.max(early, late) >= PART.MIN_SHARE * Math.max(1, changed);
}
