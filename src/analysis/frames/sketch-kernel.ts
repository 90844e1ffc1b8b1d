import { RGB, type Size } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Counts, sizes, levels and gains, and addresses; `kernels/analysis/frames/sketch-kernel.ts` describes the memory. */
interface SketchExports extends KernelExports {
  summarise(
    pixels: number,
    count: number,
    places: number,
    shares: number,
    cells: number,
    coarse: number,
    sums: number,
  ): void;
  halve(pixels: number, width: number, height: number, out: number): void;
  difference(a: number, b: number, count: number): number;
  structuralDifference(
    a: number,
    b: number,
    count: number,
    black: number,
    white: number,
    enough: number,
    maxGain: number,
  ): number;
}

/** Means of a picture's cells and of its 2×2 pixels, RGB, and sums over its values and their squares. */
export interface PictureSummary {
  readonly coarse: Float32Array;
  readonly small: Float32Array;
  readonly sum: number;
  readonly squares: number;
}

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Arithmetic of sketches of one size. */
export class SketchKernel {
  readonly columns: number;
  readonly rows: number;
  /** Size of the picture of 2×2 means. */
  readonly small: Size;
  readonly #size: Size;
  readonly #run = instantiateKernel<SketchExports>(new URL('sketch-kernel.wasm', import.meta.url));
  readonly #pixels: Uint8Array;
  readonly #places: number;
  readonly #shares: number;
  readonly #coarse: Float32Array;
  readonly #sums: Float64Array;
  /** Two small pictures. */
  readonly #pair: readonly [Float32Array, Float32Array];

  /** Pictures of `size` are averaged to `columns` × `rows` cells. */
  constructor(size: Size, columns: number, rows: number) {
    const { width, height } = size;
    [this.#size, this.columns, this.rows] = [size, columns, rows];
    this.small = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
    const { memory } = this.#run;
    const layout = new KernelLayout();
    const smallValues = RGB * this.small.width * this.small.height;
    const pixels = layout.take(RGB * width * height);
    this.#places = layout.take(Uint16Array.BYTES_PER_ELEMENT * width * height);
    this.#shares = layout.take(FLOAT_BYTES * columns * rows);
    const coarse = layout.take(FLOAT_BYTES * RGB * columns * rows);
    const sums = layout.take(2 * DOUBLE_BYTES);
    const pair = [layout.take(FLOAT_BYTES * smallValues), layout.take(FLOAT_BYTES * smallValues)] as const;
    reserveBytes(memory, layout.bytes);
    this.#pixels = new Uint8Array(memory.buffer, pixels, RGB * width * height);
    this.#coarse = new Float32Array(memory.buffer, coarse, RGB * columns * rows);
    this.#sums = new Float64Array(memory.buffer, sums, 2);
    this.#pair = [
      new Float32Array(memory.buffer, pair[0], smallValues),
      new Float32Array(memory.buffer, pair[1], smallValues),
    ];
    this.#placeCells();
  }

  /** The cell of each pixel, and one over the pixels of each cell. */
  #placeCells(): void {
    const { columns, rows } = this;
    const { width, height } = this.#size;
    const { buffer } = this.#run.memory;
    const places = new Uint16Array(buffer, this.#places, width * height);
    const counts = new Float32Array(columns * rows);
    for (let y = 0, pixel = 0; y < height; y++) {
      const row = Math.floor((y * rows) / height) * columns;
      for (let x = 0; x < width; x++, pixel++) {
        const cell = row + Math.floor((x * columns) / width);
        places[pixel] = RGB * cell;
        counts[cell] += 1;
      }
    }
    new Float32Array(buffer, this.#shares, counts.length).set(counts.map((count) => 1 / count));
  }

  /** Summary of a picture of the kernel's size. */
  summarise(pixels: Uint8Array): PictureSummary {
    const { width, height } = this.#size;
    const [coarse, sums, small] = [this.#coarse, this.#sums, this.#pair[0]];
    this.#pixels.set(pixels);
    const from = this.#pixels.byteOffset;
    this.#run.summarise(
      from,
      width * height,
      this.#places,
      this.#shares,
      this.columns * this.rows,
      coarse.byteOffset,
      sums.byteOffset,
    );
    this.#run.halve(from, width, height, small.byteOffset);
    return { coarse: coarse.slice(), small: small.slice(), sum: sums[0], squares: sums[1] };
  }

  /** Mean absolute difference of two small pictures. */
  difference(a: Float32Array, b: Float32Array): number {
    return this.#run.difference(...this.#load(a, b), a.length);
  }

  /**
   * The same after removing the best gain and offset from `a` to `b`. They are removed if at least that share
   * of the levels is between `black` and `white`.
   */
  structuralDifference(
    a: Float32Array,
    b: Float32Array,
    [black, white]: readonly [number, number],
    leastShare: number,
    maxGain: number,
  ): number {
    const enough = leastShare * a.length;
    return this.#run.structuralDifference(...this.#load(a, b), a.length, black, white, enough, maxGain);
  }

  /** Copies both; returns their addresses. */
  #load(a: Float32Array, b: Float32Array): [number, number] {
    const [one, other] = this.#pair;
    one.set(a);
    other.set(b);
    return [one.byteOffset, other.byteOffset];
  }
}
