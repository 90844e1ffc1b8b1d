import { RGB } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { median } from '../../signal/statistics.ts';
import type { FrameSketch } from '../frames/sketch.ts';

/** Pixels across the movement that are merged. */
const THINNING = 3;
/** Lines on each side of an edge; nearer ones are smoothed together. */
const SEAM_REACH = 2;
/** One level in a line's values: merged pixels times the weights 1-2-1. */
const LEVEL = 4 * THINNING;
/** Bytes of a value of a line, and of a sum in the tables. */
const VALUE_BYTES = 2;
const SUM_BYTES = 4;
const VECTOR_BYTES = 16;

/** `push`: both pictures move; `cover`: the new one moves over the old; `reveal`: the old one moves off the new. */
export const VARIANTS = ['push', 'cover', 'reveal'] as const;
export type Variant = (typeof VARIANTS)[number];

/** All but counts, distances in bytes and flags are addresses; `kernels/analysis/transitions/slide.ts` describes the memory. */
interface SlideExports extends KernelExports {
  cut(
    pixels: number,
    lines: number,
    along: number,
    across: number,
    aside: number,
    thinning: number,
    lineBytes: number,
    out: number,
  ): void;
  compare(picture: number, other: number, lines: number, lineBytes: number, table: number): void;
  squaredDifference(a: number, b: number, lineBytes: number): number;
  absoluteDifference(a: number, b: number, lineBytes: number): number;
  bestShift(
    old: number,
    fresh: number,
    lines: number,
    fromEnd: number,
    oldMoves: number,
    freshMoves: number,
    least: number,
  ): number;
}

let kernel: SlideExports | null = null;

/** The axes of two pictures, across and down. They share the kernel's memory: a call invalidates earlier axes. */
export function slideAxes(old: FrameSketch, fresh: FrameSketch): readonly [SlideAxis, SlideAxis] {
  kernel ??= instantiateKernel<SlideExports>(new URL('slide.wasm', import.meta.url));
  const layout = new KernelLayout();
  return [new SlideAxis(kernel, layout, old, fresh, false), new SlideAxis(kernel, layout, old, fresh, true)];
}

/**
 * Two pictures divided into lines across one direction of movement. Lines of RGB are smoothed by 1-2-1 along
 * the movement, so that subpixel shifts matter less, and thinned across it. Differences are in twelfths of a
 * level.
 */
class SlideAxis {
  /** The movement's direction. */
  readonly vertical: boolean;
  readonly lines: number;
  /** Squared difference of the two pictures. */
  readonly energy: number;
  readonly #run: SlideExports;
  /** Sizes of a line; its bytes are padded to whole vectors. */
  readonly #values: number;
  readonly #lineBytes: number;
  readonly #pixels: number;
  readonly #old: number;
  readonly #fresh: number;
  readonly #picture: number;
  /** Squared difference of line `d` of the picture and line `e` of the old and the new one: [d × lines + e]. */
  readonly #oldTable: number;
  readonly #freshTable: number;
  readonly #least: number;

  constructor(
    run: SlideExports,
    layout: KernelLayout,
    old: FrameSketch,
    fresh: FrameSketch,
    vertical: boolean,
  ) {
    this.#run = run;
    this.vertical = vertical;
    const { width, height, pixels } = old;
    this.lines = vertical ? height : width;
    this.#values = RGB * Math.floor((vertical ? width : height) / THINNING);
    this.#lineBytes = VECTOR_BYTES * Math.max(1, Math.ceil((VALUE_BYTES * this.#values) / VECTOR_BYTES));
    this.#pixels = layout.take(pixels.length);
    const linesBytes = this.lines * this.#lineBytes;
    [this.#old, this.#fresh, this.#picture] = [
      layout.take(linesBytes),
      layout.take(linesBytes),
      layout.take(linesBytes),
    ];
    const tableBytes = SUM_BYTES * this.lines ** 2;
    [this.#oldTable, this.#freshTable] = [layout.take(tableBytes), layout.take(tableBytes)];
    this.#least = layout.take(Float64Array.BYTES_PER_ELEMENT);
    reserveBytes(run.memory, layout.bytes);
    new Uint8Array(run.memory.buffer, this.#old, this.#oldTable - this.#old).fill(0);
    this.#cut(old, this.#old);
    this.#cut(fresh, this.#fresh);
    let energy = 0;
    for (let at = 0; at < linesBytes; at += this.#lineBytes)
      energy += run.squaredDifference(this.#old + at, this.#fresh + at, this.#lineBytes);
    this.energy = energy;
  }

  #cut({ width, height, pixels }: FrameSketch, out: number): void {
    new Uint8Array(this.#run.memory.buffer).set(pixels, this.#pixels);
    const across = Math.floor((this.vertical ? width : height) / THINNING);
    const [along, aside] = this.vertical ? [RGB * width, RGB] : [RGB, RGB * width];
    this.#run.cut(this.#pixels, this.lines, along, across, aside, THINNING, this.#lineBytes, out);
  }

  /** Selects the picture for `bestShift`. */
  compare(sketch: FrameSketch): void {
    this.#cut(sketch, this.#picture);
    this.#run.compare(this.#picture, this.#old, this.lines, this.#lineBytes, this.#oldTable);
    this.#run.compare(this.#picture, this.#fresh, this.lines, this.#lineBytes, this.#freshTable);
  }

  /**
   * Number of lines by which the new picture has moved in, from the last line or the first, and the squared
   * difference that remains.
   */
  bestShift(fromEnd: boolean, variant: Variant): { shift: number; remaining: number } {
    const shift = this.#run.bestShift(
      this.#oldTable,
      this.#freshTable,
      this.lines,
      Number(fromEnd),
      Number(variant !== 'cover'),
      Number(variant !== 'reveal'),
      this.#least,
    );
    return { shift, remaining: new Float64Array(this.#run.memory.buffer, this.#least, 1)[0] };
  }

  /**
   * Difference of the lines on both sides of the edge between the pictures, over that of lines as far apart
   * elsewhere. Null if the edge is too close to the picture's.
   */
  seam(sketch: FrameSketch, fromEnd: boolean, shift: number): number | null {
    const n = this.lines;
    const edge = fromEnd ? n - shift : shift;
    if (edge < SEAM_REACH || edge > n - SEAM_REACH) return null;
    this.#cut(sketch, this.#picture);
    const bytes = this.#lineBytes;
    const differences: number[] = [];
    let atEdge = 0;
    for (let line = SEAM_REACH; line <= n - SEAM_REACH; line++) {
      const before = this.#picture + (line - SEAM_REACH) * bytes;
      const after = this.#picture + (line + SEAM_REACH - 1) * bytes;
      const sum = this.#run.absoluteDifference(before, after, bytes);
      if (line === edge) atEdge = sum;
      else differences.push(sum);
    }
    const noise = LEVEL * this.#values;
    return differences.length === 0 ? null : (atEdge + noise) / (median(differences) + noise);
  }
}
