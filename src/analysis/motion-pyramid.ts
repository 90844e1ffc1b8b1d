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

/** One picture and its coarse levels, overwritten in place from frame to frame. */
export class Pyramid {
  readonly width: number;
  readonly height: number;
  /** The picture itself, 0..255. */
  readonly full: Uint8Array;
  readonly half: Level;
  readonly quarter: Level;
  readonly #columnSums: Int32Array;
  readonly #scratch: Int16Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.full = new Uint8Array(width * height);
    this.half = level(width >> 1, height >> 1);
    this.quarter = level(width >> 2, height >> 2);
    this.#columnSums = new Int32Array(width >> 1);
    this.#scratch = new Int16Array(this.half.data.length);
  }

  load(grey: Picture): void {
    this.full.set(grey.data.subarray(0, this.full.length));
    this.#halve();
    this.#highPass();
    this.#quarter();
  }

  /** Box means of 2×2, times LEVEL_SCALE. */
  #halve(): void {
    const { full, half, width } = this;
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
    const { width, height, data } = this.half;
    if (width === 0 || height === 0) return;
    const original = this.#scratch;
    original.set(data);
    const columns = this.#columnSums;
    columns.fill(0);
    for (let y = 0; y < Math.min(HIGH_PASS_RADIUS, height); y++) addRow(columns, original, y * width, 1);
    let rows = Math.min(HIGH_PASS_RADIUS, height);
    for (let y = 0; y < height; y++) {
      if (y + HIGH_PASS_RADIUS < height) {
        addRow(columns, original, (y + HIGH_PASS_RADIUS) * width, 1);
        rows++;
      }
      if (y - HIGH_PASS_RADIUS - 1 >= 0) {
        addRow(columns, original, (y - HIGH_PASS_RADIUS - 1) * width, -1);
        rows--;
      }
      let sum = 0;
      let count = 0;
      for (let x = 0; x < Math.min(HIGH_PASS_RADIUS, width); x++, count++) sum += columns[x];
      for (let x = 0; x < width; x++) {
        if (x + HIGH_PASS_RADIUS < width) {
          sum += columns[x + HIGH_PASS_RADIUS];
          count++;
        }
        if (x - HIGH_PASS_RADIUS - 1 >= 0) {
          sum -= columns[x - HIGH_PASS_RADIUS - 1];
          count--;
        }
        data[y * width + x] = original[y * width + x] - Math.round(sum / (count * rows));
      }
    }
  }

  #quarter(): void {
    const { half, quarter } = this;
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
