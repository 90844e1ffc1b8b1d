/**
 * Gamma-encoded BT.709 RGB ↔ CIELAB. BT.709 and sRGB share primaries and white (D65); the transfer curve is
 * sRGB's (IEC 61966-2-1), as screens show such pictures. Lab by CIE 15:2004, section 8.2.1.
 */

const EPSILON = 216 / 24389;
const KAPPA = 24389 / 27;

// Linear RGB → XYZ (IEC 61966-2-1, derived from the chromaticities). Each row is divided by its sum, so that
// white is exactly (1, 1, 1) and every grey has a = b = 0.
const RED = [0.4123907992659595, 0.21263900587151036, 0.01933081871559185];
const GREEN = [0.35758433938387796, 0.7151686787677559, 0.11919477979462599];
const BLUE = [0.1804807884018343, 0.07219231536073371, 0.9505321522496606];
const WHITE = RED.map((red, row) => red + GREEN[row] + BLUE[row]);
const TO_XYZ = [0, 1, 2].flatMap((row) => [
  RED[row] / WHITE[row],
  GREEN[row] / WHITE[row],
  BLUE[row] / WHITE[row],
]);
const FROM_XYZ = inverse3(TO_XYZ);

/** `rootOrLine` at even steps of 0..1, and one step more for values rounded above 1. */
const ROOT_STEPS = 4096;
const ROOTS = Float64Array.from({ length: ROOT_STEPS + 2 }, (_, step) => rootOrLine(step / ROOT_STEPS));

const LINEAR_OF_BYTE = Float64Array.from({ length: 256 }, (_, byte) => srgbToLinear(byte / 255));

/** Tables of `bytesToLab`, for kernels with the same computation. */
export const LAB_TABLES = {
  linearOfByte: LINEAR_OF_BYTE,
  roots: ROOTS,
  rootSteps: ROOT_STEPS,
  toXyz: TO_XYZ,
} as const;

/** Gamma-encoded 0..1 → linear light; odd-symmetric below 0, continued above 1. */
export function srgbToLinear(value: number): number {
  const size = Math.abs(value);
  const linear = size <= 0.04045 ? size / 12.92 : ((size + 0.055) / 1.055) ** 2.4;
  return value < 0 ? -linear : linear;
}

/** The inverse of `srgbToLinear`. */
export function linearToSrgb(value: number): number {
  const size = Math.abs(value);
  const encoded = size <= 0.0031308 ? size * 12.92 : 1.055 * size ** (1 / 2.4) - 0.055;
  return value < 0 ? -encoded : encoded;
}

/** Writes L (0..100), a, b of a gamma-encoded color (0..1 each) to `out[0..2]`. */
export function rgbToLab(red: number, green: number, blue: number, out: Float64Array): void {
  linearToLab(srgbToLinear(red), srgbToLinear(green), srgbToLinear(blue), out);
}

/** Like `rgbToLab` for 8-bit components: several times faster, with errors up to 0.005. */
export function bytesToLab(red: number, green: number, blue: number, out: Float64Array): void {
  const r = LINEAR_OF_BYTE[red];
  const g = LINEAR_OF_BYTE[green];
  const b = LINEAR_OF_BYTE[blue];
  const fx = tabulatedRoot(TO_XYZ[0] * r + TO_XYZ[1] * g + TO_XYZ[2] * b);
  const fy = tabulatedRoot(TO_XYZ[3] * r + TO_XYZ[4] * g + TO_XYZ[5] * b);
  const fz = tabulatedRoot(TO_XYZ[6] * r + TO_XYZ[7] * g + TO_XYZ[8] * b);
  out[0] = 116 * fy - 16;
  out[1] = 500 * (fx - fy);
  out[2] = 200 * (fy - fz);
}

/** Writes the gamma-encoded RGB of a Lab color to `out[0..2]`; values are outside 0..1 if it is out of gamut. */
export function labToRgb(lightness: number, a: number, b: number, out: Float64Array): void {
  const fy = (lightness + 16) / 116;
  const x = cubeOrLine(fy + a / 500);
  const y = lightness > KAPPA * EPSILON ? fy ** 3 : lightness / KAPPA;
  const z = cubeOrLine(fy - b / 200);
  for (let axis = 0; axis < 3; axis++)
    out[axis] = linearToSrgb(
      FROM_XYZ[3 * axis] * x + FROM_XYZ[3 * axis + 1] * y + FROM_XYZ[3 * axis + 2] * z,
    );
}

/** Writes Oklab's L (0..1), a, b (Ottosson 2020) of a gamma-encoded color to `out[0..2]`. */
export function rgbToOklab(red: number, green: number, blue: number, out: Float64Array): void {
  const [r, g, b] = [srgbToLinear(red), srgbToLinear(green), srgbToLinear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  out[0] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  out[1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
}

/** The inverse of `rgbToOklab`; values are outside 0..1 if the color is out of gamut. */
export function oklabToRgb(lightness: number, a: number, b: number, out: Float64Array): void {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  out[0] = linearToSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  out[1] = linearToSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  out[2] = linearToSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
}

/** Gamma-encoded level, 0..1, of the grey of a lightness, 0..100. */
export function greyOf(lightness: number): number {
  return linearToSrgb(cubeOrLine((lightness + 16) / 116));
}

function linearToLab(red: number, green: number, blue: number, out: Float64Array): void {
  const fx = rootOrLine(TO_XYZ[0] * red + TO_XYZ[1] * green + TO_XYZ[2] * blue);
  const fy = rootOrLine(TO_XYZ[3] * red + TO_XYZ[4] * green + TO_XYZ[5] * blue);
  const fz = rootOrLine(TO_XYZ[6] * red + TO_XYZ[7] * green + TO_XYZ[8] * blue);
  out[0] = 116 * fy - 16;
  out[1] = 500 * (fx - fy);
  out[2] = 200 * (fy - fz);
}

function tabulatedRoot(t: number): number {
  const place = t * ROOT_STEPS;
  const below = place | 0;
  const root = ROOTS[below];
  return root + (place - below) * (ROOTS[below + 1] - root);
}

function rootOrLine(t: number): number {
  return t > EPSILON ? Math.cbrt(t) : (KAPPA * t + 16) / 116;
}

function cubeOrLine(f: number): number {
  const cube = f * f * f;
  return cube > EPSILON ? cube : (116 * f - 16) / KAPPA;
}

/** Inverse of a matrix of three rows. */
export function inverse3(m: readonly number[]): number[] {
  const minor = (p: number, q: number, r: number, s: number) => m[p] * m[q] - m[r] * m[s];
  const determinant = m[0] * minor(4, 8, 5, 7) - m[1] * minor(3, 8, 5, 6) + m[2] * minor(3, 7, 4, 6);
  return [
    minor(4, 8, 5, 7),
    minor(2, 7, 1, 8),
    minor(1, 5, 2, 4),
    minor(5, 6, 3, 8),
    minor(0, 8, 2, 6),
    minor(2, 3, 0, 5),
    minor(3, 7, 4, 6),
    minor(1, 6, 0, 7),
    minor(0, 4, 1, 3),
  ].map((value) => value / determinant);
}

/** Weights of red, green and blue in luma; their sum is 1 (ITU-R BT.709-6, section 3.2). */
export const LUMA_WEIGHTS_709 = { red: 0.2126, green: 0.7152, blue: 0.0722 } as const;

/** Luma of a gamma-encoded color, in the same units. */
export function luma709(red: number, green: number, blue: number): number {
  return LUMA_WEIGHTS_709.red * red + LUMA_WEIGHTS_709.green * green + LUMA_WEIGHTS_709.blue * blue;
}
