import { RGB } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { PatchKernel } from './patch.ts';

export type Polarity = 'bright' | 'dark';

/**
 * A sample of the detail picture: every ROW_STEP-th row, and the strokes in it, 1 for ink. Buffers are reused in
 * turn.
 */
export interface InkSample {
  timeSeconds: number;
  readonly grey: Uint8Array;
  readonly bright: Uint8Array;
  readonly dark: Uint8Array;
}

/** Ink of the other tone: letters are outlined with it. */
export function outlineOf(sample: InkSample, polarity: Polarity): Uint8Array {
  return sample[polarity === 'bright' ? 'dark' : 'bright'];
}

/** Widest stroke that counts as ink, over the root of the picture's area: 20 pixels of 640×360. */
const WIDEST_STROKE = 1 / 24;
/** Least contrast of a stroke against both of its sides, grey levels. */
const MIN_CONTRAST = 48;
/**
 * Within this distance beyond its ends, over the same (4 pixels), a stroke must fall by `EDGE_LEVELS` from its
 * extreme: letters are sharp.
 */
const EDGE_REACH = 1 / 120;
export const EDGE_LEVELS = 60;
/** Readable text is nearly white or nearly black. */
const BRIGHT_LEVEL = 135;
const DARK_LEVEL = 90;
/** Samples in memory: the oldest is overwritten. */
const SAMPLES = 3;

/** All arguments but sizes and levels are addresses; `kernels/analysis/captions/ink.ts` describes the memory. */
interface InkExports extends KernelExports {
  findStrokes(
    grey: number,
    width: number,
    height: number,
    bright: number,
    dark: number,
    contrast: number,
    minBright: number,
    /** Levels are inverted. */
    minDark: number,
    widest: number,
    reach: number,
    fall: number,
  ): void;
  markFresh(
    now: number,
    nowGrey: number,
    then: number,
    thenGrey: number,
    before: number,
    beforeGrey: number,
    out: number,
    count: number,
    most: number,
  ): void;
  markChanged(
    ink: number,
    grey: number,
    then: number,
    thenGrey: number,
    out: number,
    count: number,
    most: number,
  ): void;
  countNear(one: number, other: number, count: number, most: number): number;
  countTiles(ink: number, stride: number, columns: number, rows: number, tileRows: number, out: number): void;
  findRuns(tiles: number, columns: number, rows: number, minInk: number, gap: number, out: number): number;
  joinRuns(
    runs: number,
    count: number,
    minWidth: number,
    parents: number,
    boxes: number,
    out: number,
  ): number;
}

/** Numbers per group of tiles: its first column and row, and those behind the last. */
export const BOX_LENGTH = 4;
/** Numbers per run of tiles. */
const RUN_LENGTH = 3;
/** Least pixels of a tile: it is one row high. */
const TILE_PIXELS = 8;

/** Division of a picture into tiles, and which of them make a run. */
interface TileRows {
  readonly columns: number;
  readonly rows: number;
  readonly tileRows: number;
  /** Least ink pixels of an inked tile. */
  readonly minInk: number;
  /** Up to this many tiles without ink do not end a run. */
  readonly gap: number;
  /** Least columns of a group. */
  readonly minWidth: number;
}

/**
 * Finds narrow strokes in samples of one size, and compares samples, in WebAssembly. The pictures here are views
 * of its memory, so that their offset is their address.
 */
export class InkKernel {
  readonly width: number;
  readonly rows: number;
  readonly samples: readonly InkSample[];
  /** Ink that `markFresh` and `markChanged` write, and a buffer for callers. */
  readonly fresh: Uint8Array;
  readonly changed: Uint8Array;
  readonly work: Uint8Array;
  /** Operations on boxes of these samples. */
  readonly patches: PatchKernel;
  readonly #run: InkExports;
  readonly #blank: Uint8Array;
  readonly #tiles: number;
  readonly #runs: number;
  readonly #parents: number;
  readonly #boxes: number;
  readonly #groups: number;
  readonly #widest: number;
  readonly #edgeReach: number;

  /** `side`: root of the whole picture's area in pixels; `rows` may skip rows. */
  constructor(width: number, rows: number, side: number) {
    this.width = width;
    this.rows = rows;
    this.#widest = Math.max(4, Math.round(WIDEST_STROKE * side));
    this.#edgeReach = Math.max(2, Math.round(EDGE_REACH * side));
    this.#run = instantiateKernel<InkExports>(new URL('ink.wasm', import.meta.url));
    const layout = new KernelLayout();
    const pixels = width * rows;
    const addresses = Array.from({ length: 3 * SAMPLES + 4 }, () => layout.take(pixels));
    this.#tiles = layout.take(pixels);
    // Numbers of each run: there are at most as many runs as tiles.
    const takeRuns = (length: number) =>
      layout.take((Int32Array.BYTES_PER_ELEMENT * length * pixels) / TILE_PIXELS);
    [this.#runs, this.#parents] = [takeRuns(RUN_LENGTH), takeRuns(1)];
    [this.#boxes, this.#groups] = [takeRuns(BOX_LENGTH), takeRuns(BOX_LENGTH)];
    const colorBytes = Math.ceil(RGB * side * side);
    this.patches = new PatchKernel(this.#run.memory, layout, { width, rows, colorBytes });
    reserveBytes(this.#run.memory, layout.bytes);
    const planes = addresses.map((address) => new Uint8Array(this.#run.memory.buffer, address, pixels));
    const take = (): Uint8Array => planes.pop()!;
    this.samples = Array.from({ length: SAMPLES }, () => ({
      timeSeconds: 0,
      grey: take(),
      bright: take(),
      dark: take(),
    }));
    this.fresh = take();
    this.changed = take();
    this.work = take();
    this.#blank = take();
  }

  /**
   * Marks the pixels of narrow strokes: those with enough contrast against the valleys (or peaks) on both
   * sides. One pass splits each row into rises and falls of at least that contrast (a zigzag with
   * hysteresis). Plain parts cost one comparison a pixel, and one pass serves both polarities.
   */
  findStrokes({ grey, bright, dark }: InkSample): void {
    this.#run.findStrokes(
      grey.byteOffset,
      this.width,
      this.rows,
      bright.byteOffset,
      dark.byteOffset,
      MIN_CONTRAST,
      BRIGHT_LEVEL,
      255 - DARK_LEVEL,
      this.#widest,
      this.#edgeReach,
      EDGE_LEVELS,
    );
  }

  /**
   * Writes to `fresh`: ink that is in the last two samples, changed by at most `most` levels, and was not in the
   * one before them.
   */
  markFresh(
    sample: InkSample,
    last: InkSample,
    before: InkSample | null,
    polarity: Polarity,
    most: number,
  ): void {
    this.#run.markFresh(
      sample[polarity].byteOffset,
      sample.grey.byteOffset,
      last[polarity].byteOffset,
      last.grey.byteOffset,
      (before?.[polarity] ?? this.#blank).byteOffset,
      (before?.grey ?? this.#blank).byteOffset,
      this.fresh.byteOffset,
      this.fresh.length,
      most,
    );
  }

  /**
   * Writes to `changed`: the part of the ink in `work` that the sample before did not have, or that changed by
   * more than `most` levels.
   */
  markChanged(sample: InkSample, last: InkSample, polarity: Polarity, most: number): void {
    this.#run.markChanged(
      this.work.byteOffset,
      sample.grey.byteOffset,
      last[polarity].byteOffset,
      last.grey.byteOffset,
      this.changed.byteOffset,
      this.changed.length,
      most,
    );
  }

  /** Number of pixels whose levels in two samples differ by at most `most`. */
  countNear({ grey }: InkSample, other: InkSample, most: number): number {
    return this.#run.countNear(grey.byteOffset, other.grey.byteOffset, grey.length, most);
  }

  /**
   * Finds runs of inked tiles of 8 by `tileRows` pixels, and joins those that touch in the next row. The next
   * call overwrites the result.
   */
  findGroups(ink: Uint8Array, { columns, rows, tileRows, minInk, gap, minWidth }: TileRows): Int32Array {
    this.#run.countTiles(ink.byteOffset, this.width, columns, rows, tileRows, this.#tiles);
    const runs = this.#run.findRuns(this.#tiles, columns, rows, minInk, gap, this.#runs);
    const groups = this.#run.joinRuns(this.#runs, runs, minWidth, this.#parents, this.#boxes, this.#groups);
    return new Int32Array(this.#run.memory.buffer, this.#groups, BOX_LENGTH * groups);
  }
}
