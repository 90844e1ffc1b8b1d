import type { CubeGrade } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { cubeOf } from '../../style/look/grade.ts';
import type { Grade } from '../../style/model/timeline.ts';
import type { Yuv } from './composite.ts';
import {
  CHROMA_TABLE_BYTES,
  type ChromaRange,
  type Codes,
  fillGradeTables,
  LUMA_TABLE_BYTES,
} from './grade-tables.ts';
import { copyIn, copyOut, type PlacedPicture, type PlacedPlane, placePicture } from './placed-picture.ts';

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
/** Filled chroma ranges end at multiples of this, so that tables are extended rarely. */
const RANGE_STEP = 16;

/**
 * Grades 8-bit BT.709 limited-range 4:2:0 pictures by a 3D LUT, converted to two tables that WebAssembly looks up. Tables are filled only for
 * chroma that occurs. As exact as `lut3d` in 16-bit RGB at a fifth of its cost: `docs/decisions/0069-compress-colors-at-the-gamut-border.md`.
 */
export class GradeKernel {
  readonly #kernel = instantiateKernel<GradeExports>(new URL('grade-kernel.wasm', import.meta.url));
  readonly #grade: CubeGrade;
  /** Chroma range for which the tables are filled; null: none. */
  #filled: ChromaRange | null = null;

  constructor(grade: CubeGrade) {
    this.#grade = grade;
    reserveBytes(this.#kernel.memory, PICTURE);
  }

  /** End of the tables in the kernel's memory; pictures are placed after it. */
  get picturesStart(): number {
    return PICTURE;
  }

  get memory(): WebAssembly.Memory {
    return this.#kernel.memory;
  }

  /** Both pictures have the same even size; `to` may be `from`. */
  apply(from: Yuv, to: Yuv): void {
    const layout = new KernelLayout(PICTURE);
    const picture = placePicture(layout, from, (plane) => plane.stride);
    reserveBytes(this.memory, layout.bytes);
    const bytes = new Uint8Array(this.memory.buffer);
    copyIn(bytes, from, picture);
    this.applyInMemory(picture);
    copyOut(bytes, picture, to);
  }

  /** Grades a picture that is already in the kernel's memory, in place. Width and height are even. */
  applyInMemory([y, u, v]: PlacedPicture): void {
    this.#fillFor({ blue: this.#codesOf(u), red: this.#codesOf(v) });
    this.#kernel.grade(
      0,
      CHROMA_TABLE,
      y.address,
      u.address,
      v.address,
      y.stride,
      u.stride,
      y.width,
      y.height,
    );
  }

  #codesOf({ address, stride, width, height }: PlacedPlane): Codes {
    const range = this.#kernel.codeRange(address, stride, width, height);
    return [range & 0xff, range >> 8];
  }

  #fillFor(chroma: ChromaRange): void {
    const { buffer } = this.#kernel.memory;
    const luma = new Uint8Array(buffer, 0, LUMA_TABLE_BYTES);
    const pairs = new Uint8Array(buffer, CHROMA_TABLE, CHROMA_TABLE_BYTES);
    const wanted = widened(this.#filled, chroma);
    for (const missing of missingParts(this.#filled, wanted))
      fillGradeTables(this.#grade, luma, pairs, missing);
    this.#filled = wanted;
  }
}

const KERNELS = new WeakMap<object, GradeKernel>();

/** The kernel of a grade; its tables are filled once in a process, however many ranges are drawn with it. */
export function gradeKernelOf(grade: Grade | CubeGrade): GradeKernel {
  const kernel = KERNELS.get(grade) ?? new GradeKernel(cubeOf(grade));
  KERNELS.set(grade, kernel);
  return kernel;
}

/** A range that contains both; a bound beyond `filled` is rounded outwards to `RANGE_STEP`. */
function widened(filled: ChromaRange | null, { blue, red }: ChromaRange): ChromaRange {
  const codes = (has: Codes | undefined, [least, most]: Codes): Codes => [
    has !== undefined && has[0] <= least ? has[0] : least - (least % RANGE_STEP),
    has !== undefined && has[1] >= most ? has[1] : most - (most % RANGE_STEP) + RANGE_STEP - 1,
  ];
  return { blue: codes(filled?.blue, blue), red: codes(filled?.red, red) };
}

/** The parts of a range outside `filled`: first below and above it, then beside it. */
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
