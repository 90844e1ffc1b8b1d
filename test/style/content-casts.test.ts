/** Casts of templates that are their content: a sky, water, a drawing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { castOnGrey, fadedBy } from '../../src/style/look/content-casts.ts';

const SKY = [-5, -40] as const;
const WATER = [-35, 15] as const;
const BY_DAY = { median: 60, darks: 20, caution: 1 };
const BY_NIGHT = { median: 15, darks: 2, caution: 1 };
/** A sky that fills the picture: neither dark nor bright, and without shadows. */
const DEEP_SKY = { median: 42, darks: 36, caution: 1 };
const size = (cast: readonly [number, number]) => Math.hypot(...cast);

test('white walls stay white and asphalt grey under a sky and under water by day', () => {
  for (const cast of [SKY, WATER]) {
    assert.ok(size(castOnGrey(cast, 80, BY_DAY)) < 8.5, String(castOnGrey(cast, 80, BY_DAY)));
    assert.ok(size(castOnGrey(cast, 45, BY_DAY)) < 17, String(castOnGrey(cast, 45, BY_DAY)));
  }
});

test('shadows and mid-tones under a stage take more, weak casts and no caution all', () => {
  assert.ok(size(castOnGrey(SKY, 30, BY_NIGHT)) > 0.8 * size(SKY));
  assert.ok(size(castOnGrey([1, -2], 80, BY_DAY)) > 0.95 * size([1, -2]));
  assert.deepEqual(castOnGrey(SKY, 80, { ...BY_DAY, caution: 0 }), SKY);
});

test('asphalt under a deep blue sky of median 42 takes less than 28 of 40, under a stage of that median more, and wood keeps its warm limit', () => {
  assert.ok(size(castOnGrey(SKY, 50, DEEP_SKY)) < 28, String(castOnGrey(SKY, 50, DEEP_SKY)));
  assert.ok(size(castOnGrey(SKY, 50, { ...DEEP_SKY, darks: 5 })) > 30);
  const [tables, rooms] = [DEEP_SKY, { ...DEEP_SKY, darks: 5 }];
  assert.deepEqual(castOnGrey([16, 36], 50, tables), castOnGrey([16, 36], 50, rooms));
});

test('evening light may tint white more than green water does', () => {
  assert.ok(size(castOnGrey([15, 35], 80, BY_DAY)) > 1.4 * size(castOnGrey(WATER, 80, BY_DAY)));
});

test('brown wood under a sky loses chroma and keeps its hue; blue cloth keeps both', () => {
  const [a, b] = fadedBy(SKY, [10, 20], 22, 1);
  assert.ok(Math.hypot(a, b) < 0.5 * Math.hypot(10, 20), `${a}, ${b}`);
  assert.ok(a > 0 && Math.abs(a * 20 - b * 10) < 1e-9);
  assert.deepEqual(fadedBy(SKY, [-2, -20], 20, 1), [-2, -20]);
});

test('a protected red keeps its chroma', () => {
  assert.deepEqual(fadedBy(WATER, [60, 35], 70, 1), [60, 35]);
});

test('the loss folds no colors: the map of (a, b) keeps its orientation', () => {
  const step = 0.01;
  for (const guard of [0, 1]) {
    const at = (a: number, b: number) => fadedBy(SKY, [a, b], Math.hypot(a, b), guard);
    for (let a = -60; a <= 60; a += 3) {
      for (let b = -60; b <= 60; b += 3) {
        const [here, right, up] = [at(a, b), at(a + step, b), at(a, b + step)];
        const determinant =
          (right[0] - here[0]) * (up[1] - here[1]) - (right[1] - here[1]) * (up[0] - here[0]);
        assert.ok(determinant > 0, `folds at ${a}, ${b}, guard ${guard}`);
      }
    }
  }
});
