import type { Picture } from '../footage.ts';
import type { Box } from './facts.ts';

/** Mean levels (full range) up to which a row or column is border black: coded black rings by a few. */
const BORDER_LEVEL = 12;
/** What the picture beside a border reaches within `EDGE_STEPS` rows or columns, in its brightest frame. */
const PICTURE_LEVEL = 28;
const EDGE_STEPS = 2;
/** Below this share of the next one, the first row or column of the picture is mixed with the border. */
const MIXED_SHARE = 0.8;
/** No common letterbox or pillarbox leaves less: what does is a dark scene. */
const LEAST_SIDE = 0.4;

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/**
 * Finds the part of the picture inside black borders: rows and columns that stay black through the whole clip, on
 * both opposite sides, and end at once. A vignette or a dark scene fades; a border does not.
 */
export class ActiveArea {
  #columns: Float64Array | null = null;
  #rows: Float64Array = new Float64Array();

  /** Takes one grey picture; all of one size (others are ignored). */
  push(picture: Picture): void {
    const { width, height, data } = picture;
    if (this.#columns === null) {
      this.#columns = new Float64Array(width);
      this.#rows = new Float64Array(height);
    }
    if (this.#columns.length !== width || this.#rows.length !== height) return;
    const columns = new Float64Array(width);
    for (let y = 0; y < height; y++) {
      let sum = 0;
      for (let x = 0, at = y * width; x < width; x++, at++) {
        const level = data[at]!;
        sum += level;
        columns[x]! += level;
      }
      this.#rows[y] = Math.max(this.#rows[y]!, sum / width);
    }
    for (let x = 0; x < width; x++) this.#columns[x] = Math.max(this.#columns[x]!, columns[x]! / height);
  }

  /** The whole picture when there are no borders. */
  finish(): Box {
    if (this.#columns === null) return WHOLE;
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
