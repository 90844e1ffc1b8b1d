import { linearToSrgb } from '../../signal/color-space.ts';
import type { RgbColors } from './icc-profile.ts';

/** Linear light → code of sRGB. The steepest part of the curve has 20 steps for a code. */
const STEPS = 65_535;
const CODES = Uint8Array.from({ length: STEPS + 1 }, (_, step) =>
  Math.round(255 * linearToSrgb(step / STEPS)),
);
/** Levels at which two color spaces are compared. */
const COMPARED = [0, 16, 64, 128, 192, 255];
/** Some profiles of sRGB have rounded curves and colorants. */
const SAME_CODES = 1;

/** Interleaved 8-bit RGB, with or without a fourth component. */
export interface RgbRows {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Bytes from row to row. */
  readonly stride: number;
  readonly channels: 3 | 4;
}

/** Converts RGB to sRGB. Colors outside its gamut are clipped, component by component, as by relative colorimetric intent. */
export class RgbConversion {
  /** Linear light of each code, for red, green and blue. */
  readonly #light: readonly Float64Array[];
  /** By rows: sRGB's red of red, green and blue, then its green, then its blue. */
  readonly #matrix: readonly number[];

  constructor({ curves, toSrgb }: RgbColors) {
    this.#light = curves.map((curve) =>
      Float64Array.from({ length: 256 }, (_, code) => Math.min(1, Math.max(0, curve(code / 255)))),
    );
    this.#matrix = toSrgb.map((value) => value * STEPS);
  }

  /** Whether no color changes visibly. */
  get isIdentity(): boolean {
    const colors = COMPARED.flatMap((r) => COMPARED.flatMap((g) => COMPARED.map((b) => [r, g, b])));
    const data = Uint8Array.from(colors.flat());
    this.apply({ data, width: colors.length, height: 1, stride: data.length, channels: 3 });
    return colors.flat().every((code, index) => Math.abs(code - data[index]!) <= SAME_CODES);
  }

  /** In place. */
  apply({ data, width, height, stride, channels }: RgbRows): void {
    const [red, green, blue] = this.#light as [Float64Array, Float64Array, Float64Array];
    // `rg`: factor of green light in sRGB's red.
    const [rr, rg, rb, gr, gg, gb, br, bg, bb] = this.#matrix as [
      ...[number, number, number, number, number, number, number, number, number],
    ];
    for (let y = 0; y < height; y++) {
      const end = y * stride + width * channels;
      for (let at = y * stride; at < end; at += channels) {
        const r = red[data[at]!]!;
        const g = green[data[at + 1]!]!;
        const b = blue[data[at + 2]!]!;
        data[at] = code(rr * r + rg * g + rb * b);
        data[at + 1] = code(gr * r + gg * g + gb * b);
        data[at + 2] = code(br * r + bg * g + bb * b);
      }
    }
  }
}

/** `light`: linear, 0..STEPS within the gamut. */
function code(light: number): number {
  return light <= 0 ? 0 : light >= STEPS ? 255 : CODES[(light + 0.5) | 0]!;
}
