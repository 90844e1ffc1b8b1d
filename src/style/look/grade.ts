import type { CubeGrade } from '../../footage.ts';
import { greyOf, labToRgb, rgbToLab } from '../../signal/colour-space.ts';
import { between, clamp, segmentAt } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { easeIntoGamut } from './gamut.ts';
import { toneAt } from './tone-curve.ts';

const DEGREES = 180 / Math.PI;
/** Skin of every tone, in CIELAB: full guard inside the first pair, none outside the second. */
const SKIN_HUE = { full: [33, 72], none: [18, 88] } as const;
const SKIN_CHROMA = { full: [10, 44], none: [5, 56] } as const;
/** Of the colour being graded: made once, because a cube has 36,000 of them. */
const LAB = new Float64Array(3);
const SOURCE = { rgb: new Float64Array(3), grey: 0 };
const GRADED = { rgb: new Float64Array(3), grey: 0 };

/**
 * Applies `grade` to a Lab colour and writes the result to `out[0..2]`: the reference implementation. It may
 * leave the gamut of RGB; `gradeLut` eases it back.
 */
export function gradeLab(grade: Grade, lightness: number, a: number, b: number, out: Float64Array): void {
  const [ma, mb, mc, md] = grade.matrix;
  const [da, db] = [a - grade.centre[0], b - grade.centre[1]];
  const [offsetA, offsetB] = offsetAt(grade.offsets, lightness);
  const gradedA = grade.centre[0] + ma * da + mb * db + offsetA;
  const gradedB = grade.centre[1] + mc * da + md * db + offsetB;
  out[0] = toneAt(grade.lightness, lightness);
  guardHue(grade, a, b, gradedA, gradedB, out);
}

/**
 * The grade as a cube of `size`³ gamma-encoded BT.709 RGB triples (0..1), red fastest: the order of a `.cube`
 * file. Colours near the border of the gamut, or beyond, are eased in, so that neighbouring colours stay neighbours. A table that was given stays what it
 * is, in its own size.
 */
export function gradeLut(grade: Grade | CubeGrade, size = 33): Float32Array {
  if ('rgb' in grade) return grade.rgb;
  const lut = new Float32Array(size ** 3 * 3);
  const rgb = new Float64Array(3);
  let at = 0;
  for (let blue = 0; blue < size; blue++) {
    for (let green = 0; green < size; green++) {
      for (let red = 0; red < size; red++, at += 3) {
        gradeRgb(grade, red / (size - 1), green / (size - 1), blue / (size - 1), rgb);
        for (let axis = 0; axis < 3; axis++) lut[at + axis] = rgb[axis]!;
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
  SOURCE.grey = greyOf(LAB[0]!);
  gradeLab(grade, LAB[0]!, LAB[1]!, LAB[2]!, LAB);
  const lightness = clamp(LAB[0]!, 0, 100);
  labToRgb(lightness, LAB[1]!, LAB[2]!, GRADED.rgb);
  GRADED.grey = greyOf(lightness);
  easeIntoGamut(SOURCE, GRADED, out);
  for (let axis = 0; axis < 3; axis++) out[axis] = clamp(out[axis]!, 0, 1);
}

/** The text of a `.cube` file (Adobe, Cube LUT Specification 1.0) of an RGB cube from `gradeLut`. */
export function writeCube(lut: Float32Array, title = 'StyleDNA grade'): string {
  const size = Math.round(Math.cbrt(lut.length / 3));
  const lines = [`TITLE "${title.replaceAll(/["\r\n]/g, ' ')}"`, `LUT_3D_SIZE ${size}`];
  lines.push('DOMAIN_MIN 0.0 0.0 0.0', 'DOMAIN_MAX 1.0 1.0 1.0');
  for (let at = 0; at < lut.length; at += 3) {
    lines.push(`${lut[at]!.toFixed(6)} ${lut[at + 1]!.toFixed(6)} ${lut[at + 2]!.toFixed(6)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** 0..1: how far a colour counts as skin. */
export function skinWeight(a: number, b: number): number {
  const hue = Math.atan2(b, a) * DEGREES;
  const chroma = Math.hypot(a, b);
  return trapezoid(hue, SKIN_HUE) * trapezoid(chroma, SKIN_CHROMA);
}

/**
 * Keeps skin's hue within the guard: what would turn further loses chroma instead. All other colours go with the light, as
 * under a filter.
 */
function guardHue(
  grade: Grade,
  a: number,
  b: number,
  gradedA: number,
  gradedB: number,
  out: Float64Array,
): void {
  out[1] = gradedA;
  out[2] = gradedB;
  if (grade.skinGuardDegrees >= 180) return;
  const seen = stretch(grade, a, b);
  const skin = skinWeight(seen * a, seen * b);
  if (skin === 0) return;
  const before = Math.atan2(b, a);
  let turned = Math.atan2(gradedB, gradedA) - before;
  if (turned > Math.PI) turned -= 2 * Math.PI;
  if (turned < -Math.PI) turned += 2 * Math.PI;
  const guard = grade.skinGuardDegrees / DEGREES;
  // Approaches the guard instead of stopping there, so that neighbouring hues stay apart.
  const allowed = guard * Math.tanh(turned / guard);
  const kept = Math.hypot(gradedA, gradedB) * Math.max(0, Math.cos(turned - allowed));
  out[1] = gradedA + skin * (kept * Math.cos(before + allowed) - gradedA);
  out[2] = gradedB + skin * (kept * Math.sin(before + allowed) - gradedB);
}

/** How much paler a colour is than in life, or than what the map makes of it: pale skin is guarded as what it becomes. */
function stretch({ matrix, paleness = 1 }: Grade, a: number, b: number): number {
  const chroma = Math.hypot(a, b);
  if (chroma < 1e-6) return paleness;
  return Math.max(
    paleness,
    Math.hypot(matrix[0] * a + matrix[1] * b, matrix[2] * a + matrix[3] * b) / chroma,
  );
}

/** The shift of (a, b) at a lightness. */
export function offsetAt(offsets: Grade['offsets'], lightness: number): [number, number] {
  if (offsets.length === 0) return [0, 0];
  const { left, right, share } = segmentAt(offsets, (knot) => knot.at, lightness);
  return [between(left.a, right.a, share), between(left.b, right.b, share)];
}

function trapezoid(
  value: number,
  { full, none }: { full: readonly [number, number]; none: readonly [number, number] },
): number {
  const rising = (value - none[0]) / (full[0] - none[0]);
  const falling = (none[1] - value) / (none[1] - full[1]);
  return Math.max(0, Math.min(1, rising, falling));
}
