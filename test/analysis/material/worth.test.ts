/** How much there is to see in a moment. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Shown, worthOf } from '../../../src/analysis/material/worth.ts';

const NOTHING: Shown = {
  ...{ faceHeight: 0, figure: 0, subject: 0, detail: 0.02, contrast: 0.05, activity: 0 },
  colorSpread: 0.02,
};
/** From little to much, as measured in real takes. */
const SCENES = [
  ['a blank wall', NOTHING],
  ['the sky with a trail', { ...NOTHING, detail: 0.055, contrast: 0.13, colorSpread: 0.03 }],
  [
    'a car that nobody washes',
    { ...NOTHING, detail: 0.32, contrast: 0.2, activity: 0.001, colorSpread: 0.07 },
  ],
  [
    'a man who washes a car',
    { ...NOTHING, detail: 0.4, contrast: 0.22, figure: 1, activity: 0.02, colorSpread: 0.1 },
  ],
  [
    'a couple',
    {
      ...NOTHING,
      detail: 0.29,
      contrast: 0.24,
      figure: 1,
      faceHeight: 0.58,
      subject: 0.4,
      colorSpread: 0.24,
    },
  ],
] as const;

test('scenes with more to see are worth more', () => {
  const values = SCENES.map(([, shown]) => worthOf(shown));
  for (let at = 1; at < values.length; at++)
    assert.ok(values[at] > values[at - 1] + 0.01, `${SCENES[at][0]}: ${values.join(' ')}`);
  assert.ok(values[0] < 0.05 && values.at(-1)! > 0.9, values.join(' '));
});

test('colors are a third of it', () => {
  for (const [scene, shown] of SCENES) {
    const [grey, middle, colored] = [0, 0.12, 0.24].map((colorSpread) => worthOf({ ...shown, colorSpread }));
    assert.ok(Math.abs(colored! - grey! - 1 / 3) < 1e-9 && Math.abs(middle! - grey! - 1 / 6) < 1e-9, scene);
  }
});

test('black and white loses nothing', () => {
  for (const [scene, shown] of SCENES) {
    const [none, grey] = [null, 0].map((colorSpread) => worthOf({ ...shown, colorSpread }));
    assert.ok(Math.abs(none! * (2 / 3) - grey!) < 1e-9, scene);
  }
});

describe('more of it never lowers the worth', () => {
  for (const name of Object.keys(NOTHING) as (keyof Shown)[])
    for (const [scene, shown] of SCENES)
      test(`${name} in ${scene}`, () => {
        const values = Array.from({ length: 11 }, (_, step) => worthOf({ ...shown, [name]: step / 10 }));
        for (let at = 1; at < values.length; at++) assert.ok(values[at] >= values[at - 1] - 1e-12);
      });
});
