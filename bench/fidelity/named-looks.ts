/** Looks to report on, built of curves and lightness-keyed color balance, otherwise than the ones that the estimator was fitted on. */

import { luma709 } from '../../src/signal/color-space.ts';
import { clamp, polylineAt } from '../../src/signal/interpolation.ts';

/** Changes gamma-encoded RGB, 0..1, in place. */
export type RgbLook = (rgb: Float64Array) => void;

type Curve = readonly (readonly [number, number])[];
type Rgb = readonly [number, number, number];

const bounded = (value: number) => clamp(value, 0, 1);

const curves =
  (...channels: readonly Curve[]): RgbLook =>
  (rgb) => {
    for (const [at, curve] of channels.entries()) rgb[at] = polylineAt(curve, bounded(rgb[at]));
  };
const gains =
  (factors: Rgb): RgbLook =>
  (rgb) => {
    for (const [at, factor] of factors.entries()) rgb[at] *= factor;
  };
/** Weights of shadows, mid-tones and highlights as FFmpeg's `colorbalance` has them. */
const balance =
  (shadows: Rgb, highlights: Rgb): RgbLook =>
  (rgb) => {
    const lightness = (Math.max(...rgb) + Math.min(...rgb)) / 2;
    const [dark, light] = [bounded((0.333 - lightness) * 4 + 0.5), bounded((lightness - 0.667) * 4 + 0.5)];
    for (let at = 0; at < 3; at++)
      rgb[at] = bounded(rgb[at] + 0.7 * (dark * shadows[at] + light * highlights[at]));
  };
/** Contrast about the middle, brightness, saturation and gamma, in this order. */
const equalised =
  (contrast: number, brightness: number, saturation: number, gamma = 1): RgbLook =>
  (rgb) => {
    const luma = luma709(rgb[0], rgb[1], rgb[2]);
    const light = bounded((bounded(luma) - 0.5) * contrast + 0.5 + brightness) ** (1 / gamma);
    for (let at = 0; at < 3; at++) rgb[at] = bounded(light + saturation * (rgb[at] - luma));
  };
const bleachBypass =
  (amount: number): RgbLook =>
  (rgb) => {
    const grey = luma709(rgb[0], rgb[1], rgb[2]);
    for (let at = 0; at < 3; at++) {
      const value = bounded(rgb[at]);
      const over = grey < 0.5 ? 2 * value * grey : 1 - 2 * (1 - value) * (1 - grey);
      rgb[at] = value + amount * (over - value);
    }
  };
const chained =
  (...steps: readonly RgbLook[]): RgbLook =>
  (rgb) => {
    for (const step of steps) step(rgb);
    for (let at = 0; at < 3; at++) rgb[at] = bounded(rgb[at]);
  };

export const NAMED_LOOKS = {
  golden: chained(
    gains([1.12, 1.02, 0.78]),
    curves(
      [
        [0, 0.03],
        [0.5, 0.56],
        [1, 1],
      ],
      [
        [0, 0.02],
        [0.5, 0.51],
        [1, 0.97],
      ],
      [
        [0, 0],
        [0.5, 0.46],
        [1, 0.86],
      ],
    ),
  ),
  'teal and orange': chained(balance([-0.2, 0.03, 0.2], [0.2, 0.05, -0.2]), equalised(1.15, 0, 1.15)),
  moonlight: chained(gains([0.75, 0.88, 1.12]), equalised(1.05, -0.14, 0.65)),
  faded: chained(
    curves(
      [
        [0, 0.14],
        [0.5, 0.52],
        [1, 0.92],
      ],
      [
        [0, 0.13],
        [0.5, 0.52],
        [1, 0.91],
      ],
      [
        [0, 0.16],
        [0.5, 0.5],
        [1, 0.86],
      ],
    ),
    equalised(1, 0, 0.75),
  ),
  'bleach bypass': chained(bleachBypass(0.75), equalised(1.1, 0, 0.55)),
  'black and white': chained(equalised(1.2, 0, 0)),
  vivid: chained(equalised(1.12, 0.02, 1.5)),
  'pink matte': chained(
    curves(
      [
        [0, 0.12],
        [0.5, 0.56],
        [1, 0.97],
      ],
      [
        [0, 0.08],
        [0.5, 0.48],
        [1, 0.9],
      ],
      [
        [0, 0.12],
        [0.5, 0.53],
        [1, 0.95],
      ],
    ),
    equalised(1, 0, 0.85),
  ),
  dark: chained(equalised(1.1, -0.16, 0.9, 0.8)),
  'high key': chained(equalised(0.85, 0.12, 0.9, 1.25)),
} as const satisfies Record<string, RgbLook>;
