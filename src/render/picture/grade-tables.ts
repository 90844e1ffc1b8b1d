import type { CubeGrade } from '../../domain/footage.ts';
import { LUMA_WEIGHTS_709 } from '../../signal/colour-space.ts';
import { clamp } from '../../signal/interpolation.ts';
import { curveAt } from '../../style/model/cube-colour.ts';

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
 * Fills both tables from a table of RGB triples, for one range of chroma only: pictures use few chroma codes, and filling all takes
 * many times as long.
 */
export function fillGradeTables(
  grade: CubeGrade,
  luma: Uint8Array,
  chroma: Uint8Array,
  range: ChromaRange,
): void {
  const cube = new Cube(grade);
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

/** An RGB cube indexed by YUV codes. `lookUp` writes its result to the fields, so that nothing is allocated. */
class Cube {
  red = 0;
  green = 0;
  blue = 0;
  readonly #lut: Float32Array;
  readonly #size: number;
  readonly #curves: Float32Array | null;

  constructor({ size, rgb, curves }: CubeGrade) {
    this.#lut = rgb;
    this.#size = size;
    this.#curves = curves ?? null;
  }

  luma(): number {
    return KR * this.red + KG * this.green + KB * this.blue;
  }

  lookUp(y: number, u: number, v: number): void {
    const light = (y - 16) / LUMA_RANGE;
    const cb = (u - 128) / CHROMA_RANGE;
    const cr = (v - 128) / CHROMA_RANGE;
    const r = light + 2 * (1 - KR) * cr;
    const g = light - (2 * (1 - KB) * KB * cb + 2 * (1 - KR) * KR * cr) / KG;
    const b = light + 2 * (1 - KB) * cb;
    const curves = this.#curves;
    if (curves === null) this.#interpolate(r, g, b);
    else this.#interpolate(curveAt(curves, 0, r), curveAt(curves, 1, g), curveAt(curves, 2, b));
  }

  /**
   * Interpolates in the tetrahedron of the cell that contains the point: two opposite corners and two between (Kasson et al. 1995).
   * Greys lie on one edge of it, so that the tone curve of greys is kept exactly.
   */
  #interpolate(r: number, g: number, b: number): void {
    const last = this.#size - 1;
    const x = Math.max(0, Math.min(last, r * last));
    const y = Math.max(0, Math.min(last, g * last));
    const z = Math.max(0, Math.min(last, b * last));
    const x0 = Math.min(last - 1, x | 0);
    const y0 = Math.min(last - 1, y | 0);
    const z0 = Math.min(last - 1, z | 0);
    const dx = x - x0;
    const dy = y - y0;
    const dz = z - z0;
    const stepX = 3;
    const stepY = 3 * this.#size;
    const stepZ = stepY * this.#size;
    const near = x0 * stepX + y0 * stepY + z0 * stepZ;
    const far = near + stepX + stepY + stepZ;
    if (dx >= dy) {
      if (dy >= dz) this.#mix(near, near + stepX, far - stepZ, far, dx, dy, dz);
      else if (dx >= dz) this.#mix(near, near + stepX, far - stepY, far, dx, dz, dy);
      else this.#mix(near, near + stepZ, far - stepY, far, dz, dx, dy);
    } else if (dz >= dy) this.#mix(near, near + stepZ, far - stepX, far, dz, dy, dx);
    else if (dz >= dx) this.#mix(near, near + stepY, far - stepX, far, dy, dz, dx);
    else this.#mix(near, near + stepY, far - stepZ, far, dy, dx, dz);
  }

  /**
   * Corners on the path from the near to the far one, along the axes with the largest, middle and least share. Values of imported
   * tables may lie outside 0..1 and are clamped.
   */
  #mix(n: number, one: number, two: number, f: number, most: number, middle: number, least: number): void {
    const lut = this.#lut;
    const [a, b, c] = [1 - most, most - middle, middle - least];
    this.red = clamp(a * lut[n] + b * lut[one] + c * lut[two] + least * lut[f], 0, 1);
    this.green = clamp(a * lut[n + 1] + b * lut[one + 1] + c * lut[two + 1] + least * lut[f + 1], 0, 1);
    this.blue = clamp(a * lut[n + 2] + b * lut[one + 2] + c * lut[two + 2] + least * lut[f + 2], 0, 1);
  }
}
