/** Casts of templates that lamps in the scene explain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLamps } from '../../src/style/look/lamps.ts';

const STAGE = 10;
const DAY = 50;
const size = (cast: readonly [number, number]) => Math.hypot(...cast);

test('in a dark template, strong purple, red and green casts are limited more than warm and blue ones', () => {
  for (const purple of [
    [30, -30],
    [40, 0],
    [-40, 20],
  ] as const)
    assert.ok(size(withoutLamps(purple, STAGE, 1)) < 18, String(withoutLamps(purple, STAGE, 1)));
  assert.ok(size(withoutLamps([16, 37], STAGE, 1)) > 20);
  assert.ok(size(withoutLamps([4, -40], STAGE, 1)) > 20);
});

test('weak casts, bright templates and no caution leave casts as they are; hue never changes', () => {
  assert.deepEqual(withoutLamps([30, -30], DAY, 1), [30, -30]);
  assert.deepEqual(withoutLamps([30, -30], STAGE, 0), [30, -30]);
  assert.deepEqual(withoutLamps([0, 0], STAGE, 1), [0, 0]);
  assert.ok(size(withoutLamps([2, -2], STAGE, 1)) > 0.95 * size([2, -2]));
  const [a, b] = withoutLamps([30, -20], STAGE, 1);
  assert.ok(Math.abs(a * -20 - b * 30) < 1e-9);
});

test('the limit is smooth over hue and lightness: neighboring casts stay neighbors', () => {
  for (let degrees = 0; degrees < 360; degrees++) {
    const cast = (hue: number, median: number) =>
      withoutLamps([30 * Math.cos((hue * Math.PI) / 180), 30 * Math.sin((hue * Math.PI) / 180)], median, 1);
    const [one, hue, median] = [cast(degrees, 30), cast(degrees + 1, 30), cast(degrees, 30.5)];
    for (const other of [hue, median]) assert.ok(Math.hypot(one[0] - other[0], one[1] - other[1]) < 1.5);
  }
});
