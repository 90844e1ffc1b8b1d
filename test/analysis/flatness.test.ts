/** Shares of flat cells and of hard edges: of known pictures, and of parts of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flatnessOf } from '../../src/analysis/picture/flatness.ts';

const [WIDTH, HEIGHT] = [64, 40];
const picture = (levelAt: (x: number, y: number) => number) => ({
  width: WIDTH,
  height: HEIGHT,
  channels: 1 as const,
  data: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => levelAt(at % WIDTH, Math.floor(at / WIDTH))),
});
const ALL = { x: 0, y: 0, width: 1, height: 1 };
const LEFT = { ...ALL, width: 0.5 };

for (const [what, levelAt, box, wanted, wantedHard = 0] of [
  ['one level', () => 90, ALL, 1],
  ['edges of 39 levels', (x) => 90 + 39 * (x % 2), ALL, 0],
  ['edges of 40 levels', (x) => 90 + 40 * (x % 2), ALL, 0, 1],
  ['edges of 40 levels from top to bottom', (_, y) => 90 + 40 * (y % 2), ALL, 0, 1],
  ['levels that differ by one', (x) => 90 + (x % 2), ALL, 1],
  ['by two, from left to right', (x) => 90 + 2 * (x % 2), ALL, 0],
  ['by two, from top to bottom', (_, y) => 90 + 2 * (y % 2), ALL, 0],
  ['a flat left half', (x) => (x < WIDTH / 2 ? 90 : 90 + 9 * (x % 2)), LEFT, 1],
  ['a flat left half of the whole', (x) => (x < WIDTH / 2 ? 90 : 99 - 9 * (x % 2)), ALL, 0.5],
] as [string, (x: number, y: number) => number, typeof ALL, number, number?][])
  test(`${what}: ${wanted}, ${wantedHard}`, () => {
    const { flat, hard } = flatnessOf(picture(levelAt), box);
    assert.ok(Math.abs(flat - wanted) < 0.02 && Math.abs(hard - wantedHard) < 0.02, `${flat}, ${hard}`);
  });

test('a part without a neighbour has none', () => {
  const part = { ...ALL, width: 1 / WIDTH };
  assert.deepEqual(
    flatnessOf(
      picture(() => 90),
      part,
    ),
    { flat: 0, hard: 0 },
  );
});
