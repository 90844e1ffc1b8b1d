import { type FrameSketch, unchangedShare } from '../frames/sketch.ts';
import type { Step } from './cut-evidence.ts';

const OVERLAY = {
  /** Levels by which a coarse cell of a still picture changes at most. */
  CELL_LEVELS: 2,
  /** Least share of the cells without change: under captions and lower thirds .67 to .93 of a still. */
  MIN_UNCHANGED: 0.5,
  /** Largest mean change, levels: captions have up to 12, cuts over a static background 18 or more. */
  MAX_CHANGE: 14,
  /** Largest mean change of the two steps on each side, levels: the picture is a still. Calm footage has more. */
  STILL_CHANGE: 0.2,
} as const satisfies Readonly<Record<string, number>>;

/** Whether a step only changes an overlay, such as a caption or a lower third, over a still picture. */
export function isOverlayChange(window: readonly Step[], at: number): boolean {
  const step = window[at];
  if (step.raw > OVERLAY.MAX_CHANGE) return false;
  const old: FrameSketch = window[at - 1].sketch;
  const sides = [at - 2, at - 1, at + 1, at + 2].filter((i) => i >= 1 && i < window.length);
  return (
    sides.every((i) => window[i].raw <= OVERLAY.STILL_CHANGE) &&
    unchangedShare(old, step.sketch, OVERLAY.CELL_LEVELS) >= OVERLAY.MIN_UNCHANGED
  );
}
