/** The place of a figure in a profile of shares. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HEAD_TAIL, stretchOf } from '../../src/style/plan/figure-stretch.ts';
import { figureExtents } from '../../src/style/plan/subject-extents.ts';
import { clipFacts } from '../support/clip-facts.ts';

/** Ten parts, all of it evenly in those from `from` to `to`. */
const even = (from: number, to: number) =>
  Array.from({ length: 10 }, (_, part) => (part >= from && part < to ? 1 / (to - from) : 0));

describe('the stretch of a profile', () => {
  for (const [what, shares, [from, to], wanted] of [
    ['all but a twentieth on either side', even(2, 6), [0, 1], [0.22, 0.58]],
    ['of one part', even(3, 4), [0, 1], [0.305, 0.395]],
    ['what lies between two places', even(2, 6), [0.3, 1], [0.315, 0.585]],
    ['which may lie within parts', even(2, 6), [0.35, 0.55], [0.36, 0.54]],
    [
      'of a large one and a speck, the large one',
      [0, 0, 0.48, 0.48, 0, 0, 0, 0, 0, 0.04],
      [0, 1],
      [0.2 + 0.1 * (0.05 / 0.48), 0.3 + 0.1 * (0.47 / 0.48)],
    ],
  ] as const) {
    test(what, () => {
      const { from: start, size } = stretchOf(shares, from, to)!;
      assert.ok(Math.abs(start - wanted[0]) < 1e-9, String(start));
      assert.ok(Math.abs(start + size - wanted[1]) < 1e-9, String(start + size));
    });
  }
  test('a head, a fiftieth of the figure, is above the tail of a standing one', () => {
    const standing = [0, 0.02, 0.04, 0.1, 0.14, 0.14, 0.14, 0.14, 0.14, 0.14];
    assert.ok(stretchOf(standing)!.from > 0.15);
    const { from, size } = stretchOf(standing, 0, 1, HEAD_TAIL)!;
    assert.ok(Math.abs(from - 0.15) < 1e-9, String(from));
    assert.ok(Math.abs(from + size - (1 - 0.1 * (0.05 / 0.14))) < 1e-9, String(from + size));
  });
  test('is missing without a visible figure, or with hardly any of it', () => {
    assert.equal(stretchOf(even(0, 0)), null);
    assert.equal(stretchOf(even(2, 6), 0.51, 1), null);
    assert.notEqual(stretchOf(even(2, 6), 0.49, 1), null);
  });
});

test('figures are where they are within the time, else where they are at its start', () => {
  const way = [0, 1, 2, 3].map((timeSeconds) => ({ timeSeconds, x: timeSeconds / 10, y: 0 }));
  const look = { timeSeconds: 0, across: even(0, 1), down: even(0, 10), way };
  const source = clipFacts({ video: { figures: [look] } });
  for (const [start, end, places] of [
    [0, 3, [0, 0.1, 0.2]],
    [1, 2.5, [0.1, 0.2]],
    [1.5, 1.8, [0.15]],
  ] as const) {
    const { across } = figureExtents(source, start, end, 1);
    assert.deepEqual(
      across.filter(({ weight }) => weight > 0).map(({ from }) => Number(from.toFixed(6))),
      places,
      `${start} to ${end} s`,
    );
  }
});
