import assert from 'node:assert/strict';
import { test } from 'node:test';
import { converter, differenceEuclidean } from 'culori';
import {
  bytesToLab,
  labToRgb,
  linearToSrgb,
  oklabToRgb,
  rgbToLab,
  rgbToOklab,
  srgbToLinear,
} from '../../src/signal/color-space.ts';

// Values of the CIE formulas for sRGB and D65, as color calculators print them.
const KNOWN: readonly [string, readonly number[], readonly number[]][] = [
  ['black', [0, 0, 0], [0, 0, 0]],
  ['white', [255, 255, 255], [100, 0, 0]],
  ['middle grey', [119, 119, 119], [50.03, 0, 0]],
  ['red', [255, 0, 0], [53.24, 80.09, 67.2]],
  ['green', [0, 255, 0], [87.74, -86.18, 83.18]],
  ['blue', [0, 0, 255], [32.3, 79.19, -107.86]],
  ['yellow', [255, 255, 0], [97.14, -21.55, 94.48]],
];

for (const [name, bytes, lab] of KNOWN) {
  test(`${name} in Lab`, () => {
    const out = new Float64Array(3);
    bytesToLab(bytes[0], bytes[1], bytes[2], out);
    for (let axis = 0; axis < 3; axis++) {
      assert.ok(Math.abs(out[axis] - lab[axis]) < 0.05, `${[...out]} is not ${lab}`);
    }
  });
}

test('red and blue in Oklab, and back', () => {
  const [oklab, rgb] = [new Float64Array(3), new Float64Array(3)];
  const toOklab = converter('oklab');
  for (const [r, g, b] of [
    [1, 0, 0],
    [0, 0, 1],
    [0.2, 0.7, 0.4],
  ] as const) {
    rgbToOklab(r, g, b, oklab);
    const wanted = toOklab({ mode: 'rgb', r, g, b });
    assert.ok(Math.hypot(oklab[0] - wanted.l, oklab[1] - wanted.a, oklab[2] - wanted.b) < 1e-4);
    oklabToRgb(oklab[0], oklab[1], oklab[2], rgb);
    assert.ok(Math.hypot(rgb[0] - r, rgb[1] - g, rgb[2] - b) < 1e-4, String(rgb));
  }
});

test('Lab and back is the identity over the RGB cube', () => {
  const lab = new Float64Array(3);
  const rgb = new Float64Array(3);
  for (let red = 0; red <= 1; red += 0.125) {
    for (let green = 0; green <= 1; green += 0.125) {
      for (let blue = 0; blue <= 1; blue += 0.125) {
        rgbToLab(red, green, blue, lab);
        labToRgb(lab[0], lab[1], lab[2], rgb);
        for (const [axis, value] of [red, green, blue].entries()) {
          assert.ok(Math.abs(rgb[axis] - value) < 1e-6);
        }
      }
    }
  }
});

test('the transfer curve is its own inverse, below black and above white too', () => {
  for (const value of [-0.2, 0, 0.02, 0.04045, 0.5, 1, 1.3]) {
    assert.ok(Math.abs(linearToSrgb(srgbToLinear(value)) - value) < 1e-6, String(value));
  }
});

/** Colors over the whole cube, near black and at its corners too. */
const LEVELS = [0, 3, 9, 11, 40, 85, 128, 190, 254, 255];
const CUBE = LEVELS.flatMap((r) => LEVELS.flatMap((g) => LEVELS.map((b) => [r, g, b] as const)));
/** A library's own Lab of D65, from the same standards. */
const toLab65 = converter('lab65');
const toRgb = converter('rgb');

/** Both sides round their matrices from chromaticities of four digits: they are this far apart at most. */
const LAB_TOLERANCE = 0.02;

test('Lab over the cube equals culori’s, from numbers and from bytes', () => {
  const out = new Float64Array(3);
  for (const [r, g, b] of CUBE) {
    const expected = toLab65({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
    for (const how of ['numbers', 'bytes'] as const) {
      if (how === 'numbers') rgbToLab(r / 255, g / 255, b / 255, out);
      else bytesToLab(r, g, b, out);
      const apart = Math.hypot(out[0] - expected.l, out[1] - expected.a, out[2] - expected.b);
      assert.ok(
        apart < LAB_TOLERANCE,
        `${how} of ${[r, g, b]}: ${[...out]}, not ${JSON.stringify(expected)}`,
      );
    }
  }
});

test('RGB of Lab equals culori’s, inside the gamut and beyond', () => {
  const out = new Float64Array(3);
  for (let l = 0; l <= 100; l += 5) {
    for (let a = -60; a <= 60; a += 20) {
      for (let b = -60; b <= 60; b += 20) {
        labToRgb(l, a, b, out);
        const expected = toRgb({ mode: 'lab65', l, a, b });
        const apart = Math.max(
          ...[expected.r, expected.g, expected.b].map((value, axis) => Math.abs(value - out[axis])),
        );
        assert.ok(apart < 0.002, `${[l, a, b]}: ${[...out]}, not ${JSON.stringify(expected)}`);
      }
    }
  }
});

test('distances in Lab are culori’s ΔE of 1976', () => {
  const distance = differenceEuclidean('lab65');
  const [one, other] = [new Float64Array(3), new Float64Array(3)];
  for (const [at, [r, g, b]] of CUBE.entries()) {
    const [r2, g2, b2] = CUBE[(at * 37 + 11) % CUBE.length];
    rgbToLab(r / 255, g / 255, b / 255, one);
    rgbToLab(r2 / 255, g2 / 255, b2 / 255, other);
    const ours = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
    const rgb = (red: number, green: number, blue: number) =>
      ({ mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 }) as const;
    assert.ok(Math.abs(ours - distance(rgb(r, g, b), rgb(r2, g2, b2))) < 2 * LAB_TOLERANCE);
  }
});

test('the transfer curve is culori’s, on both sides of its corner', () => {
  const toLinear = converter('lrgb');
  for (let byte = 0; byte <= 255; byte++) {
    const { r } = toLinear({ mode: 'rgb', r: byte / 255, g: 0, b: 0 });
    assert.ok(Math.abs(srgbToLinear(byte / 255) - r) < 1e-6, String(byte));
    assert.ok(Math.abs(linearToSrgb(r) - byte / 255) < 1e-6, String(byte));
  }
});
