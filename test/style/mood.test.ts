/** The palette of a picture in numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impressionOf, PERCENTILES } from '../../src/style/look/mood.ts';

test('an impression is the lightness of the percentiles, the mean chroma and the cast of each third', () => {
  // Shadows (0, 10), mid-tones (3, 4), lights (−8, −6); of a hundred each.
  const casts = [
    [0, 10],
    [3, 4],
    [-8, -6],
  ] as const;
  const count = 300;
  const cloud = Float64Array.from(
    Array.from({ length: count }, (_, at) => [at / 3, ...casts[Math.floor(at / 100)]]).flat(),
  );
  const impression = impressionOf(cloud);
  const rounded = Array.from(impression, (value) => Math.round(1000 * value) / 1000);
  assert.deepEqual(rounded, [
    ...PERCENTILES.map((share) => Math.round((1000 * Math.floor(share * count)) / 3) / 1000),
    Math.round((1000 * (10 + 5 + 10)) / 3) / 1000,
    ...casts.flat(),
  ]);
});
