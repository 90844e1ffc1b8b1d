import { BOX_LENGTH, type InkKernel } from './ink.ts';
import type { PixelBox } from './patch.ts';

/** One in this many rows of the detail picture is read. Letters are tall enough, and it halves the work. */
export const ROW_STEP = 2;

/** Side of a tile in pixels of the detail picture (the kernel assumes it), and its rows in a sample. */
const TILE = 8;
const TILE_ROWS = TILE / ROW_STEP;
/** Least ink pixels, of 32, of a tile with text. */
const MIN_INK = 3;
/** Up to this many empty tiles between words do not end a line. */
const WORD_GAP = 3;
/** Least width of a line, tiles. */
const MIN_WIDTH = 3;
/** Most regions per picture, the largest first: bounds the cost of a picture full of texture. */
export const MAX_REGIONS = 12;

/** Groups ink, in the kernel's memory, into lines and blocks of lines: runs of inked tiles, joined where they touch in the next row. */
export function findRegions(ink: Uint8Array, kernel: InkKernel): PixelBox[] {
  const groups = kernel.findGroups(ink, {
    columns: Math.floor(kernel.width / TILE),
    rows: Math.floor(kernel.rows / TILE_ROWS),
    tileRows: TILE_ROWS,
    minInk: MIN_INK,
    gap: WORD_GAP,
    minWidth: MIN_WIDTH,
  });
  const boxes = Array.from({ length: groups.length / BOX_LENGTH }, (_, group): PixelBox => {
    const at = BOX_LENGTH * group;
    return {
      left: groups[at] * TILE,
      top: groups[at + 1] * TILE_ROWS,
      right: groups[at + 2] * TILE,
      bottom: groups[at + 3] * TILE_ROWS,
    };
  });
  return boxes.sort((a, b) => area(b) - area(a)).slice(0, MAX_REGIONS);
}

export function area(box: PixelBox): number {
  return Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);
}

export function overlapArea(a: PixelBox, b: PixelBox): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}
