/** Linear RGB of one set of primaries → linear sRGB. Whites are adapted by the Bradford matrix, as in ICC profiles (ICC.1:2022, annex E). */
import { inverse3 } from './color-space.ts';

/** CIE 1931 x, y. */
type Chromaticity = readonly [number, number];

export interface Primaries {
  readonly red: Chromaticity;
  readonly green: Chromaticity;
  readonly blue: Chromaticity;
  readonly white: Chromaticity;
}

/** Three rows. */
export type Matrix3 = readonly number[];

const D65: Chromaticity = [0.3127, 0.329];
/** Of ICC's connection space (ICC.1:2022, section 7.2.16). */
const D50_XYZ = [0.9642, 1, 0.8249] as const;

export const SRGB: Primaries = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: D65 };
/** SMPTE EG 432-1. */
export const DISPLAY_P3: Primaries = {
  ...{ red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 },
};
/** SMPTE RP 431-2. */
export const DCI_P3: Primaries = { ...DISPLAY_P3, white: [0.314, 0.351] };
/** Adobe RGB (1998), version 2005-05. */
export const ADOBE_RGB: Primaries = {
  ...{ red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: D65 },
};
/** ITU-R BT.2020-2. */
export const BT2020: Primaries = {
  ...{ red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 },
};

const BRADFORD: Matrix3 = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];
const FROM_D50 = inverse3(multiplied(adaptation(xyzOf(D65), D50_XYZ), rgbToXyz(SRGB)));

export function toSrgb(primaries: Primaries): Matrix3 {
  const adapted = adaptation(xyzOf(primaries.white), xyzOf(D65));
  return multiplied(inverse3(rgbToXyz(SRGB)), multiplied(adapted, rgbToXyz(primaries)));
}

/** The same for colorants: XYZ of red, green and blue in ICC's connection space, one column each. */
export function colorantsToSrgb(colorants: Matrix3): Matrix3 {
  return multiplied(FROM_D50, colorants);
}

/** The sum of red, green and blue is the white point. */
function rgbToXyz({ red, green, blue, white }: Primaries): Matrix3 {
  const [r, g, b] = [xyzOf(red), xyzOf(green), xyzOf(blue)];
  const columns = [0, 1, 2].flatMap((row) => [r[row]!, g[row]!, b[row]!]);
  const scale = applied(inverse3(columns), xyzOf(white));
  return columns.map((value, index) => value * scale[index % 3]!);
}

function adaptation(from: readonly number[], to: readonly number[]): Matrix3 {
  const [source, target] = [applied(BRADFORD, from), applied(BRADFORD, to)];
  const scaled = BRADFORD.map((value, index) => {
    const row = Math.floor(index / 3);
    return (value * target[row]!) / source[row]!;
  });
  return multiplied(inverse3(BRADFORD), scaled);
}

/** With Y = 1. */
function xyzOf([x, y]: Chromaticity): readonly [number, number, number] {
  return [x / y, 1, (1 - x - y) / y];
}

function applied(matrix: Matrix3, [x, y, z]: readonly number[]): number[] {
  return [0, 3, 6].map((row) => matrix[row]! * x! + matrix[row + 1]! * y! + matrix[row + 2]! * z!);
}

function multiplied(left: Matrix3, right: Matrix3): Matrix3 {
  return left.map((_, index) => {
    const [row, column] = [index - (index % 3), index % 3];
    return [0, 1, 2].reduce((sum, at) => sum + left[row + at]! * right[3 * at + column]!, 0);
  });
}
