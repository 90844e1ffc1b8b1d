import type { Picture } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Sizes, strides (bytes) and addresses; `kernels/analysis/picture/picture-kernel.ts` describes the memory. */
interface PictureExports extends KernelExports {
  widen(grey: number, width: number, height: number, stride: number, out: number): void;
  halve(
    picture: number,
    stride: number,
    width: number,
    height: number,
    shift: number,
    outStride: number,
    out: number,
  ): void;
  tileEnergies(
    picture: number,
    stride: number,
    side: number,
    columns: number,
    rows: number,
    limit: number,
    energies: number,
    counts: number,
  ): void;
  tileSlopes(
    picture: number,
    stride: number,
    side: number,
    columns: number,
    rows: number,
    ranges: number,
    slopes: number,
  ): void;
  addFrame(grey: number, before: number, width: number, height: number, sums: number, changes: number): void;
}

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const SAMPLE_BYTES = Int16Array.BYTES_PER_ELEMENT;
/** Side of a tile in pixels of the detailed picture; 4 at the coarsest of four scales. */
export const TILE = 32;
/** Widths of 640, 320, 160 and 80 pixels for a picture of 16:9. */
const SCALES = 4;
/** Steps per grey level at all scales but the finest. */
const STEPS = 4;
const SHIFTS = [0, 2, 2] as const;
const [HALF, QUARTER, EIGHTH] = [1, 2, 3] as const;

/** Samples have 16 bits. */
const MAX_LIMIT = 32_000;

/** Structure of each tile. */
export interface TileStructure {
  readonly columns: number;
  readonly rows: number;
  /** At half size: brightest less darkest pixel, and the steepest slope in grey levels per pixel. */
  readonly ranges: Float64Array;
  readonly slopes: Float64Array;
  /** Energy of the Laplacian per pixel at quarter and eighth size, squared grey levels. */
  readonly quarter: Float64Array;
  readonly eighth: Float64Array;
  /** Share of the pixels of quarter size whose Laplacian exceeds some grey levels; valid until the next picture. */
  readonly detailBeyond: (levels: number) => Float64Array;
}

interface Level {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly address: number;
}

/** Structure of detailed pictures of one size. */
export class StructureKernel {
  readonly #run = instantiateKernel<PictureExports>(new URL('picture-kernel.wasm', import.meta.url));
  readonly #grey: number;
  readonly #levels: readonly Level[];
  readonly #energies: number;
  readonly #others: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.columns = Math.floor(width / TILE);
    this.rows = Math.floor(height / TILE);
    const layout = new KernelLayout();
    this.#grey = layout.take(width * height);
    this.#levels = Array.from({ length: SCALES }, (_, scale) => {
      const size = { width: width >> scale, height: height >> scale };
      const stride = SAMPLE_BYTES * (size.width + 2);
      return { ...size, stride, address: layout.take(stride * (size.height + 2)) };
    });
    const tiles = this.columns * this.rows;
    this.#energies = layout.take(NUMBER_BYTES * tiles);
    this.#others = layout.take(NUMBER_BYTES * tiles);
    reserveBytes(this.#run.memory, layout.bytes);
  }

  measure({ data }: Picture): TileStructure {
    const { memory, widen, halve, tileSlopes, tileEnergies } = this.#run;
    new Uint8Array(memory.buffer).set(data, this.#grey);
    const [whole, ...smaller] = this.#levels;
    widen(this.#grey, whole.width, whole.height, whole.stride, whole.address);
    smaller.forEach((level, at) => {
      const from = this.#levels[at];
      halve(from.address, from.stride, level.width, level.height, SHIFTS[at], level.stride, level.address);
    });
    const { columns, rows } = this;
    const read = (from: number, unit: number) =>
      new Float64Array(memory.buffer, from, columns * rows).map((sum) => sum / unit);
    const tiles = (scale: number) => {
      const { address, stride } = this.#levels[scale];
      return [address, stride, TILE >> scale, columns, rows] as const;
    };
    tileSlopes(...tiles(HALF), this.#energies, this.#others);
    const ranges = read(this.#energies, STEPS);
    const slopes = read(this.#others, 2 * STEPS);
    const pixels = (TILE >> QUARTER) ** 2;
    const measureQuarter = (limit: number) =>
      tileEnergies(...tiles(QUARTER), limit, this.#energies, this.#others);
    measureQuarter(0);
    const quarter = read(this.#energies, STEPS ** 2 * pixels);
    const detailBeyond = (levels: number) => {
      measureQuarter(Math.min(MAX_LIMIT, Math.round(STEPS * levels)));
      return read(this.#others, pixels);
    };
    return { columns, rows, ranges, slopes, quarter, eighth: this.#eighthEnergies(), detailBeyond };
  }

  /** Tiles of 4 × 4 pixels, smaller than the kernel's. */
  #eighthEnergies(): Float64Array {
    const { address, stride } = this.#levels[EIGHTH];
    const row = stride / SAMPLE_BYTES;
    const samples = new Int16Array(this.#run.memory.buffer, address);
    const side = TILE >> EIGHTH;
    const energies = new Float64Array(this.columns * this.rows);
    for (let tile = 0; tile < energies.length; tile++) {
      const left = (tile % this.columns) * side + 1;
      const top = Math.floor(tile / this.columns) * side + 1;
      for (let y = top; y < top + side; y++) {
        for (let at = y * row + left; at < y * row + left + side; at++) {
          const around = samples[at - 1] + samples[at + 1] + samples[at - row] + samples[at + row];
          energies[tile] += (4 * samples[at] - around) ** 2;
        }
      }
      energies[tile] /= (STEPS * side) ** 2;
    }
    return energies;
  }
}

/** Sums of the grey pictures of one size over a window of time, and how much their blocks change from frame to frame. */
export class WindowKernel {
  readonly #run = instantiateKernel<PictureExports>(new URL('picture-kernel.wasm', import.meta.url));
  readonly #pictures: readonly [number, number];
  readonly #sumsAddress: number;
  readonly #changesAddress: number;
  readonly width: number;
  readonly height: number;
  readonly sums: Uint16Array;
  /** Squared differences from frame to frame, one sum per block of 8 × 8 pixels. */
  readonly changes: Float64Array;
  #turn = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    const layout = new KernelLayout();
    const pixels = width * height;
    const blocks = Math.floor(width / 8) * Math.floor(height / 8);
    this.#pictures = [layout.take(pixels), layout.take(pixels)];
    this.#sumsAddress = layout.take(Uint16Array.BYTES_PER_ELEMENT * pixels);
    this.#changesAddress = layout.take(NUMBER_BYTES * blocks);
    const { memory } = this.#run;
    reserveBytes(memory, layout.bytes);
    this.sums = new Uint16Array(memory.buffer, this.#sumsAddress, pixels);
    this.changes = new Float64Array(memory.buffer, this.#changesAddress, blocks);
  }

  /** `isFirst`: there is no previous picture to compare with. */
  add({ data }: Picture, isFirst: boolean): void {
    const { memory, addFrame } = this.#run;
    const grey = this.#pictures[this.#turn];
    this.#turn = 1 - this.#turn;
    new Uint8Array(memory.buffer).set(data, grey);
    const before = isFirst ? grey : this.#pictures[this.#turn];
    addFrame(grey, before, this.width, this.height, this.#sumsAddress, this.#changesAddress);
  }

  clear(): void {
    this.sums.fill(0);
    this.changes.fill(0);
  }
}
