import { RGB } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { PatchKernel } from './patch.ts';

export type Polarity = 'bright' | 'dark';

/** A look at the detail picture: every ROW_STEP-th row, and the strokes found in them, 1 for ink. Overwritten in turn. */
export interface Look {
  timeSeconds: number;
  readonly grey: Uint8Array;
  readonly bright: Uint8Array;
  readonly dark: Uint8Array;
}

/** Ink of the other tone: letters are outlined with it. */
export function outlineOf(look: Look, polarity: Polarity): Uint8Array {
  return look[polarity === 'bright' ? 'dark' : 'bright'];
}

/** Widest stroke that counts as ink, over the root of the picture's area: 20 pixels of 640×360. */
const WIDEST_STROKE = 1 / 24;
/** How far a stroke stands out from both of its sides, grey levels. */
const MIN_CONTRAST = 48;
/** So near beyond its ends, over the same (4 pixels), a stroke has fallen by this much from its extreme: letters are sharp. */
const EDGE_REACH = 1 / 120;
export const EDGE_LEVELS = 60;
/** Text that people are meant to read is nearly white or nearly black. */
const BRIGHT_LEVEL = 135;
const DARK_LEVEL = 90;
/** Looks that are kept at a time: the oldest is overwritten. */
const LOOKS = 3;

/** All but sizes and levels are addresses: `kernels/analysis/captions/ink.ts` says what lies there. */
interface InkExports extends KernelExports {
  findStrokes(
    grey: number,
    width: number,
    height: number,
    bright: number,
    dark: number,
    contrast: number,
    minBright: number,
    /** Of the levels upside down. */
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

/** Numbers of a group of tiles: its first column and row, and those behind the last. */
export const BOX_LENGTH = 4;
/** Numbers of a run of tiles. */
const RUN_LENGTH = 3;
/** A tile has so many pixels at least: it is one row high. */
const TILE_PIXELS = 8;

/** How a picture is parted into tiles, and which of them make a run. */
interface TileRows {
  readonly columns: number;
  readonly rows: number;
  readonly tileRows: number;
  /** Pixels from which a tile is inked. */
  readonly minInk: number;
  /** So many tiles that are not do not end a run. */
  readonly gap: number;
  /** Columns of a group at least. */
  readonly minWidth: number;
}

/**
 * Finds narrow strokes in looks of one size, and compares them, in WebAssembly: the pictures here are views of its memory,
 * so that their offset is their address.
 */
export class InkKernel {
  readonly width: number;
  readonly rows: number;
  readonly looks: readonly Look[];
  /** Ink that `markFresh` and `markChanged` write, and what a caller works on. */
  readonly fresh: Uint8Array;
  readonly changed: Uint8Array;
  readonly work: Uint8Array;
  /** What works on boxes of these looks. */
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

  /** `side`: root of the whole picture's area in pixels; rows may have been left out. */
  constructor(width: number, rows: number, side: number) {
    this.width = width;
    this.rows = rows;
    this.#widest = Math.max(4, Math.round(WIDEST_STROKE * side));
    this.#edgeReach = Math.max(2, Math.round(EDGE_REACH * side));
    this.#run = instantiateKernel<InkExports>(new URL('ink.wasm', import.meta.url));
    const layout = new KernelLayout();
    const pixels = width * rows;
    const addresses = Array.from({ length: 3 * LOOKS + 4 }, () => layout.take(pixels));
    this.#tiles = layout.take(pixels);
    // Of numbers for each run: there are no more than tiles.
    const takeRuns = (length: number) =>
      layout.take((Int32Array.BYTES_PER_ELEMENT * length * pixels) / TILE_PIXELS);
    [this.#runs, this.#parents] = [takeRuns(RUN_LENGTH), takeRuns(1)];
    [this.#boxes, this.#groups] = [takeRuns(BOX_LENGTH), takeRuns(BOX_LENGTH)];
    const colourBytes = Math.ceil(RGB * side * side);
    this.patches = new PatchKernel(this.#run.memory, layout, { width, rows, colourBytes });
    reserveBytes(this.#run.memory, layout.bytes);
    const planes = addresses.map((address) => new Uint8Array(this.#run.memory.buffer, address, pixels));
    const take = (): Uint8Array => planes.pop()!;
    this.looks = Array.from({ length: LOOKS }, () => ({
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
   * Marks the pixels of narrow strokes: those that stand out from the valleys (or peaks) on both of their sides.
   * Each row is split once into rises and falls of at least the contrast asked for (a zigzag with hysteresis), so
   * that plain stretches cost one comparison a pixel, and both polarities come from the same pass.
   */
  findStrokes({ grey, bright, dark }: Look): void {
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

  /** Into `fresh`: ink that is in the last two looks, changed by `most` levels at most, and was not in the one before them. */
  markFresh(look: Look, last: Look, before: Look | null, polarity: Polarity, most: number): void {
    this.#run.markFresh(
      look[polarity].byteOffset,
      look.grey.byteOffset,
      last[polarity].byteOffset,
      last.grey.byteOffset,
      (before?.[polarity] ?? this.#blank).byteOffset,
      (before?.grey ?? this.#blank).byteOffset,
      this.fresh.byteOffset,
      this.fresh.length,
      most,
    );
  }

  /** Into `changed`: what of the ink in `work` was not in the look before, or has changed by more than `most` levels. */
  markChanged(look: Look, last: Look, polarity: Polarity, most: number): void {
    this.#run.markChanged(
      this.work.byteOffset,
      look.grey.byteOffset,
      last[polarity].byteOffset,
      last.grey.byteOffset,
      this.changed.byteOffset,
      this.changed.length,
      most,
    );
  }

  /** How many pixels of a look have the level of another, but for `most`. */
  countNear({ grey }: Look, other: Look, most: number): number {
    return this.#run.countNear(grey.byteOffset, other.grey.byteOffset, grey.length, most);
  }

  /** Finds runs of inked tiles of 8 by `tileRows` pixels, and joins those that touch in the next row; overwritten by the next call. */
  findGroups(ink: Uint8Array, { columns, rows, tileRows, minInk, gap, minWidth }: TileRows): Int32Array {
    this.#run.countTiles(ink.byteOffset, this.width, columns, rows, tileRows, this.#tiles);
    const runs = this.#run.findRuns(this.#tiles, columns, rows, minInk, gap, this.#runs);
    const groups = this.#run.joinRuns(this.#runs, runs, minWidth, this.#parents, this.#boxes, this.#groups);
    return new Int32Array(this.#run.memory.buffer, this.#groups, BOX_LENGTH * groups);
  }
}
