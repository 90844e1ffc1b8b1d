import type { Size } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** A plane of bytes, rows `stride` apart; the last row is complete. */
export interface BytePlane {
  readonly data: Uint8Array;
  readonly stride: number;
}

/** All but counts, sizes, strides and weights are addresses; see `kernels/media/decode/area-means.ts`. */
interface MeanExports extends KernelExports {
  sumRows(
    plane: number,
    stride: number,
    width: number,
    rows: number,
    count: number,
    whole: number,
    narrow: number,
    lines: number,
    lineBytes: number,
  ): void;
  sumColumns(
    lines: number,
    lineBytes: number,
    columns: number,
    count: number,
    vectors: number,
    share: number,
    out: number,
    end: number,
  ): void;
  levels(means: number, count: number, gain: number, offset: number, out: number): void;
}

/** Samples that a cell covers, and the covered parts of each; those between the first and the last are covered whole. */
interface Taps {
  readonly first: number;
  readonly parts: readonly number[];
}

const VECTOR_BYTES = 16;
const LANES = 4;
/** Samples summed at a time, and bytes of the table for each row of cells. */
const SAMPLES = 64;
const ROW_BYTES = 16;
/** The plane is copied in bands of about this size, which fit in the processor's cache. */
const BAND_BYTES = 65_536;
/** Sums of more rows do not fit in 16 bits; one more row may be covered partly. */
export const MAX_CELL_ROWS = 256;

/**
 * Means of a plane over the cells of a coarser grid. Samples on a border count in both cells by their parts. Sums are integers, exact
 * to 24 bits.
 */
export class AreaMeans {
  readonly #from: Size;
  readonly #to: Size;
  readonly #run = instantiateKernel<MeanExports>(new URL('area-means.wasm', import.meta.url));
  readonly #rowTaps: readonly Taps[];
  /** Vertical parts of a sample covered whole; and the inverse of the sum of a cell's weights. */
  readonly #whole: number;
  readonly #share: number;
  readonly #rows: number;
  readonly #columns: number;
  readonly #vectors: number;
  readonly #lineBytes: number;
  readonly #lines: number;
  readonly #narrow: number;
  readonly #means: number;
  readonly #levels: number;
  readonly #band: number;

  /** Throws `RangeError` for cells more than `MAX_CELL_ROWS` rows high. */
  constructor(from: Size, to: Size) {
    this.#from = from;
    this.#to = to;
    const rows = cellTaps(from.height, to.height);
    const columns = cellTaps(from.width, to.width);
    if (from.height > MAX_CELL_ROWS * to.height)
      throw new RangeError(`Cells of ${from.height / to.height} rows`);
    this.#rowTaps = rows;
    this.#whole = to.height / divisor(from.height, to.height);
    const cellParts = (of: keyof Size) => from[of] / divisor(from[of], to[of]);
    this.#share = 1 / (cellParts('width') * cellParts('height'));
    this.#vectors = Math.ceil(Math.max(...columns.map(({ parts }) => parts.length)) / LANES);
    this.#lineBytes = 4 * SAMPLES * Math.ceil(from.width / SAMPLES);
    const columnBytes = VECTOR_BYTES * (this.#vectors + 1);
    const layout = new KernelLayout();
    this.#rows = layout.take(ROW_BYTES * rows.length);
    this.#columns = layout.take(columnBytes * columns.length);
    // The last cell's weights may extend beyond the line.
    this.#lines = layout.take(this.#lineBytes * rows.length + VECTOR_BYTES * this.#vectors);
    this.#narrow = layout.take(this.#lineBytes / 2);
    this.#means = layout.take(4 * to.width * to.height);
    this.#levels = layout.take(to.width * to.height);
    this.#band = layout.take(0);
    const { memory } = this.#run;
    reserveBytes(memory, layout.bytes);
    for (const [row, taps] of rows.entries())
      new Int32Array(memory.buffer, this.#rows + ROW_BYTES * row, 4).set(rowEntry(taps, this.#whole));
    for (const [column, { first, parts }] of columns.entries()) {
      const address = this.#columns + columnBytes * column;
      new Int32Array(memory.buffer, address, 1)[0] = first;
      new Float32Array(memory.buffer, address + VECTOR_BYTES, parts.length).set(parts);
    }
  }

  /** Means, row by row. A view, valid until the next call. */
  over(plane: BytePlane): Float32Array {
    this.measureRows(plane, 0, this.#to.height);
    return new Float32Array(this.#run.memory.buffer, this.#means, this.#to.width * this.#to.height);
  }

  /** `gain` × the means of the measured plane + `offset`, rounded to bytes. */
  levelsAt(gain: number, offset: number): Uint8Array {
    const { memory, levels } = this.#run;
    const count = this.#to.width * this.#to.height;
    levels(this.#means, count, gain, offset, this.#levels);
    return new Uint8Array(memory.buffer, this.#levels, count).slice();
  }

  /** Rows of cells whose samples fit in the processor's cache; at least one. */
  rowsPerBand(stride: number): number {
    return Math.max(1, Math.floor(BAND_BYTES / this.#cellBytes(stride)));
  }

  /** Measures `rows` rows of cells from the row `first`. */
  measureRows({ data, stride }: BytePlane, first: number, rows: number): void {
    const { width } = this.#from;
    const { memory, sumRows, sumColumns } = this.#run;
    const taps = this.#rowTaps;
    const perBand = this.rowsPerBand(stride);
    // A band is up to two rows higher by samples on borders, and vectors read beyond the last sample.
    reserveBytes(memory, this.#band + Math.ceil(this.#cellBytes(stride) * perBand) + 3 * stride + SAMPLES);
    const bytes = new Uint8Array(memory.buffer);
    for (let cell = first; cell < first + rows; cell += perBand) {
      const count = Math.min(perBand, first + rows - cell);
      const last = taps[cell + count - 1];
      const top = taps[cell].first * stride;
      const bottom = (last.first + last.parts.length - 1) * stride;
      bytes.set(data.subarray(top, bottom + width), this.#band);
      sumRows(
        this.#band - top,
        stride,
        width,
        this.#rows + ROW_BYTES * cell,
        count,
        this.#whole,
        this.#narrow,
        this.#lines,
        this.#lineBytes,
      );
      const out = this.#means + 4 * this.#to.width * cell;
      const end = out + 4 * this.#to.width * count;
      sumColumns(
        this.#lines,
        this.#lineBytes,
        this.#columns,
        this.#to.width,
        this.#vectors,
        this.#share,
        out,
        end,
      );
    }
  }

  #cellBytes(stride: number): number {
    return stride * (this.#from.height / this.#to.height);
  }
}

/** Divides samples into parts so that each cell covers an equal, whole number of parts. */
function cellTaps(samples: number, cells: number): Taps[] {
  const common = divisor(samples, cells);
  const cellParts = samples / common;
  const sampleParts = cells / common;
  return Array.from({ length: cells }, (_, cell) => {
    const start = cell * cellParts;
    const end = start + cellParts;
    const first = Math.floor(start / sampleParts);
    const last = Math.ceil(end / sampleParts) - 1;
    const parts = Array.from(
      { length: last - first + 1 },
      (_, i) => Math.min(end, (first + i + 1) * sampleParts) - Math.max(start, (first + i) * sampleParts),
    );
    return { first, parts };
  });
}

/** First row, number of rows covered whole, weights of the rows before and after those. */
function rowEntry({ first, parts }: Taps, whole: number): readonly number[] {
  const before = parts[0] < whole ? parts[0] : 0;
  const after = parts.length > 1 && parts.at(-1)! < whole ? parts.at(-1)! : 0;
  return [first, parts.length - (before > 0 ? 1 : 0) - (after > 0 ? 1 : 0), before, after];
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
