/** What shot detection keeps of a picture, and how two differ, against the formulas. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SketchKernel } from '../../src/analysis/frames/sketch-kernel.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const CLIPPED = [4, 250] as const;
const [LEAST_SHARE, MAX_GAIN] = [0.1, 2];

const bytes = (count: number, level: (at: number) => number) =>
  Uint8Array.from({ length: count }, (_, at) => level(at));
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function structural(a: Float32Array, b: Float32Array): number {
  let [n, sa, sb, saa, sab] = [0, 0, 0, 0, 0];
  for (const [at, u] of a.entries()) {
    const v = b[at];
    if (Math.min(u, v) < CLIPPED[0] || Math.max(u, v) > CLIPPED[1]) continue;
    n++;
    sa += u;
    sb += v;
    saa += u * u;
    sab += u * v;
  }
  if (n < LEAST_SHARE * a.length) return plain(a, b);
  const variance = saa - (sa * sa) / n;
  const slope = variance > n ? (sab - (sa * sb) / n) / variance : 1;
  const gain = Math.min(MAX_GAIN, Math.max(1 / MAX_GAIN, slope));
  const offset = (sb - gain * sa) / n;
  return meanOf([...a].map((u, at) => Math.abs(Math.max(0, Math.min(255, gain * u + offset)) - b[at])));
}

function plain(a: Float32Array, b: Float32Array): number {
  return meanOf([...a].map((u, at) => Math.abs(u - b[at])));
}

describe('sketches of pictures', () => {
  for (const [width, height, columns, rows] of [
    [48, 27, 16, 9],
    [27, 48, 9, 16],
    [13, 7, 13, 7],
    [144, 1, 144, 1],
    [1, 5, 1, 3],
    [1, 1, 1, 1],
  ] as const) {
    const kernel = new SketchKernel({ width, height }, columns, rows);
    const random = seededRandom(width);
    const values = 3 * width * height;
    const noise = bytes(values, () => 256 * random());

    test(`${width}×${height}: cells, halves and sums`, () => {
      const found = kernel.summarise(noise);
      assert.equal(
        found.sum,
        noise.reduce((sum, value) => sum + value, 0),
      );
      assert.equal(
        found.squares,
        noise.reduce((sum, value) => sum + value ** 2, 0),
      );
      const inCells = Array.from({ length: 3 * columns * rows }, (): number[] => []);
      for (const [at, value] of noise.entries()) {
        const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
        const cell = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
        inCells[3 * cell + (at % 3)].push(value);
      }
      const coarse = inCells.map((cell) =>
        Math.fround(cell.reduce((sum, value) => sum + value, 0) * Math.fround(1 / cell.length)),
      );
      assert.deepEqual([...found.coarse], coarse);
      const { small } = kernel;
      assert.deepEqual(small, { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) });
      const halves = Array.from({ length: 3 * small.width * small.height }, (_, at) => {
        const [x, y] = [Math.floor(at / 3) % small.width, Math.floor(at / 3 / small.width)];
        const level = (column: number, row: number) =>
          noise[3 * (Math.min(height - 1, row) * width + Math.min(width - 1, column)) + (at % 3)];
        const [left, top] = [2 * x, 2 * y];
        return meanOf([
          level(left, top),
          level(left + 1, top),
          level(left, top + 1),
          level(left + 1, top + 1),
        ]);
      });
      assert.deepEqual([...found.small], halves);
    });

    for (const [what, other] of [
      ['noise', bytes(values, () => 256 * random())],
      ['the same, darker', noise.map((value) => value / 3)],
      ['the same, brighter than twice', noise.map((value) => Math.min(255, 3 * value))],
      ['black', bytes(values, () => 0)],
      ['grey', bytes(values, () => 128)],
    ] as const)
      test(`${width}×${height}: differences of noise and ${what}`, () => {
        for (const [one, two] of [
          [noise, other],
          [other, noise],
        ] as const) {
          const [a, b] = [kernel.summarise(one).small, kernel.summarise(two).small];
          assert.equal(kernel.difference(a, b), plain(a, b));
          assert.equal(kernel.structuralDifference(a, b, CLIPPED, LEAST_SHARE, MAX_GAIN), structural(a, b));
        }
      });
  }
});
