import { RGB } from '../../domain/footage.ts';
import { LAB_TABLES } from '../../signal/color-space.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Counts, slopes and addresses; `kernels/analysis/color/color-sums.ts` describes the memory. */
interface SumsExports extends KernelExports {
  addPixels(
    pixels: number,
    mask: number,
    count: number,
    linear: number,
    roots: number,
    rootSteps: number,
    matrix: number,
    skinFrom: number,
    skinTo: number,
    binsPerUnit: number,
    bins: number,
    sums: number,
    numbers: number,
    used: number,
    cells: number,
    usedCount: number,
  ): number;
  addScaled(sums: number, others: number, count: number, scale: number): void;
  mergeCells(
    otherUsed: number,
    otherCells: number,
    count: number,
    scale: number,
    numbers: number,
    used: number,
    cells: number,
    usedCount: number,
  ): number;
  clearCells(numbers: number, used: number, count: number): void;
  meanCells(cells: number, count: number, out: number): void;
}

/** The hues of human skin of every tone, degrees of CIELAB. */
const SKIN_HUES = [28, 78] as const;
const [SKIN_FROM, SKIN_TO] = SKIN_HUES.map((degrees) => Math.tan((degrees * Math.PI) / 180)) as [
  number,
  number,
];

/** Bins per unit of lightness, and in all. */
export const BINS = 2;
const LIGHTNESS_BINS = 100 * BINS;
/** Cells of 4 units, 0 … 100 in lightness and −100 … 100 in a and b. */
const CELLS = 26 * 51 * 51;
const CELL_LENGTH = 4;
/** Pixels added at a time: more than a sample has. */
const CHUNK_PIXELS = 1024;
/** Numbers of `NamedSums`. */
const SUMS = 19 + LIGHTNESS_BINS;
const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;
const INDEX_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Sums over pixels in CIELAB, in the order of the kernel's memory. */
export interface NamedSums {
  /** Sums of a and b, and of aa, ab, bb. */
  readonly means: Float64Array;
  readonly squares: Float64Array;
  /** Weight, a, b of each. */
  readonly shadows: Float64Array;
  readonly midtones: Float64Array;
  readonly highlights: Float64Array;
  /** Weight, sum of cosines, sum of sines of the skin sector's hues. */
  readonly skin: Float64Array;
  /** Weight of the pixels clipped to black, and to white. */
  readonly clipped: Float64Array;
  readonly lightness: Float64Array;
}

/**
 * Adds up pixels in CIELAB, in WebAssembly, with a histogram whose cells hold the mean of their pixels, so that
 * the cell size hardly matters. Only the cells in use are visited: a shot has some hundreds.
 */
export class ColorSums {
  readonly named: NamedSums;
  readonly #run = instantiateKernel<SumsExports>(new URL('color-sums.wasm', import.meta.url));
  readonly #pixels: number;
  readonly #mask: number;
  readonly #linear: number;
  readonly #roots: number;
  readonly #matrix: number;
  readonly #sums: Float64Array;
  readonly #otherSums: number;
  readonly #numbers: number;
  readonly #used: number;
  readonly #otherUsed: number;
  readonly #cells: number;
  /** Cells of another histogram, and the output buffer. */
  readonly #otherCells: number;
  #usedCount = 0;

  constructor() {
    const layout = new KernelLayout();
    const { linearOfByte, roots, toXyz } = LAB_TABLES;
    const floats = (count: number) => layout.take(FLOAT_BYTES * count);
    [this.#pixels, this.#mask] = [layout.take(RGB * CHUNK_PIXELS), layout.take(CHUNK_PIXELS)];
    this.#linear = floats(linearOfByte.length);
    this.#roots = floats(roots.length);
    this.#matrix = floats(toXyz.length);
    const sums = floats(SUMS);
    this.#otherSums = floats(SUMS);
    [this.#used, this.#otherUsed] = [layout.take(INDEX_BYTES * CELLS), layout.take(INDEX_BYTES * CELLS)];
    this.#numbers = layout.take(INDEX_BYTES * CELLS);
    [this.#cells, this.#otherCells] = [floats(CELL_LENGTH * CELLS), floats(CELL_LENGTH * CELLS)];
    reserveBytes(this.#run.memory, layout.bytes);
    this.#floats(this.#linear, linearOfByte.length).set(linearOfByte);
    this.#floats(this.#roots, roots.length).set(roots);
    this.#floats(this.#matrix, toXyz.length).set(toXyz);
    this.#sums = this.#floats(sums, SUMS);
    let end = 0;
    const next = (length: number) => {
      end += length;
      return this.#sums.subarray(end - length, end);
    };
    this.named = {
      means: next(2),
      squares: next(3),
      shadows: next(3),
      midtones: next(3),
      highlights: next(3),
      skin: next(3),
      clipped: next(2),
      lightness: next(LIGHTNESS_BINS),
    };
  }

  /** Adds those pixels (RGB) whose byte in `mask` is 1. */
  add(pixels: Uint8Array, mask: Uint8Array): void {
    const { buffer } = this.#run.memory;
    for (let start = 0; start < mask.length; start += CHUNK_PIXELS) {
      const chunk = mask.subarray(start, start + CHUNK_PIXELS);
      new Uint8Array(buffer, this.#mask).set(chunk);
      new Uint8Array(buffer, this.#pixels).set(pixels.subarray(RGB * start, RGB * (start + chunk.length)));
      this.#usedCount = this.#run.addPixels(
        this.#pixels,
        this.#mask,
        chunk.length,
        this.#linear,
        this.#roots,
        LAB_TABLES.rootSteps,
        this.#matrix,
        SKIN_FROM,
        SKIN_TO,
        BINS,
        LIGHTNESS_BINS,
        this.#sums.byteOffset,
        this.#numbers,
        this.#used,
        this.#cells,
        this.#usedCount,
      );
    }
  }

  /** Adds another histogram with its weights times `scale`. */
  merge(other: ColorSums, scale: number): void {
    const { buffer } = this.#run.memory;
    const count = other.#usedCount;
    this.#floats(this.#otherSums, SUMS).set(other.#sums);
    this.#run.addScaled(this.#sums.byteOffset, this.#otherSums, SUMS, scale);
    new Int32Array(buffer, this.#otherUsed).set(other.#usedCells);
    this.#floats(this.#otherCells, CELL_LENGTH * count).set(other.#floats(other.#cells, CELL_LENGTH * count));
    this.#usedCount = this.#run.mergeCells(
      this.#otherUsed,
      this.#otherCells,
      count,
      scale,
      this.#numbers,
      this.#used,
      this.#cells,
      this.#usedCount,
    );
  }

  clear(): void {
    this.#sums.fill(0);
    this.#run.clearCells(this.#numbers, this.#used, this.#usedCount);
    this.#usedCount = 0;
  }

  /** Four numbers per used cell: weight and mean L, a, b. */
  cells(): Float64Array {
    this.#run.meanCells(this.#cells, this.#usedCount, this.#otherCells);
    return this.#floats(this.#otherCells, CELL_LENGTH * this.#usedCount).slice();
  }

  get #usedCells(): Int32Array {
    return new Int32Array(this.#run.memory.buffer, this.#used, this.#usedCount);
  }

  #floats(address: number, count: number): Float64Array {
    return new Float64Array(this.#run.memory.buffer, address, count);
  }
}
