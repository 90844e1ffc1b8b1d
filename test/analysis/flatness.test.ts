/** Share of flat pixels: of known pictures, and of parts of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flatShare } from '../../src/analysis/picture/flatness.ts';

const [WIDTH, HEIGHT] = [64, 40];
const picture = (levelAt: (x: number, y: number) => number) => ({
  width: WIDTH,
  height: HEIGHT,
  channels: 1 as const,
  data: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => levelAt(at % WIDTH, Math.floor(at / WIDTH))),
});
const ALL = { left: 0, top: 0, width: WIDTH, height: HEIGHT };
const LEFT = { ...ALL, width: WIDTH / 2 };

for (const [what, levelAt, box, wanted] of [
  ['one level', () => 90, ALL, 1],
  ['levels that differ by one', (x) => 90 + (x % 2), ALL, 1],
  ['by two, from left to right', (x) => 90 + 2 * (x % 2), ALL, 0],
  ['by two, from top to bottom', (_, y) => 90 + 2 * (y % 2), ALL, 0],
  ['a flat left half', (x) => (x < WIDTH / 2 ? 90 : 90 + 9 * (x % 2)), LEFT, 1],
  ['a flat left half of the whole', (x) => (x < WIDTH / 2 ? 90 : 99 - 9 * (x % 2)), ALL, 0.5],
] as [string, (x: number, y: number) => number, typeof ALL, number][])
  test(`${what}: ${wanted}`, () => {
    assert.ok(Math.abs(flatShare(picture(levelAt), box) - wanted) < 0.02);
  });

test('a part without a neighbour has none', () => {
  assert.equal(
    flatShare(
      picture(() => 90),
      { ...ALL, width: 1 },
    ),
    0,
  );
});
