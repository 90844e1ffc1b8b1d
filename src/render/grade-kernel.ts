import { instantiateKernel, type KernelExports, reserveBytes } from '../signal/kernel.ts';
import type { Plane, Yuv } from './composite.ts';
import {
  CHROMA_TABLE_BYTES,
  type ChromaRange,
  type Codes,
  fillGradeTables,
  LUMA_TABLE_BYTES,
} from './grade-tables.ts';

interface GradeExports extends KernelExports {
  readonly grade: (
    lumaTable: number,
    chromaTable: number,
    y: number,
    u: number,
    v: number,
    lumaStride: number,
    chromaStride: number,
    width: number,
    height: number,
  ) => void;
  /** The least code in the low byte, the greatest in the next. */
  readonly codeRange: (plane: number, stride: number, width: number, height: number) => number;
}

const CHROMA_TABLE = LUMA_TABLE_BYTES;
const PICTURE = CHROMA_TABLE + CHROMA_TABLE_BYTES;
/** Where pictures go beyond what is filled the tables are filled up to the next multiple: rarely, and not by much too much. */
const RANGE_STEP = 16;

/**
 * Grades 8-bit BT.709 limited-range 4:2:0 pictures by a cube of `gradeLut`: two tables, looked up in WebAssembly, and filled for
 * the chroma that pictures have. As good as `lut3d` in 16-bit RGB, at a fifth of the cost: `docs/decisions/0017-grade-kernel.md`.
 */
export class GradeKernel {
  readonly #kernel = instantiateKernel<GradeExports>(new URL('grade-kernel.wasm', import.meta.url));
  readonly #lut: Float32Array;
  /** For which chroma the tables are filled; null: none. */
  #filled: ChromaRange | null = null;

  constructor(lut: Float32Array) {
    this.#lut = lut;
    reserveBytes(this.#kernel.memory, PICTURE);
  }

  /** Both pictures of one even size; `to` may be `from`. */
  apply(from: Yuv, to: Yuv): void {
    const [y, u, v] = from;
    const ends = [y, u, v].map(bytesOf);
    reserveBytes(this.#kernel.memory, PICTURE + ends[0]! + ends[1]! + ends[2]!);
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    const starts = [PICTURE, PICTURE + ends[0]!, PICTURE + ends[0]! + ends[1]!];
    for (const [index, plane] of from.entries())
      memory.set(plane.data.subarray(0, bytesOf(plane)), starts[index]!);
    this.#fillFor({ blue: this.#codesOf(starts[1]!, u), red: this.#codesOf(starts[2]!, v) });
    this.#kernel.grade(
      0,
      CHROMA_TABLE,
      starts[0]!,
      starts[1]!,
      starts[2]!,
      y.stride,
      u.stride,
      y.width,
      y.height,
    );
    for (const [index, plane] of to.entries()) copyRows(memory, starts[index]!, from[index]!.stride, plane);
  }

  #codesOf(start: number, { stride, width, height }: Plane): Codes {
    const range = this.#kernel.codeRange(start, stride, width, height);
    return [range & 0xff, range >> 8];
  }

  #fillFor(chroma: ChromaRange): void {
    const { buffer } = this.#kernel.memory;
    const luma = new Uint8Array(buffer, 0, LUMA_TABLE_BYTES);
    const pairs = new Uint8Array(buffer, CHROMA_TABLE, CHROMA_TABLE_BYTES);
    const wanted = widened(this.#filled, chroma);
    for (const missing of missingParts(this.#filled, wanted))
      fillGradeTables(this.#lut, luma, pairs, missing);
    this.#filled = wanted;
  }
}

/** Holds both; where it goes beyond what is filled it ends at a multiple of `RANGE_STEP`. */
function widened(filled: ChromaRange | null, { blue, red }: ChromaRange): ChromaRange {
  const codes = (has: Codes | undefined, [least, most]: Codes): Codes => [
    has !== undefined && has[0] <= least ? has[0] : least - (least % RANGE_STEP),
    has !== undefined && has[1] >= most ? has[1] : most - (most % RANGE_STEP) + RANGE_STEP - 1,
  ];
  return { blue: codes(filled?.blue, blue), red: codes(filled?.red, red) };
}

/** Of a range what a smaller one within it lacks: what lies below and above it, then what lies beside. */
function missingParts(filled: ChromaRange | null, { blue, red }: ChromaRange): readonly ChromaRange[] {
  if (filled === null) return [{ blue, red }];
  const parts: ChromaRange[] = [
    { blue: [blue[0], filled.blue[0] - 1], red },
    { blue: [filled.blue[1] + 1, blue[1]], red },
    { blue: filled.blue, red: [red[0], filled.red[0] - 1] },
    { blue: filled.blue, red: [filled.red[1] + 1, red[1]] },
  ];
  return parts.filter((part) => part.blue[0] <= part.blue[1] && part.red[0] <= part.red[1]);
}

function bytesOf({ stride, height }: Plane): number {
  return stride * height;
}

function copyRows(memory: Uint8Array, start: number, stride: number, plane: Plane): void {
  if (plane.stride === stride) {
    plane.data.set(memory.subarray(start, start + stride * plane.height));
    return;
  }
  for (let row = 0; row < plane.height; row++) {
    const at = start + row * stride;
    plane.data.set(memory.subarray(at, at + plane.width), row * plane.stride);
  }
}
