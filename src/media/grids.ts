import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../signal/kernel.ts';

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

/** One run of source samples: how much of each lies in a cell, in parts of a sample. */
interface Taps {
  readonly first: number;
  readonly parts: readonly number[];
}

/** A plane of bytes, rows `stride` apart. */
export interface BytePlane {
  readonly data: Uint8Array;
  readonly stride: number;
}

/** All but counts and sizes are addresses: `grids.wat` says what lies there. */
interface GridExports extends KernelExports {
  sumRows(
    plane: number,
    stride: number,
    width: number,
    rows: number,
    count: number,
    most: number,
    out: number,
    lineBytes: number,
  ): void;
  sumColumns(
    lines: number,
    lineBytes: number,
    columns: number,
    count: number,
    vectors: number,
    out: number,
    end: number,
  ): void;
}

const VECTOR_BYTES = 16;
const LANES = 4;

/**
 * Colours of the cells of a coarser grid: means of the planes over each, samples on a border counted in both cells by
 * their parts. Exact: a sample has as many parts along a side as the coarser grid has cells.
 */
export class BoxGrid {
  readonly #from: Size;
  readonly #to: Size;
  readonly #run = instantiateKernel<GridExports>(new URL('grids.wasm', import.meta.url));
  readonly #rows: number;
  readonly #columns: number;
  /** Most weights of a row of cells, and most vectors of weights of a column. */
  readonly #mostWeights: number;
  readonly #mostVectors: number;
  readonly #lineBytes: number;
  readonly #lines: number;
  /** Addresses of the three planes' sums. */
  readonly #sums: readonly number[];
  readonly #plane: number;

  constructor(from: Size, to: Size) {
    this.#from = from;
    this.#to = to;
    const rows = boxTaps(from.height, to.height);
    const columns = boxTaps(from.width, to.width);
    this.#mostWeights = Math.max(...rows.map(({ parts }) => parts.length));
    this.#mostVectors = Math.ceil(Math.max(...columns.map(({ parts }) => parts.length)) / LANES);
    // Eight samples are summed at a time.
    this.#lineBytes = 2 * VECTOR_BYTES * Math.ceil(from.width / 8);
    const rowBytes = 4 * (this.#mostWeights + 2);
    const columnBytes = VECTOR_BYTES * (this.#mostVectors + 1);
    const layout = new KernelLayout();
    this.#rows = layout.take(rowBytes * rows.length);
    this.#columns = layout.take(columnBytes * columns.length);
    this.#lines = layout.take(this.#lineBytes * rows.length);
    this.#sums = [0, 1, 2].map(() => layout.take(4 * to.width * to.height));
    this.#plane = layout.take(0);
    reserveBytes(this.#run.memory, layout.bytes);
    const write = (address: number, numbers: readonly number[]) =>
      new Int32Array(this.#run.memory.buffer, address, numbers.length).set(numbers);
    for (const [row, { first, parts }] of rows.entries())
      write(this.#rows + rowBytes * row, [first, parts.length, ...parts]);
    for (const [column, { first, parts }] of columns.entries())
      write(this.#columns + columnBytes * column, [first, 0, 0, 0, ...parts]);
  }

  /** From full-range BT.709 (ITU-R BT.709-6, section 3) at the finer size to RGB. */
  rgb(y: BytePlane, u: BytePlane, v: BytePlane): Uint8Array {
    const most = Math.max(y.stride, u.stride, v.stride) * this.#from.height;
    // Whole vectors are read beyond the last sample.
    reserveBytes(this.#run.memory, this.#plane + most + VECTOR_BYTES);
    const luma = this.#sum(y, 0);
    const blue = this.#sum(u, 1);
    const red = this.#sum(v, 2);
    const out = new Uint8Array(luma.length * 3);
    const share = 1 / (this.#from.width * this.#from.height);
    for (let i = 0, o = 0; i < luma.length; i++, o += 3) {
      // Half a level is what rounding needs.
      const level = luma[i]! * share + 0.5;
      const cb = blue[i]! * share - 128;
      const cr = red[i]! * share - 128;
      out[o] = clamp(level + 1.5748 * cr);
      out[o + 1] = clamp(level - 0.1873 * cb - 0.4681 * cr);
      out[o + 2] = clamp(level + 1.8556 * cb);
    }
    return out;
  }

  /** Sums over the cells, in parts of samples. The kernel's memory must not grow while they are read. */
  #sum({ data, stride }: BytePlane, number: number): Int32Array {
    const { width, height } = this.#from;
    const { memory, sumRows, sumColumns } = this.#run;
    const bytes = stride * (height - 1) + width;
    new Uint8Array(memory.buffer, this.#plane, bytes).set(data.subarray(0, bytes));
    const { height: count } = this.#to;
    const lineBytes = this.#lineBytes;
    sumRows(this.#plane, stride, width, this.#rows, count, this.#mostWeights, this.#lines, lineBytes);
    const cells = this.#to.width * count;
    const out = this.#sums[number]!;
    sumColumns(
      this.#lines,
      lineBytes,
      this.#columns,
      this.#to.width,
      this.#mostVectors,
      out,
      out + 4 * cells,
    );
    return new Int32Array(memory.buffer, out, cells);
  }
}

/** Cells are `from` parts wide, samples `to`. */
function boxTaps(from: number, to: number): Taps[] {
  return Array.from({ length: to }, (_, cell) => {
    const start = cell * from;
    const end = start + from;
    const first = Math.floor(start / to);
    const last = Math.ceil(end / to) - 1;
    const parts = Array.from(
      { length: last - first + 1 },
      (_, i) => Math.min(end, (first + i + 1) * to) - Math.max(start, (first + i) * to),
    );
    return { first, parts };
  });
}

/** To a byte; what lies between is cut off. */
function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value | 0;
}
