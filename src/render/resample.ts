import type { Plane, Yuv } from './composite.ts';

/** A part of a picture in its own luma pixels; edges may lie between pixels. */
export interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Catmull-Rom: passes through the samples, so that a window on whole pixels changes nothing (Keys 1981, a = −1/2). */
const TAPS = 4;

/**
 * Draws a window of one picture into another, sampling between the pixels, so that a framing moves as smoothly as its
 * numbers do. Meant for scales near 1: a picture that is to shrink by much is to be scaled down first.
 */
export class Resampler {
  readonly #columns: AxisTable;
  readonly #rows: AxisTable;
  readonly #lines: Float32Array[];
  readonly #held: Int32Array;

  /** The size of the output's luma plane. */
  constructor(width: number, height: number) {
    this.#columns = new AxisTable(width);
    this.#rows = new AxisTable(height);
    this.#lines = Array.from({ length: TAPS }, () => new Float32Array(width));
    this.#held = new Int32Array(TAPS);
  }

  draw(from: Yuv, window: Window, to: Yuv): void {
    const scaleX = window.width / to[0].width;
    const scaleY = window.height / to[0].height;
    for (let plane = 0; plane < 3; plane++) {
      const [source, target] = [from[plane]!, to[plane]!];
      // 4:2:0 as in MPEG-2: chroma lies on every other luma column, and between two luma rows.
      const [x, y] =
        plane === 0
          ? [window.x + scaleX / 2 - 0.5, window.y + scaleY / 2 - 0.5]
          : [(window.x + scaleX / 2 - 0.5) / 2, (window.y + scaleY - 1) / 2];
      this.#columns.fill(target.width, source.width, x, scaleX);
      this.#rows.fill(target.height, source.height, y, scaleY);
      this.#drawPlane(source, target);
    }
  }

  #drawPlane(source: Plane, target: Plane): void {
    this.#held.fill(-1);
    const { index, weight } = this.#rows;
    for (let row = 0; row < target.height; row++) {
      const at = row * TAPS;
      const [a, b, c, d] = [
        this.#line(source, target.width, index[at]!),
        this.#line(source, target.width, index[at + 1]!),
        this.#line(source, target.width, index[at + 2]!),
        this.#line(source, target.width, index[at + 3]!),
      ];
      const [wa, wb, wc, wd] = [weight[at]!, weight[at + 1]!, weight[at + 2]!, weight[at + 3]!];
      const start = row * target.stride;
      for (let x = 0; x < target.width; x++) {
        const value = a[x]! * wa + b[x]! * wb + c[x]! * wc + d[x]! * wd + 0.5;
        target.data[start + x] = value < 0 ? 0 : value > 255 ? 255 : value;
      }
    }
  }

  /** A source row drawn to the target's width; the last four are remembered. */
  #line(source: Plane, width: number, row: number): Float32Array {
    const slot = row & (TAPS - 1);
    const line = this.#lines[slot]!;
    if (this.#held[slot] === row) return line;
    this.#held[slot] = row;
    const { index, weight } = this.#columns;
    const { data } = source;
    const start = row * source.stride;
    for (let x = 0, at = 0; x < width; x++, at += TAPS) {
      line[x] =
        data[start + index[at]!]! * weight[at]! +
        data[start + index[at + 1]!]! * weight[at + 1]! +
        data[start + index[at + 2]!]! * weight[at + 2]! +
        data[start + index[at + 3]!]! * weight[at + 3]!;
    }
    return line;
  }
}

/** For each output position four source positions and their weights. */
class AxisTable {
  readonly index: Int32Array;
  readonly weight: Float32Array;

  constructor(most: number) {
    this.index = new Int32Array(most * TAPS);
    this.weight = new Float32Array(most * TAPS);
  }

  /** Output sample k lies at source position `first + k · scale`; beyond the ends the outermost sample goes on. */
  fill(count: number, sourceCount: number, first: number, scale: number): void {
    for (let k = 0, at = 0; k < count; k++, at += TAPS) {
      const position = Math.min(sourceCount - 1, Math.max(0, first + k * scale));
      const base = Math.floor(position);
      const t = position - base;
      this.weight[at] = t * (-0.5 + t * (1 - 0.5 * t));
      this.weight[at + 1] = 1 + t * t * (-2.5 + 1.5 * t);
      this.weight[at + 2] = t * (0.5 + t * (2 - 1.5 * t));
      this.weight[at + 3] = t * t * (-0.5 + 0.5 * t);
      for (let tap = 0; tap < TAPS; tap++) {
        this.index[at + tap] = Math.min(sourceCount - 1, Math.max(0, base - 1 + tap));
      }
    }
  }
}
