import type { Frame as VideoFrame } from 'node-av/lib';

const GREY_PIXELS = 160 * 90;
const COLOUR_PIXELS = 48 * 27;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface GridSizes {
  readonly grey: Size;
  readonly colour: Size;
}

/** Analysis grids of a picture of the given display ratio (width / height): even area, ratio kept within 1:16. */
export function gridSizes(ratio: number): GridSizes {
  const bounded = Math.min(Math.max(ratio, 1 / 16), 16);
  const fit = (area: number) => {
    const height = Math.max(4, Math.round(Math.sqrt(area / bounded)));
    return { width: Math.max(4, Math.round(height * bounded)), height };
  };
  return { grey: fit(GREY_PIXELS), colour: fit(COLOUR_PIXELS) };
}

/** One run of source samples with weights that add up to 1. */
interface Taps {
  readonly first: number;
  readonly weights: readonly number[];
}

/** Means of a plane over the cells of a coarser grid; samples on a border count in both cells by their parts. */
export class BoxGrid {
  readonly #columns: readonly Taps[];
  readonly #rows: readonly Taps[];
  readonly #line: Float32Array;

  constructor(from: Size, to: Size) {
    this.#columns = boxTaps(from.width, to.width);
    this.#rows = boxTaps(from.height, to.height);
    this.#line = new Float32Array(from.width);
  }

  /** The plane is a view into FFmpeg's memory and is read here only. */
  mean(frame: VideoFrame, number: number): Float32Array {
    const plane = frame.data![number]!;
    const stride = frame.linesize[number]!;
    const line = this.#line;
    const out = new Float32Array(this.#columns.length * this.#rows.length);
    let at = 0;
    for (const { first, weights } of this.#rows) {
      line.fill(0);
      for (let row = 0; row < weights.length; row++) {
        const start = (first + row) * stride;
        const weight = weights[row]!;
        for (let x = 0; x < line.length; x++) line[x]! += weight * plane[start + x]!;
      }
      for (const column of this.#columns) {
        let sum = 0;
        for (let i = 0; i < column.weights.length; i++) sum += column.weights[i]! * line[column.first + i]!;
        out[at++] = sum;
      }
    }
    return out;
  }
}

function boxTaps(from: number, to: number): Taps[] {
  const step = from / to;
  return Array.from({ length: to }, (_, cell) => {
    const start = cell * step;
    const end = Math.min(from, start + step);
    const first = Math.floor(start + 1e-9);
    const last = Math.max(first, Math.ceil(end - 1e-9) - 1);
    const weights = Array.from(
      { length: last - first + 1 },
      (_, i) => (Math.min(end, first + i + 1) - Math.max(start, first + i)) / (end - start),
    );
    return { first, weights };
  });
}

/** Full-range BT.709 (ITU-R BT.709-6, section 3) to RGB. */
export function yuvToRgb(y: Float32Array, u: Float32Array, v: Float32Array): Uint8Array {
  const out = new Uint8Array(y.length * 3);
  const clamp = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value));
  for (let i = 0, o = 0; i < y.length; i++, o += 3) {
    const cb = u[i]! - 128;
    const cr = v[i]! - 128;
    out[o] = clamp(y[i]! + 1.5748 * cr);
    out[o + 1] = clamp(y[i]! - 0.1873 * cb - 0.4681 * cr);
    out[o + 2] = clamp(y[i]! + 1.8556 * cb);
  }
  return out;
}
