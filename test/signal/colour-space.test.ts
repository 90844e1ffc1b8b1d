import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesToLab, labToRgb, linearToSrgb, rgbToLab, srgbToLinear } from '../../src/signal/colour-space.ts';

// Values of the CIE formulas for sRGB and D65, as colour calculators print them.
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
    bytesToLab(bytes[0]!, bytes[1]!, bytes[2]!, out);
    for (let axis = 0; axis < 3; axis++) {
      assert.ok(Math.abs(out[axis]! - lab[axis]!) < 0.05, `${[...out]} is not ${lab}`);
    }
  });
}

test('Lab and back is the identity over the RGB cube', () => {
  const lab = new Float64Array(3);
  const rgb = new Float64Array(3);
  for (let red = 0; red <= 1; red += 0.125) {
    for (let green = 0; green <= 1; green += 0.125) {
      for (let blue = 0; blue <= 1; blue += 0.125) {
        rgbToLab(red, green, blue, lab);
        labToRgb(lab[0]!, lab[1]!, lab[2]!, rgb);
        for (const [axis, value] of [red, green, blue].entries()) {
          assert.ok(Math.abs(rgb[axis]! - value) < 1e-6);
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
