import type { CubeGrade } from '../../domain/footage.ts';
import { greyOf, labToRgb, rgbToLab } from '../../signal/color-space.ts';
import { between, clamp, segmentAt } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { fadedBy, keepingCool } from './content-casts.ts';
import { easeIntoGamut } from './gamut.ts';
import { guardSkin } from './skin.ts';
import {
  castOn,
  freedCast,
  keepHue,
  keepSaturation,
  keepStrongColor,
  keptLightness,
  keptPale,
  keptWhite,
  mappedColor,
} from './strong-colors.ts';
import { toneAt } from './tone-curve.ts';

/** Of the color being graded: made once, because a cube has 36,000 of them. */
const LAB = new Float64Array(3);
const SOURCE = { rgb: new Float64Array(3), grey: 0 };
const GRADED = { rgb: new Float64Array(3), grey: 0 };

/**
 * Applies `grade` to a Lab color and writes the result to `out[0..2]`: the reference implementation. It may
 * leave the gamut of RGB; `gradeLut` eases it back.
 */
export function gradeLab(grade: Grade, lightness: number, a: number, b: number, out: Float64Array): void {
  const chroma = Math.hypot(a, b);
  const { paleness = 1, colorGuard = 0, heldCasts = [] } = grade;
  const held = offsetAt(heldCasts, lightness);
  const own = mappedColor(grade, a, b);
  const mapped = fadedBy(held, own, paleness * chroma, colorGuard);
  const onGrey = offsetAt(grade.offsets, lightness);
  const freed = freedCast(mapped, paleness * chroma, held, colorGuard);
  const cast = castOn(mapped, paleness * chroma, [onGrey[0] + freed[0], onGrey[1] + freed[1]], colorGuard);
  out[0] = keptLightness(grade, [a, b], lightness, toneAt(grade.lightness, lightness));
  const under = keepingCool(own, [mapped[0] + cast[0], mapped[1] + cast[1]], colorGuard);
  const color = { source: [a, b], mapped: own, lightness } as const;
  guardSkin(grade, [a, b], keptWhite(grade, color, keptPale(grade, color, under)), out);
  keepSaturation(grade, { lightness, chroma }, out);
}

/**
 * The grade as a table of `size`³ gamma-encoded BT.709 RGB triples (0..1), red fastest. Colors near the border of the gamut, or
 * beyond, are eased in, so that neighbouring colors stay neighbours. A configured table stays as it is, in its own size.
 */
export function cubeOf(grade: Grade | CubeGrade, size = 33): CubeGrade {
  if ('rgb' in grade) return grade;
  const key = JSON.stringify([grade, size]);
  if (latest?.key !== key) latest = { key, cube: { size, rgb: gradeLut(grade, size) } };
  return latest.cube;
}

/** The plan, its file and its pictures share one table where one process makes them: a table takes about 100 ms. */
let latest: { readonly key: string; readonly cube: CubeGrade } | null = null;

/** The triples of `cubeOf`: the order of a `.cube` file. */
export function gradeLut(grade: Grade, size = 33): Float32Array {
  const lut = new Float32Array(size ** 3 * 3);
  const rgb = new Float64Array(3);
  let at = 0;
  for (let blue = 0; blue < size; blue++) {
    for (let green = 0; green < size; green++) {
      for (let red = 0; red < size; red++, at += 3) {
        gradeRgb(grade, red / (size - 1), green / (size - 1), blue / (size - 1), rgb);
        for (let axis = 0; axis < 3; axis++) lut[at + axis] = rgb[axis];
      }
    }
  }
  return lut;
}

/** Applies `grade` to gamma-encoded BT.709 RGB and writes RGB within 0..1 to `out[0..2]`. */
export function gradeRgb(grade: Grade, red: number, green: number, blue: number, out: Float64Array): void {
  SOURCE.rgb[0] = red;
  SOURCE.rgb[1] = green;
  SOURCE.rgb[2] = blue;
  rgbToLab(red, green, blue, LAB);
  SOURCE.grey = greyOf(LAB[0]);
  const chroma = Math.hypot(LAB[1], LAB[2]);
  gradeLab(grade, LAB[0], LAB[1], LAB[2], LAB);
  const lightness = clamp(LAB[0], 0, 100);
  labToRgb(lightness, LAB[1], LAB[2], GRADED.rgb);
  GRADED.grey = greyOf(lightness);
  keepStrongColor(grade, SOURCE.rgb, GRADED, chroma);
  easeIntoGamut(SOURCE, GRADED, out);
  // Channels that are eased turn the hue.
  keepHue(grade, SOURCE.rgb, out, chroma);
  for (let axis = 0; axis < 3; axis++) out[axis] = clamp(out[axis], 0, 1);
}

/** The shift of (a, b) at a lightness. */
export function offsetAt(offsets: Grade['offsets'], lightness: number): [number, number] {
  if (offsets.length === 0) return [0, 0];
  const { left, right, share } = segmentAt(offsets, (knot) => knot.at, lightness);
  return [between(left.a, right.a, share), between(left.b, right.b, share)];
}
