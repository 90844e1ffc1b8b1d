import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InkKernel, type InkSample } from '../../src/analysis/captions/ink.ts';
import { noiseSource } from '../support/moving-picture.ts';

/** Pixels of 640×360: strokes of at most 20, edges within 4 pixels. */
const SIDE = 480;

const level = (count: number, value: number) => Array.from({ length: count }, () => value);

describe('strokes of ink', () => {
  const kernel = new InkKernel(128, 1, SIDE);
  const [look] = kernel.samples;
  const hill = Array.from({ length: 25 }, (_, at) => 170 - 5 * Math.abs(12 - at));
  const cases: readonly (readonly [
    what: string,
    ground: number,
    middle: number[],
    bright: boolean,
    dark: boolean,
  ])[] = [
    ['a white stroke on grey', 110, level(6, 240), true, false],
    ['a black stroke on grey', 110, level(6, 10), false, true],
    ['one pixel', 110, level(1, 240), true, false],
    ['as wide as a stroke may be', 110, level(20, 240), true, false],
    ['wider', 110, level(21, 240), false, false],
    ['a black one wider than that', 110, level(21, 10), false, false],
    ['just as far from the ground as an edge must fall', 110, level(6, 170), true, false],
    ['nearer to the ground', 110, level(6, 169), false, false],
    ['just bright enough', 50, level(6, 135), true, false],
    ['too grey, if far from the ground', 50, level(6, 134), false, false],
    ['just dark enough', 180, level(6, 90), false, true],
    ['not dark enough', 180, level(6, 91), false, false],
    ['a hill without an edge', 110, hill, false, false],
  ];
  for (const [what, ground, middle, bright, dark] of cases) {
    test(`${what}: ${bright ? 'bright' : dark ? 'dark' : 'none'}`, () => {
      const start = 50;
      look!.grey.fill(ground).set(middle, start);
      // A turn at each end of the row, so that the middle has both of its sides; the ground between is wider than a stroke.
      look!.grey.set([255, ground, 0], 2);
      look!.grey.set([0, ground, 255], 122);
      kernel.findStrokes(look!);
      const expected = new Uint8Array(128).fill(1, start, start + middle.length);
      const none = new Uint8Array(128);
      const around = (ink: Uint8Array) =>
        Uint8Array.from(ink, (value, at) => (at > 8 && at < 118 ? value : 0));
      assert.deepEqual(around(look!.bright), bright ? expected : none);
      assert.deepEqual(around(look!.dark), dark ? expected : none);
    });
  }
});

describe('comparison of looks', () => {
  const [width, rows] = [43, 22];
  const kernel = new InkKernel(width, rows, SIDE);
  const random = noiseSource(5);
  for (const { grey, bright } of kernel.samples) {
    for (let at = 0; at < grey.length; at++) {
      grey[at] = 128 + 12 * random();
      bright[at] = random() > 0 ? 1 : 0;
    }
  }
  const [now, last, before] = kernel.samples as [InkSample, InkSample, InkSample];
  const near = (a: number, b: number) => Math.abs(a - b) <= 7;

  test('fresh ink is in the last two samples and not in the one before', () => {
    kernel.markFresh(now, last, before, 'bright', 7);
    const expected = now.bright.map((ink, at) =>
      ink === 1 &&
      last.bright[at] === 1 &&
      near(now.grey[at], last.grey[at]) &&
      !(before.bright[at] === 1 && near(before.grey[at], last.grey[at]))
        ? 1
        : 0,
    );
    assert.deepEqual(kernel.fresh, expected);
    assert.ok(expected.includes(1));
  });

  test('changed ink was not in the last sample, or has another level', () => {
    kernel.work.set(now.bright);
    kernel.markChanged(now, last, 'bright', 7);
    const expected = now.bright.map((ink, at) =>
      ink === 1 && !(last.bright[at] === 1 && near(now.grey[at], last.grey[at])) ? 1 : 0,
    );
    assert.deepEqual(kernel.changed, expected);
    assert.ok(expected.includes(1));
  });

  test('levels that are near each other are counted, to the last one', () => {
    const expected = now.grey.filter((level, at) => near(level, last.grey[at])).length;
    assert.equal(kernel.countNear(now, last, 7), expected);
    assert.ok(expected > 0 && expected < now.grey.length && now.grey.length % 16 > 0);
  });

  for (const [columns, tileRows, minInk, gap, minWidth] of [
    [5, 4, 14, 0, 1],
    [5, 4, 16, 1, 1],
    [5, 2, 9, 0, 2],
    [5, 1, 5, 0, 1],
    [3, 7, 28, 3, 2],
    [1, 22, 0, 0, 1],
  ] as const) {
    test(`groups of ${columns} tiles of 8×${tileRows} with ${minInk} pixels of ink, ${gap} between, ${minWidth} wide; what is left of columns and rows is not`, () => {
      const tiles = Math.floor(rows / tileRows);
      const counts = new Uint8Array(columns * tiles);
      for (const [at, ink] of now.bright.entries()) {
        const [column, row] = [Math.floor((at % width) / 8), Math.floor(at / width / tileRows)];
        if (column < columns && row < tiles) counts[row * columns + column] += ink;
      }
      const runs: [row: number, left: number, right: number][] = [];
      for (const [at, count] of counts.entries()) {
        if (count < minInk) continue;
        const [column, row] = [at % columns, Math.floor(at / columns)];
        const last = runs.at(-1);
        if (last?.[0] === row && column - last[2] <= gap) last[2] = column + 1;
        else runs.push([row, column, column + 1]);
      }
      // Runs that touch have one mark in the end: the least.
      const marks = runs.map((_, at) => at);
      for (const _ of runs)
        for (const [one, [row, left, right]] of runs.entries())
          for (const [other, [above, from, to]] of runs.entries())
            if (above === row - 1 && from < right && left < to)
              marks[one] = marks[other] = Math.min(marks[one], marks[other]);
      const groups = [...new Set(marks)]
        .sort((a, b) => a - b)
        .map((mark) => runs.filter((_, at) => marks[at] === mark));
      const expected = groups
        .map((group) => [
          Math.min(...group.map(([, left]) => left)),
          Math.min(...group.map(([row]) => row)),
          Math.max(...group.map(([, , right]) => right)),
          Math.max(...group.map(([row]) => row)) + 1,
        ])
        .filter(([left, , right]) => right! - left! >= minWidth);
      const found = kernel.findGroups(now.bright, { columns, rows: tiles, tileRows, minInk, gap, minWidth });
      assert.deepEqual([...found], expected.flat());
      assert.ok(expected.length > 0);
    });
  }
});
