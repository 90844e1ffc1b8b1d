import type { Picture } from '../footage.ts';

/** Values of the coarse levels are grey levels times this: integers keep the search loops fast. */
export const LEVEL_SCALE = 4;
/** Half the side of the box whose mean is taken away, in pixels of the half level (18 of the picture). */
const HIGH_PASS_RADIUS = 9;

/** A picture without its slow brightness, so that fades and exposure jumps do not disturb the search. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly data: Int16Array;
}

/** One picture and its coarse levels, made only when asked for, overwritten in place from frame to frame. */
export class Pyramid {
  readonly width: number;
  readonly height: number;
  /**
   * The picture, 0..255, smoothed by 1-2-1 both ways: what is left is slow enough for bilinear interpolation, whose
   * wrong phase would draw vectors to whole pixels.
   */
  readonly full: Float64Array;
  readonly #half: Level;
  readonly #quarter: Level;
  #halfMade = false;
  #quarterMade = false;
  readonly #columnSums: Int32Array;
  readonly #scratch: Int16Array;
  readonly #line: Int32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.full = new Float64Array(width * height);
    this.#line = new Int32Array(width);
    this.#half = level(width >> 1, height >> 1);
    this.#quarter = level(width >> 2, height >> 2);
    this.#columnSums = new Int32Array(width >> 1);
    this.#scratch = new Int16Array(this.#half.data.length);
  }

  load(grey: Picture): void {
    this.#smooth(grey.data);
    this.#halfMade = false;
    this.#quarterMade = false;
  }

  #smooth(data: Uint8Array): void {
    const { width, height, full } = this;
    const line = this.#line;
    for (let y = 0; y < height; y++) {
      const row = y * width;
      const up = y > 0 ? -width : 0;
      const down = y + 1 < height ? width : 0;
      for (let x = 0, at = row; x < width; x++, at++)
        line[x] = data[at + up] + 2 * data[at] + data[at + down];
      const last = width - 1;
      for (let x = 1; x < last; x++) full[row + x] = (line[x - 1] + 2 * line[x] + line[x + 1]) * 0.0625;
      full[row] = (3 * line[0] + line[Math.min(1, last)]) * 0.0625;
      full[row + last] = (3 * line[last] + line[Math.max(0, last - 1)]) * 0.0625;
    }
  }

  get half(): Level {
    if (!this.#halfMade) {
      this.#halfMade = true;
      this.#fillHalf();
      this.#highPass();
    }
    return this.#half;
  }

  get quarter(): Level {
    if (!this.#quarterMade) {
      this.#quarterMade = true;
      this.#fillQuarter(this.half);
    }
    return this.#quarter;
  }

  /** Box means of 2×2, times LEVEL_SCALE. */
  #fillHalf(): void {
    const { full, width } = this;
    const half = this.#half;
    for (let y = 0; y < half.height; y++) {
      let from = 2 * y * width;
      const row = y * half.width;
      for (let x = 0; x < half.width; x++, from += 2) {
        half.data[row + x] = full[from] + full[from + 1] + full[from + width] + full[from + width + 1];
      }
    }
  }

  /** Takes the box mean away, by running sums over columns, then over rows. */
  #highPass(): void {
    const { width, height, data } = this.#half;
    if (width === 0 || height === 0) return;
    const original = this.#scratch;
    original.set(data);
    const columns = this.#columnSums;
    columns.fill(0);
    let rows = Math.min(HIGH_PASS_RADIUS, height);
    for (let y = 0; y < rows; y++) addRow(columns, original, y * width, 1);
    for (let y = 0; y < height; y++) {
      if (y + HIGH_PASS_RADIUS < height) {
        addRow(columns, original, (y + HIGH_PASS_RADIUS) * width, 1);
        rows++;
      }
      if (y - HIGH_PASS_RADIUS - 1 >= 0) {
        addRow(columns, original, (y - HIGH_PASS_RADIUS - 1) * width, -1);
        rows--;
      }
      let count = Math.min(HIGH_PASS_RADIUS, width);
      let sum = 0;
      for (let x = 0; x < count; x++) sum += columns[x];
      const row = y * width;
      for (let x = 0; x < width; x++) {
        const enters = x + HIGH_PASS_RADIUS;
        if (enters < width) {
          sum += columns[enters];
          count++;
        }
        const goes = enters - 2 * HIGH_PASS_RADIUS - 1;
        if (goes >= 0) {
          sum -= columns[goes];
          count--;
        }
        data[row + x] = original[row + x] - ((sum / (count * rows) + 0.5) | 0);
      }
    }
  }

  #fillQuarter(half: Level): void {
    const quarter = this.#quarter;
    for (let y = 0; y < quarter.height; y++) {
      let from = 2 * y * half.width;
      const row = y * quarter.width;
      for (let x = 0; x < quarter.width; x++, from += 2) {
        const sum =
          half.data[from] +
          half.data[from + 1] +
          half.data[from + half.width] +
          half.data[from + half.width + 1];
        quarter.data[row + x] = sum >> 2;
      }
    }
  }
}

function level(width: number, height: number): Level {
  return { width, height, data: new Int16Array(width * height) };
}

function addRow(sums: Int32Array, data: Int16Array, offset: number, sign: number): void {
  for (let x = 0; x < sums.length; x++) sums[x] += sign * data[offset + x];
}
