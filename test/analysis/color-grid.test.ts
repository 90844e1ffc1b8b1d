/** Small pictures for the estimate of a look: means of what was sampled, so that a mirrored clip gives the same look. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ColorGrid } from '../../src/analysis/color/grid.ts';

/** A grey picture. */
function halved(width: number, height: number, level: (x: number, y: number) => number): number[] {
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.fill(level(x, y), 3 * (y * width + x), 3 * (y * width + x + 1));
  const grid = new ColorGrid(width, height);
  return [...grid.halved(grid.sample({ width, height, channels: 3, data }))].filter((_, at) => at % 3 === 0);
}

describe('a halved picture', () => {
  for (const [what, level, wanted] of [
    ['plain', () => 90, 90],
    ['columns of one pixel', (x: number) => 200 * (x % 2), 100],
    ['columns of one pixel, mirrored', (x: number) => 200 * ((x + 1) % 2), 100],
    ['rows of one pixel', (_: number, y: number) => 200 * (y % 2), 100],
  ] as const)
    test(`of ${what}`, () => {
      assert.deepEqual(
        halved(8, 6, level),
        Array.from({ length: 12 }, () => wanted),
      );
    });

  test('has the odd last row and column as they are', () => {
    assert.deepEqual(
      halved(3, 3, (x, y) => 10 * x + 40 * y),
      // Means of the two sampled pixels of four; none below and beside the last.
      [25, 20, 80, 100],
    );
  });
});
