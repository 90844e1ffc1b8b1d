/** The words on a comparison. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bandLines } from '../../src/render/previews/comparison-size.ts';
import { sideLabel } from '../../src/render/previews/side-labels.ts';

describe('a label', () => {
  for (const { word, x, width, height } of [
    { word: 'before', x: 0, width: 1280, height: 720 },
    { word: 'after', x: 1284, width: 1280, height: 720 },
    { word: 'before', x: 0, width: 404, height: 720 },
    { word: 'before', x: 0, width: 102, height: 180 },
  ]) {
    test(`"${word}" below ${width}x${height} is in the band of its side`, () => {
      const label = sideLabel(word, x, { width, height })!;
      const [luma] = label.planes;
      assert.ok(label.x > x && label.x + luma.width < x + width, 'it is on its side');
      const band = bandLines(height);
      assert.ok(
        label.y >= height && label.y + luma.height <= height + band,
        'it covers nothing of the picture',
      );
      const [above, below] = [label.y - height, height + band - label.y - luma.height];
      assert.ok(Math.abs(above - below) <= 0.2 * band, `${above} above it, ${below} below`);
      assert.ok(luma.height > 0.35 * band && luma.width > 1.5 * luma.height, 'it can be read');
      assert.deepEqual([label.x % 2, label.y % 2], [0, 0], 'chroma stays on luma');
      assert.ok(luma.levels.some((level) => level > 225));
    });
  }

  for (const [width, there] of [
    [70, true],
    [20, false],
    [2, false],
  ] as const)
    test(`on a side ${width} pixels wide there is ${there ? 'one' : 'none'}`, () =>
      assert.equal(sideLabel('before', 0, { width, height: 100 }) !== null, there));
});
