import type { InkKernel } from './ink.ts';

/** Rows of the detail picture looked at: one in this many. Letters are tall enough, and it halves the work. */
export const ROW_STEP = 2;

/** A rectangle in pixels of a look (see `caption-track.ts`); right and bottom are exclusive. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

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

interface Segment {
  row: number;
  left: number;
  right: number;
  group: number;
}

/** Groups ink, in the kernel's memory, into lines and blocks of lines: runs of inked tiles, joined where they touch in the next row. */
export function findRegions(ink: Uint8Array, kernel: InkKernel): PixelBox[] {
  const columns = Math.floor(kernel.width / TILE);
  const rows = Math.floor(kernel.rows / TILE_ROWS);
  const inked = inkedTiles(ink, kernel, columns, rows);
  const segments: Segment[] = [];
  let above: Segment[] = [];
  const parents: number[] = [];
  const root = (group: number): number => {
    let at = group;
    while (parents[at] !== at) at = parents[at];
    return at;
  };
  for (let row = 0; row < rows; row++) {
    const here = rowSegments(inked, row, columns);
    for (const segment of here) {
      segment.group = parents.length;
      parents.push(segment.group);
      for (const other of above) {
        if (other.left < segment.right && segment.left < other.right)
          parents[root(other.group)] = segment.group;
      }
      segments.push(segment);
    }
    above = here;
  }
  const boxes = new Map<number, { left: number; top: number; right: number; bottom: number }>();
  for (const segment of segments) {
    const group = root(segment.group);
    const box = boxes.get(group);
    const left = segment.left * TILE;
    const right = segment.right * TILE;
    const top = segment.row * TILE_ROWS;
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

function inkedTiles(ink: Uint8Array, kernel: InkKernel, columns: number, rows: number): Uint8Array {
  return kernel.countTiles(ink, columns, rows, TILE_ROWS).map((count) => (count >= MIN_INK ? 1 : 0));
}

function rowSegments(inked: Uint8Array, row: number, columns: number): Segment[] {
  const segments: Segment[] = [];
  for (let column = 0; column < columns; column++) {
    if (inked[row * columns + column] === 0) continue;
    const last = segments.at(-1);
    if (last !== undefined && column - last.right <= WORD_GAP) last.right = column + 1;
    else segments.push({ row, left: column, right: column + 1, group: 0 });
  }
  return segments;
}
