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
  addFrame(grey: number, before: number, width: number, height: number, sums: number, changes: number): void;
}

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const SAMPLE_BYTES = Int16Array.BYTES_PER_ELEMENT;
/** Side of a tile in pixels of the detailed picture; 8 at the coarsest of three scales. */
export const TILE = 32;
const SCALES = 3;
/** Squared units of a level at each scale: the coarser pictures have four steps per grey level. */
const UNITS = [1, 16, 16] as const;
const SHIFTS = [0, 2] as const;
/** Laplacian (four times a pixel less its neighbors) beyond which a pixel counts as fine structure, grey levels. */
const FINE_LEVELS = 24;

/** Laplacian energy per pixel of each tile, in squared grey levels, at full, half and quarter size; and its fine pixels. */
export interface TileStructure {
  readonly columns: number;
  readonly rows: number;
  readonly energies: readonly Float64Array[];
  /** Share of the tile's pixels with fine structure. */
  readonly fine: Float64Array;
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
  readonly #counts: number;
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
    this.#counts = layout.take(NUMBER_BYTES * tiles);
    reserveBytes(this.#run.memory, layout.bytes);
  }

  measure({ data }: Picture): TileStructure {
    const { memory, widen, halve, tileEnergies } = this.#run;
    new Uint8Array(memory.buffer).set(data, this.#grey);
    const [whole, ...smaller] = this.#levels;
    widen(this.#grey, whole.width, whole.height, whole.stride, whole.address);
    smaller.forEach((level, at) => {
      const from = this.#levels[at];
      halve(from.address, from.stride, level.width, level.height, SHIFTS[at], level.stride, level.address);
    });
    const tiles = this.columns * this.rows;
    let fine = new Float64Array(tiles);
    const energies = this.#levels.map(({ address, stride }, scale) => {
      const side = TILE >> scale;
      tileEnergies(
        ...([address, stride, side, this.columns, this.rows] as const),
        ...([FINE_LEVELS, this.#energies, this.#counts] as const),
      );
      const read = (from: number, unit: number) =>
        new Float64Array(memory.buffer, from, tiles).map((sum) => sum / (unit * side * side));
      if (scale === 0) fine = read(this.#counts, 1);
      return read(this.#energies, UNITS[scale]);
    });
    return { columns: this.columns, rows: this.rows, energies, fine };
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
