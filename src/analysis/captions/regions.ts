import { type InkKernel, RUN_LENGTH } from './ink.ts';
import type { PixelBox } from './patch.ts';

/** Rows of the detail picture looked at: one in this many. Letters are tall enough, and it halves the work. */
export const ROW_STEP = 2;

/** Side of a tile in pixels of the detail picture (the kernel knows it), and its rows in a look. */
const TILE = 8;
const TILE_ROWS = TILE / ROW_STEP;
/** Ink pixels of 32 from which a tile may hold text. */
const MIN_INK = 3;
/** Tiles between words: this many empty ones do not end a line. */
const WORD_GAP = 3;
/** Least width of a line, tiles. */
const MIN_WIDTH = 3;
/** Regions handed out per picture, the largest first: what a picture full of texture may cost. */
export const MAX_REGIONS = 12;

/** Groups ink, in the kernel's memory, into lines and blocks of lines: runs of inked tiles, joined where they touch in the next row. */
export function findRegions(ink: Uint8Array, kernel: InkKernel): PixelBox[] {
  const runs = kernel.findRuns(ink, {
    columns: Math.floor(kernel.width / TILE),
    rows: Math.floor(kernel.rows / TILE_ROWS),
    tileRows: TILE_ROWS,
    minInk: MIN_INK,
    gap: WORD_GAP,
  });
  const groups = joinRuns(runs);
  const boxes = new Map<number, { left: number; top: number; right: number; bottom: number }>();
  for (const [run, group] of groups.entries()) {
    const [row, from, to] = runAt(runs, run);
    const box = boxes.get(group);
    const [left, top, right] = [from * TILE, row * TILE_ROWS, to * TILE];
    if (box === undefined) {
      boxes.set(group, { left, top, right, bottom: top + TILE_ROWS });
    } else {
      box.left = Math.min(box.left, left);
      box.right = Math.max(box.right, right);
      box.bottom = top + TILE_ROWS;
    }
  }
  return [...boxes.values()]
    .filter((box) => box.right - box.left >= MIN_WIDTH * TILE)
    .sort((a, b) => area(b) - area(a))
    .slice(0, MAX_REGIONS);
}

export function area(box: PixelBox): number {
  return Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);
}

export function overlapArea(a: PixelBox, b: PixelBox): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Of each run, the group of those that touch each other. */
function joinRuns(runs: Int32Array): number[] {
  const parents: number[] = [];
  const root = (run: number): number => {
    let at = run;
    while (parents[at] !== at) at = parents[at]!;
    return at;
  };
  let above = 0;
  for (let run = 0; run < runs.length / RUN_LENGTH; run++) {
    const [row, left, right] = runAt(runs, run);
    parents.push(run);
    while (runs[RUN_LENGTH * above]! < row - 1) above++;
    for (let other = above; runs[RUN_LENGTH * other]! < row; other++) {
      const [, from, to] = runAt(runs, other);
      if (from < right && left < to) parents[root(other)] = run;
    }
  }
  return parents.map(root);
}

function runAt(runs: Int32Array, run: number): readonly [row: number, left: number, right: number] {
  const at = RUN_LENGTH * run;
  return [runs[at]!, runs[at + 1]!, runs[at + 2]!];
}
