/** Lines of ink in a patch, against their plain formulas: letter-like ink, plain noise, and patches of odd sizes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ByteHistogram } from '../../src/analysis/captions/histogram.ts';
import { LineKernel } from '../../src/analysis/captions/lines.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const LIMITS = { minInk: 2, tail: 0.1, minRows: 4, gap: 4 };
const REACH = 3;
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
const shares = (histogram: ByteHistogram) => range(0, 256).map((value) => histogram.share(value, value));

/** Strokes of three pixels at random in some bands of rows, or nothing but noise. */
function patchOf(width: number, height: number, seed: number) {
  const random = seededRandom(seed);
  const mask = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const inked = Math.floor(y / 7) % 2 === 0 ? 0.2 : 0.004;
    for (let x = 0; x < width; x++) {
      const gap = seed % 2 === 0 && x > width / 3 && x < width / 2 + 12;
      if (!gap && random() < inked) mask.fill(1, y * width + x, y * width + Math.min(width, x + 3));
    }
  }
  const levels = Uint8Array.from(mask, () => 256 * random());
  return {
    box: { left: 5, top: 3, right: 5 + width, bottom: 3 + height },
    isBright: seed % 3 > 0,
    mask,
    levels,
  };
}

describe('lines of ink', () => {
  const kernel = new LineKernel();
  const cases = [
    [120, 30],
    [200, 41],
    [33, 17],
    [61, 9],
    [7, 60],
    [1, 12],
    [640, 90],
  ] as const;
  for (const [at, [width, height]] of cases.entries()) {
    const patch = patchOf(width, height, at + 1);
    const { mask, levels, isBright } = patch;
    const isInk = (x: number, y: number) => x >= 0 && x < width && mask[y * width + x] === 1;
    const inkOf = (columns: readonly number[], rows: readonly number[]) =>
      rows.reduce((sum, y) => sum + columns.filter((x) => isInk(x, y)).length, 0);

    const wantedLines = () => {
      const counts = range(0, height).map((y) => inkOf(range(0, width), [y]));
      const least = Math.max(LIMITS.minInk, LIMITS.tail * Math.max(...counts));
      const bands: number[][] = [[]];
      for (const y of range(0, height)) {
        if (counts[y] >= least) bands.at(-1)!.push(y);
        else bands.push([]);
      }
      return bands
        .filter((rows) => rows.length >= LIMITS.minRows)
        .map((rows) => {
          const stretches: number[][] = [];
          for (const x of range(0, width)) {
            if (inkOf([x], rows) === 0) continue;
            const last = stretches.at(-1);
            if (last === undefined || x - last.at(-1)! > LIMITS.gap * rows.length) stretches.push([x]);
            else last.push(x);
          }
          // The first of those with the most ink.
          const best = stretches.reduce((one, other) =>
            inkOf(other, rows) > inkOf(one, rows) ? other : one,
          );
          const [left, right] = [best[0], best.at(-1)! + 1];
          const starts = rows.map((y) =>
            range(left, right).filter((x) => isInk(x, y) && (x === left || !isInk(x - 1, y))),
          );
          const strokes = starts.flat().length / rows.length;
          return { top: rows[0], bottom: rows.at(-1)! + 1, left, right, strokes };
        });
    };

    test(`of ${width}×${height}: bands of rows, without stray ink`, () => {
      kernel.load(patch);
      const found = kernel.find(LIMITS);
      assert.deepEqual(found, wantedLines());
      assert.ok(found.length > 0 || width < 8);
    });

    test(`of ${width}×${height}: ink, its surroundings, and runs`, () => {
      kernel.load(patch);
      for (const line of [
        ...kernel.find(LIMITS),
        { top: 0, bottom: height, left: 0, right: width, strokes: 0 },
      ]) {
        const [ink, beside, runs]: [number[], number[], number[]] = [[], [], []];
        for (const y of range(line.top, line.bottom)) {
          const row = levels.subarray(y * width, (y + 1) * width);
          const extreme = (from: number) => {
            const near = row.subarray(from, from + REACH);
            return isBright ? Math.min(...near) : Math.max(...near);
          };
          for (const x of range(line.left, line.right)) {
            if (!isInk(x, y)) continue;
            ink.push(row[x]);
            if (x > line.left && isInk(x - 1, y)) continue;
            const behind = range(x, line.right + 1).find((end) => end === line.right || !isInk(end, y))!;
            runs.push(Math.min(255, behind - x));
            if (x >= REACH) beside.push(extreme(x - REACH));
            if (behind + REACH <= width) beside.push(extreme(behind));
          }
        }
        const expected = (values: readonly number[]) =>
          range(0, 256).map((value) =>
            values.length === 0 ? 0 : values.filter((one) => one === value).length / values.length,
          );
        const found = kernel.sample(line, REACH, isBright);
        assert.deepEqual(shares(found.ink), expected(ink));
        assert.deepEqual(shares(found.beside), expected(beside));
        assert.deepEqual(shares(found.runs), expected(runs));
      }
    });

    test(`of ${width}×${height}: levels of rows, and ink of columns`, () => {
      kernel.load(patch);
      const rows = [0, height - 1];
      const [left, right] = [Math.floor(width / 5), width];
      const observed = rows.flatMap((y) =>
        range(left, right)
          .filter((x) => (x - left) % 2 === 0)
          .map((x) => levels[y * width + x]),
      );
      const found = shares(kernel.sampleRows(rows, left, right, 2));
      assert.deepEqual(
        found,
        range(0, 256).map((value) => observed.filter((one) => one === value).length / observed.length),
      );
      const lines = [
        { top: 0, bottom: 2, left: 0, right: width, strokes: 0 },
        { top: 4, bottom: height, left: 0, right: width, strokes: 0 },
      ];
      assert.deepEqual(
        [...kernel.columns(lines, left, right)],
        range(left, right).map((x) => inkOf([x], [0, 1, ...range(4, height)])),
      );
    });
  }
});
