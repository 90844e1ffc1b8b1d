/** How sharp each part of a picture is, against the formula. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { partSharpness } from '../../src/analysis/subjects/sharpness.ts';

const PARTS = 24;

describe('sharpness of the parts of a picture', () => {
  for (const [width, height, box] of [
    [160, 90, { left: 0, top: 0, width: 160, height: 90 }],
    [131, 77, { left: 13, top: 9, width: 101, height: 52 }],
    [20, 50, { left: 0, top: 0, width: 20, height: 50 }],
    [9, 9, { left: 4, top: 4, width: 1, height: 1 }],
  ] as const) {
    test(`${box.width}×${box.height} of ${width}×${height}`, () => {
      const data = Uint8Array.from({ length: width * height }, (_, at) => (at * at * 31 + at * 7) % 256);
      data.fill(0, 0, width);
      data.fill(255, data.length - width);
      const expected = new Float64Array(PARTS * PARTS);
      for (let y = box.top + 1; y < box.top + box.height - 1; y++)
        for (let x = box.left + 1; x < box.left + box.width - 1; x++) {
          const at = (right: number, down: number) => data[(y + down) * width + x + right];
          const bend = 4 * at(0, 0) - at(-1, 0) - at(1, 0) - at(0, -1) - at(0, 1);
          const [row, column] = [((y + 0.5) / height) * PARTS, ((x + 0.5) / width) * PARTS];
          expected[PARTS * Math.floor(row) + Math.floor(column)] += bend ** 2;
        }
      const picture = { width, height, channels: 1, data } as const;
      assert.deepEqual([...partSharpness(picture, box)], [...expected.map(Math.sqrt)]);
    });
  }
});
