import { RGB } from '../../domain/footage.ts';
import { type FrameSketch, unchangedShare } from '../frames/sketch.ts';
import type { Step } from './cut-evidence.ts';

const OVERLAY = {
  /** Levels by which a coarse cell of a still picture changes at most. */
  CELL_LEVELS: 2,
  /** Least share of the cells without change: under captions and lower thirds .67 to .93 of a still. */
  MIN_UNCHANGED: 0.5,
  /** Largest mean change, levels: captions have up to 12, cuts over a static background 18 or more. */
  MAX_CHANGE: 14,
  /**
   * The same for cells that show structure, which a plain background or a title card does not: .41 to .72 of stills
   * under large captions with a box, of up to 26 levels; cuts between stills .00.
   */
  MIN_TEXTURED: 0.3,
  MAX_TEXTURED_CHANGE: 30,
  /** Least difference of such a cell from a cell beside it, levels. */
  TEXTURE_LEVELS: 3,
  /** Largest mean change of the two steps on each side, levels: the picture is a still. Calm footage has more. */
  STILL_CHANGE: 0.2,
} as const satisfies Readonly<Record<string, number>>;

/** Whether a step only changes an overlay, such as a caption or a lower third, over a still picture. */
export function isOverlayChange(window: readonly Step[], at: number): boolean {
  const { raw, sketch: fresh } = window[at];
  if (raw > OVERLAY.MAX_TEXTURED_CHANGE) return false;
  const old = window[at - 1].sketch;
  const sides = [at - 2, at - 1, at + 1, at + 2].filter((i) => i >= 1 && i < window.length);
  if (!sides.every((i) => window[i].raw <= OVERLAY.STILL_CHANGE)) return false;
  if (texturedUnchangedShare(old, fresh) >= OVERLAY.MIN_TEXTURED) return true;
  return (
    raw <= OVERLAY.MAX_CHANGE && unchangedShare(old, fresh, OVERLAY.CELL_LEVELS) >= OVERLAY.MIN_UNCHANGED
  );
}

/** Share of the coarse cells that do not change and differ from a cell beside them that does not change either. */
export function texturedUnchangedShare(old: FrameSketch, fresh: FrameSketch): number {
  const { coarse, coarseWidth: width } = old;
  const cells = coarse.length / RGB;
  const isSame = Uint8Array.from({ length: cells }, (_, cell) =>
    levelsBetween(coarse, cell, fresh.coarse, cell) <= OVERLAY.CELL_LEVELS ? 1 : 0,
  );
  const differ = (cell: number, beside: number): boolean =>
    isSame[beside] === 1 && levelsBetween(coarse, cell, coarse, beside) > OVERLAY.TEXTURE_LEVELS;
  let textured = 0;
  for (let cell = 0; cell < cells; cell++) {
    if (isSame[cell] === 0) continue;
    const column = cell % width;
    if (
      (column > 0 && differ(cell, cell - 1)) ||
      (column < width - 1 && differ(cell, cell + 1)) ||
      (cell >= width && differ(cell, cell - width)) ||
      (cell + width < cells && differ(cell, cell + width))
    )
      textured += 1;
  }
  return textured / cells;
}

/** Largest difference of the channels of two cells. */
function levelsBetween(a: Float32Array, cell: number, b: Float32Array, other: number): number {
  let most = 0;
  for (let k = 0; k < RGB; k++) most = Math.max(most, Math.abs(a[RGB * cell + k] - b[RGB * other + k]));
  return most;
}
