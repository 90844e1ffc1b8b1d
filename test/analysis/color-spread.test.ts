/** How far the colors of a picture lie apart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import { colorSpreadOf } from '../../src/analysis/picture/color-spread.ts';

type Color = readonly [number, number, number];

/** Stripes of these colors, one pixel wide, in turn. */
function striped(colors: readonly Color[]) {
  const [width, height] = [48, 27];
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < width * height; at++) data.set(colors[(at % width) % colors.length]!, 3 * at);
  return { width, height, channels: 3, data } as const;
}

test('is the spread of red–green and yellow–blue', () => {
  // [colors, spread in levels].
  const rows: readonly (readonly [readonly Color[], number])[] = [
    [[[128, 128, 128]], 0],
    [
      [
        [0, 0, 0],
        [255, 255, 255],
      ],
      0,
    ],
    [[[200, 20, 20]], 0],
    [
      [
        [140, 100, 120],
        [100, 140, 120],
      ],
      40,
    ],
    [
      [
        [120, 120, 90],
        [120, 120, 150],
      ],
      30,
    ],
    [
      [
        [140, 100, 90],
        [100, 140, 150],
      ],
      50,
    ],
  ];
  for (const [colors, levels] of rows)
    assert.ok(
      Math.abs(colorSpreadOf(striped(colors), WHOLE_PICTURE) - levels / 255) < 1e-9,
      JSON.stringify(colors),
    );
});

test('is measured inside bars', () => {
  const picture = striped([[120, 120, 120]]);
  picture.data.fill(0, 0, 3 * 48 * 9);
  for (let at = 0; at < 48 * 9; at++) picture.data[3 * at] = 200;
  assert.ok(colorSpreadOf(picture, WHOLE_PICTURE) > 0.2);
  assert.equal(colorSpreadOf(picture, { x: 0, y: 1 / 3, width: 1, height: 2 / 3 }), 0);
});
