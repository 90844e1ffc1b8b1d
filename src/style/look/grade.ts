import type { CubeGrade } from '../../footage.ts';
import { labToLinear, labToRgb, rgbToLab, srgbToLinear } from '../../signal/colour-space.ts';
import { between, clamp, segmentAt } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { toneAt } from './tone-curve.ts';

const DEGREES = 180 / Math.PI;
/** Skin of every tone, in CIELAB: full guard inside the first pair, none outside the second. */
const SKIN_HUE = { full: [33, 72], none: [18, 88] } as const;
const SKIN_CHROMA = { full: [10, 44], none: [5, 56] } as const;
/** Share of the gamut's chroma from which a colour is eased into the gamut instead of being cut off. */
const GAMUT_KNEE = 0.65;
const GAMUT_END = 0.88;
/** What is eased in stays this far, in levels of RGB 0..1, from clipping: 8 bits of 4:2:0 take some of it. */
const GAMUT_MARGIN = 0.025;
/** What rounding may put a colour beyond. */
const GAMUT_TOLERANCE = 1e-6;

/** The colour being graded, before and after: made once, because a cube has 36,000 of them. */
const SOURCE = new Float64Array(3);
const GRADED = new Float64Array(3);

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
 * file. Colours beyond the gamut keep hue and lightness and are eased in by their chroma. A table that was given stays what it
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
        lut.set(rgb, at);
      }
    }
  }
  return lut;
}

/** Applies `grade` to gamma-encoded BT.709 RGB and writes RGB within 0..1 to `out[0..2]`. */
export function gradeRgb(grade: Grade, red: number, green: number, blue: number, out: Float64Array): void {
  rgbToLab(red, green, blue, SOURCE);
  gradeLab(grade, SOURCE[0]!, SOURCE[1]!, SOURCE[2]!, GRADED);
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

function easeIntoGamut(source: Float64Array, graded: Float64Array, rgb: Float64Array): void {
  const lightness = Math.max(0, Math.min(100, graded[0]!));
  const share = gamutShareFrom(GAMUT_KNEE, lightness, graded[1]!, graded[2]!, rgb);
  if (share > GAMUT_KNEE) {
    // A source colour already near the edge may stay there: the identity has to stay the identity.
    const knee = gamutShareFrom(GAMUT_KNEE, source[0]!, source[1]!, source[2]!, rgb);
    if (share > knee) {
      const room = Math.max(0, GAMUT_END - knee);
      const eased = room < 1e-6 ? knee : knee + room * (1 - Math.exp(-(share - knee) / room));
      graded[1] = (graded[1]! * eased) / share;
      graded[2] = (graded[2]! * eased) / share;
    }
  }
  labToRgb(lightness, graded[1]!, graded[2]!, rgb);
}

/**
 * Chroma as a multiple of the most that the gamut, less its margin, holds at this lightness and hue, but never less than `least`. Most
 * colours have less: that takes one test, where the multiple itself takes twenty. Near black and white the margin is half of what there is.
 */
function gamutShareFrom(least: number, lightness: number, a: number, b: number, rgb: Float64Array): number {
  if (Math.hypot(a, b) < 1e-3) return least;
  labToRgb(lightness, 0, 0, rgb);
  // In linear light, which rises with what is encoded from it: encoding each colour that is tried would cost most of all.
  const darkest = srgbToLinear(Math.min(GAMUT_MARGIN, rgb[0]! / 2) - GAMUT_TOLERANCE);
  const brightest = srgbToLinear(Math.max(1 - GAMUT_MARGIN, (1 + rgb[0]!) / 2) + GAMUT_TOLERANCE);
  if (isWithin(lightness, a / least, b / least, darkest, brightest, rgb)) return least;
  let [low, high] = [0, 1];
  while (high < 1024 && isWithin(lightness, a * high, b * high, darkest, brightest, rgb))
    [low, high] = [high, high * 2];
  for (let round = 0; round < 20; round++) {
    const middle = (low + high) / 2;
    if (isWithin(lightness, a * middle, b * middle, darkest, brightest, rgb)) low = middle;
    else high = middle;
  }
  return Math.max(least, 1 / Math.max(low, 1e-3));
}

/** Whether all channels lie within `darkest` and `brightest`, in linear light. */
function isWithin(
  lightness: number,
  a: number,
  b: number,
  darkest: number,
  brightest: number,
  rgb: Float64Array,
): boolean {
  labToLinear(lightness, a, b, rgb);
  return Math.min(rgb[0]!, rgb[1]!, rgb[2]!) >= darkest && Math.max(rgb[0]!, rgb[1]!, rgb[2]!) <= brightest;
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
