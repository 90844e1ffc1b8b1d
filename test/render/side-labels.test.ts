/** The words on a comparison. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripLines } from '../../src/render/comparison-size.ts';
import { sideLabel } from '../../src/render/side-labels.ts';

describe('a label', () => {
  for (const { word, x, width, height, most } of [
    { word: 'before', x: 0, width: 1280, height: 720, most: 110 },
    { word: 'after', x: 1284, width: 1280, height: 720, most: 90 },
    { word: 'before', x: 0, width: 404, height: 720, most: 110 },
    { word: 'before', x: 0, width: 102, height: 180, most: 60 },
  ]) {
    test(`"${word}" on ${width}x${height} stands in the strip over its side, at its left`, () => {
      const label = sideLabel(word, x, { width, height })!;
      const [luma] = label.planes;
      assert.ok(label.x > x && label.x + luma.width < x + width, 'it is on its side');
      assert.ok(
        label.y >= 0 && label.y + luma.height <= stripLines(height),
        'it covers nothing of the picture',
      );
      assert.ok(luma.width <= most && luma.width > 1.5 * luma.height);
      assert.deepEqual([label.x % 2, label.y % 2], [0, 0], 'chroma stays on luma');
      // White letters on a dark ground.
      assert.ok(luma.levels.some((level) => level > 225));
      const share = luma.coverage.reduce((sum, covered) => sum + covered, 0) / 255 / luma.coverage.length;
      assert.ok(share > 0.75, `${share} is covered`);
    });
  }

  for (const [width, there] of [
    [70, true],
    [40, false],
    [2, false],
  ] as const)
    test(`on a side ${width} pixels wide there is ${there ? 'one' : 'none'}`, () =>
      assert.equal(sideLabel('before', 0, { width, height: 100 }) !== null, there));
});
