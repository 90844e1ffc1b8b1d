import type { Picture } from '../footage.ts';

/** A part of a small picture, in whole pixels of it. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Mean level up to which a row or column is border black; coding lets black ring by a few levels. */
const BORDER_LEVEL = 12;
/** What the picture beside a border reaches within this many rows or columns: a dark scene fades, a border ends. */
const PICTURE_LEVEL = 28;
const EDGE_STEPS = 2;
/** Below this share of the next one, the first row or column of the picture is mixed with the border. */
const MIXED_SHARE = 0.8;
/** An upright picture of 9:16 inside a wide one leaves .316 of its width. */
const LEAST_SIDE = 0.28;

/**
 * The part of the pictures inside black bars on two opposite sides, as known so far: rows and columns that have been
 * black in every frame. Bars dilute every measure of change, and hide what white or an edge that moves reaches.
 */
export class PictureArea {
  #rows = new Float64Array();
  #columns = new Float64Array();
  #columnSums = new Float64Array();
  #size = { width: 0, height: 0 };
  #box: PixelBox | null = null;
  /** Pixels have been seen on every side that bars would need: there will never be any. */
  #isSettled = false;

  /** Null when it is the whole picture. */
  get box(): PixelBox | null {
    return this.#box;
  }

  /** Takes a picture of three channels. True when that changed the box. */
  push({ width, height, data }: Picture): boolean {
    if (this.#isSettled) return false;
    if (this.#size.width === 0) {
      this.#size = { width, height };
      this.#rows = new Float64Array(height);
      this.#columns = new Float64Array(width);
      this.#columnSums = new Float64Array(width);
    }
    if (width !== this.#size.width || height !== this.#size.height) return false;
    this.#raiseLevels(data);
    const isOpen = (levels: Float64Array): boolean =>
      levels[0] > BORDER_LEVEL || levels.at(-1)! > BORDER_LEVEL;
    this.#isSettled = isOpen(this.#rows) && isOpen(this.#columns);
    const before = this.#box;
    const across = litRun(this.#columns);
    const down = litRun(this.#rows);
    const isWhole = across.size === width && down.size === height;
    this.#box = isWhole ? null : { left: across.from, top: down.from, width: across.size, height: down.size };
    return !isSameBox(before, this.#box);
  }

  #raiseLevels(data: Uint8Array): void {
    const { width, height } = this.#size;
    const sums = this.#columnSums.fill(0);
    for (let y = 0, p = 0; y < height; y++) {
      let row = 0;
      for (let x = 0; x < width; x++, p += 3) {
        const level = data[p] + data[p + 1] + data[p + 2];
        row += level;
        sums[x] += level;
      }
      this.#rows[y] = Math.max(this.#rows[y], row / (3 * width));
    }
    for (let x = 0; x < width; x++) this.#columns[x] = Math.max(this.#columns[x], sums[x] / (3 * height));
  }
}

function isSameBox(a: PixelBox | null, b: PixelBox | null): boolean {
  if (a === null || b === null) return a === b;
  return a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
}

function litRun(levels: Float64Array): { readonly from: number; readonly size: number } {
  const last = levels.length - 1;
  const before = borderLength((i) => levels[i], last);
  const after = borderLength((i) => levels[last - i], last);
  const size = levels.length - before - after;
  if (before === 0 || after === 0 || size < LEAST_SIDE * levels.length)
    return { from: 0, size: levels.length };
  return { from: before, size };
}

function borderLength(level: (i: number) => number, last: number): number {
  let first = 0;
  while (first <= last && level(first) <= BORDER_LEVEL) first += 1;
  if (first === 0 || first + EDGE_STEPS > last || level(first + EDGE_STEPS) < PICTURE_LEVEL) return 0;
  let end = first;
  while (end < first + EDGE_STEPS && level(end) < MIXED_SHARE * level(end + 1)) end += 1;
  return end;
}
