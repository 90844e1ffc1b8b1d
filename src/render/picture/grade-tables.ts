import type { CubeGrade } from '../../domain/footage.ts';
import { LUMA_WEIGHTS_709 } from '../../signal/color-space.ts';
import { RgbCube } from './rgb-cube.ts';

/**
 * A grade as tables over 8-bit limited-range BT.709 codes (ITU-R BT.709-6, section 3), so that a pixel costs a look-up.
 * Both tables are computed from the RGB cube of `grade.cube` by tetrahedral interpolation.
 */

/** Luma by chroma cells 4 levels wide, centred on multiples of 4: `[round(U / 4)][round(V / 4)][Y]`, 128 cells a row. */
export const LUMA_TABLE_BYTES = 65 * 128 * 256;
/** Pairs (U, V) by mean luma in steps of 4: `[Y >> 2][U][V]`. */
export const CHROMA_TABLE_BYTES = 64 * 256 * 256 * 2;

const CELL = 4;
const LUMA_STEP = 4;
/** Kr, Kb of BT.709, and the ranges of its 8-bit codes. */
const { red: KR, blue: KB } = LUMA_WEIGHTS_709;
const KG = 1 - KR - KB;
const LUMA_RANGE = 219;
const CHROMA_RANGE = 224;

/** Smallest and greatest 8-bit code. */
export type Codes = readonly [number, number];

/** Ranges of chroma codes. */
export interface ChromaRange {
  readonly blue: Codes;
  readonly red: Codes;
}

/**
 * Fills both tables from a table of RGB triples, for one range of chroma only. Pictures use few chroma codes,
 * and filling all takes many times as long.
 */
export function fillGradeTables(
  grade: CubeGrade,
  luma: Uint8Array,
  chroma: Uint8Array,
  range: ChromaRange,
): void {
  const cube = new YuvCube(grade);
  const [firstBlue, firstRed] = [cellOf(range.blue[0]), cellOf(range.red[0])];
  for (let blue = firstBlue; blue <= cellOf(range.blue[1]); blue += CELL) {
    for (let red = firstRed; red <= cellOf(range.red[1]); red += CELL) {
      const at = ((blue / CELL) << 15) | ((red / CELL) << 8);
      for (let y = 0; y < 256; y++) {
        cube.lookUp(y, blue, red);
        luma[at | y] = 16.5 + LUMA_RANGE * cube.luma();
      }
    }
  }
  for (let step = 0; step < 256 / LUMA_STEP; step++) {
    // The centre of the codes that share a step.
    const y = step * LUMA_STEP + (LUMA_STEP - 1) / 2;
    for (let blue = range.blue[0]; blue <= range.blue[1]; blue++) {
      for (
        let red = range.red[0], at = 2 * ((step << 16) | (blue << 8) | red);
        red <= range.red[1];
        red++, at += 2
      ) {
        cube.lookUp(y, blue, red);
        const light = cube.luma();
        chroma[at] = 128.5 + (CHROMA_RANGE * (cube.blue - light)) / (2 * (1 - KB));
        chroma[at + 1] = 128.5 + (CHROMA_RANGE * (cube.red - light)) / (2 * (1 - KR));
      }
    }
  }
}

/** Centre code of the cell that contains a chroma code. */
function cellOf(code: number): number {
  return CELL * Math.round(code / CELL);
}

/** An RGB cube indexed by YUV codes. */
class YuvCube {
  readonly #cube: RgbCube;

  constructor(grade: CubeGrade) {
    this.#cube = new RgbCube(grade);
  }

  get red(): number {
    return this.#cube.red;
  }

  get blue(): number {
    return this.#cube.blue;
  }

  luma(): number {
    return KR * this.#cube.red + KG * this.#cube.green + KB * this.#cube.blue;
  }

  lookUp(y: number, u: number, v: number): void {
    const light = (y - 16) / LUMA_RANGE;
    const cb = (u - 128) / CHROMA_RANGE;
    const cr = (v - 128) / CHROMA_RANGE;
    const r = light + 2 * (1 - KR) * cr;
    const g = light - (2 * (1 - KB) * KB * cb + 2 * (1 - KR) * KR * cr) / KG;
    const b = light + 2 * (1 - KB) * cb;
    this.#cube.lookUp(r, g, b);
  }
}
