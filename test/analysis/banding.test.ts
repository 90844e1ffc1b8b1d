/** Divisions of a picture into bands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandingsFor } from '../../src/analysis/transitions/banding.ts';

test('cells are nearly square, and every pixel is in one of each division', () => {
  for (const [width, height, across, down] of [
    [160, 90, 12, 7],
    [90, 90, 9, 9],
    [160, 160, 9, 9],
    [4, 90, 2, 45],
  ] as const) {
    const bandings = bandingsFor(width, height);
    assert.deepEqual([bandings.cellsAcross, bandings.cellsDown], [across, down], `${width}×${height}`);
    for (const { of, sizes } of [
      bandings.whole,
      bandings.columns,
      bandings.rows,
      bandings.rings,
      bandings.cells,
    ]) {
      assert.equal(of.length, width * height);
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        width * height,
      );
    }
    assert.equal(bandings.cells.of.at(-1), across * down - 1);
  }
});
