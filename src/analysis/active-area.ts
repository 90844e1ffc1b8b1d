import type { Picture } from '../footage.ts';
import { type Box, WHOLE_PICTURE } from './facts.ts';

/** Mean levels (full range) up to which a row or column is border black: coded black rings by a few. */
const BORDER_LEVEL = 12;
/** What the picture beside a border reaches within `EDGE_STEPS` rows or columns, in its brightest frame. */
const PICTURE_LEVEL = 28;
const EDGE_STEPS = 2;
/** Below this share of the next one, the first row or column of the picture is mixed with the border. */
const MIXED_SHARE = 0.8;
/** No common letterbox or pillarbox leaves less: what does is a dark scene. */
const LEAST_SIDE = 0.4;

/** A row's or column's mean is that of every eighth pixel along it. */
const STEP = 8;

/**
 * Finds the part of the picture inside black borders: rows and columns that stay black through the whole clip, on
 * both opposite sides, and end at once. A vignette or a dark scene fades; a border does not.
 */
export class ActiveArea {
  /** Largest mean level so far. */
  #columns: Float64Array | null = null;
  #rows = new Float64Array();
  #columnSums = new Uint32Array();

  /** Takes one grey picture; all of one size (others are ignored). */
  push(picture: Picture): void {
    const { width, height, data } = picture;
    if (this.#columns === null) {
      this.#columns = new Float64Array(width);
      this.#columnSums = new Uint32Array(width);
      this.#rows = new Float64Array(height);
    }
    if (this.#columns.length !== width || this.#rows.length !== height) return;
    const sums = this.#columnSums.fill(0);
    for (let y = 0, row = 0; y < height; y++, row += width) {
      let sum = 0;
      const start = y % STEP;
      for (let x = start; x < width; x += STEP) sum += data[row + x]!;
      const level = sum / Math.ceil((width - start) / STEP);
      if (level > this.#rows[y]!) this.#rows[y] = level;
      if (start === 0) for (let x = 0; x < width; x++) sums[x]! += data[row + x]!;
    }
    const counted = Math.ceil(height / STEP);
    for (let x = 0; x < width; x++) {
      const level = sums[x]! / counted;
      if (level > this.#columns[x]!) this.#columns[x] = level;
    }
  }

  /** The whole picture when there are no borders. */
  finish(): Box {
    if (this.#columns === null) return WHOLE_PICTURE;
    const across = activeRun(this.#columns);
    const down = activeRun(this.#rows);
    return { x: across.from, y: down.from, width: across.size, height: down.size };
  }
}

function activeRun(levels: Float64Array): { readonly from: number; readonly size: number } {
  const before = borderLength(levels);
  const after = borderLength(levels.toReversed());
  const size = (levels.length - before - after) / levels.length;
  if (before === 0 || after === 0 || size < LEAST_SIDE) return { from: 0, size: 1 };
  return { from: rounded(before / levels.length), size: rounded(size) };
}

function borderLength(levels: Float64Array): number {
  const first = levels.findIndex((level) => level > BORDER_LEVEL);
  if (first <= 0 || (levels[first + EDGE_STEPS] ?? 0) < PICTURE_LEVEL) return 0;
  let end = first;
  while (end < first + EDGE_STEPS && levels[end]! < MIXED_SHARE * levels[end + 1]!) end++;
  return end;
}

function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}
