/** Ink in boxes of looks, against the plain formulas: boxes of odd sizes, to the edges of the look. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InkColor } from '../../src/analysis/captions/color.ts';
import { InkKernel } from '../../src/analysis/captions/ink.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const [WIDTH, ROWS] = [71, 38];
const MAX_CHANGE = 20;

describe('ink in boxes', () => {
  const kernel = new InkKernel(WIDTH, ROWS, Math.sqrt(2 * WIDTH * ROWS));
  const { patches, work } = kernel;
  const [look, last] = [kernel.samples[0], kernel.samples[1]];
  const random = seededRandom(3);
  for (const { grey, bright, dark } of kernel.samples) {
    for (let at = 0; at < grey.length; at++) {
      grey[at] = 100 + 60 * random();
      bright[at] = random() < 0.4 ? 1 : 0;
      dark[at] = random() < 0.2 ? 1 : 0;
    }
  }
  const compared = { ink: look.bright, grey: look.grey, before: last.grey };

  for (const box of [
    { left: 0, top: 0, right: WIDTH, bottom: ROWS },
    { left: 13, top: 5, right: 46, bottom: 22 },
    { left: 60, top: 31, right: WIDTH, bottom: ROWS },
    { left: 7, top: 3, right: 8, bottom: 4 },
  ]) {
    const width = box.right - box.left;
    const pixels = Array.from({ length: width * (box.bottom - box.top) }, (_, at) => {
      return (box.top + Math.floor(at / width)) * WIDTH + box.left + (at % width);
    });
    const mask = Uint8Array.from(pixels, () => (random() < 0.5 ? 1 : 0));
    const observed = {
      hits: Uint16Array.from(pixels, () => 4 * random()),
      sums: Float32Array.from(pixels, () => Math.floor(1000 * random())),
    };
    const change = (pixel: number) => Math.abs(look.grey[pixel] - last.grey[pixel]);
    const isFound = (pixel: number) => look.bright[pixel] === 1 && change(pixel) <= MAX_CHANGE;
    const sum = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
    const name = `${width}×${box.bottom - box.top}`;

    test(`${name} are cut out`, () => {
      assert.deepEqual(
        [...patches.cut(look.grey, box)],
        pixels.map((pixel) => look.grey[pixel]),
      );
    });

    test(`${name} are compared`, () => {
      const inked = pixels.filter((_, at) => mask[at] === 1);
      assert.deepEqual(patches.compare(mask, box, compared, MAX_CHANGE), {
        inked: inked.length,
        found: inked.filter(isFound).length,
        inkChange: sum(inked.map(change)),
        groundChange: sum(pixels.filter((_, at) => mask[at] === 0).map(change)),
      });
    });

    test(`${name} are added`, () => {
      const sums = { hits: observed.hits.slice(), sums: observed.sums.slice() };
      patches.keep(sums, box, compared, MAX_CHANGE);
      assert.deepEqual(
        sums.hits,
        observed.hits.map((hits, at) => (hits > 0 && isFound(pixels[at]) ? hits + 1 : hits)),
      );
      assert.deepEqual(
        sums.sums,
        observed.sums.map((levels, at) => levels + look.grey[pixels[at]]),
      );
    });

    test(`${name} are erased`, () => {
      work.set(look.bright);
      patches.erase(observed, box, work);
      const expected = look.bright.slice();
      for (const [at, pixel] of pixels.entries()) if (observed.hits[at] > 0) expected[pixel] = 0;
      assert.deepEqual(work, expected);
    });

    test(`${name}: steady ink and mean levels`, () => {
      for (const least of [1.5, 2, 2.1])
        assert.deepEqual(
          [...patches.steadyInk(observed, least)],
          [...observed.hits].map((hits) => (hits >= least ? 1 : 0)),
        );
      assert.deepEqual(
        [...patches.meanLevels(observed, 7)],
        [...observed.sums].map((levels) => Math.round(levels / 7)),
      );
    });

    for (const [columns, rows] of [
      [12, 7],
      [9, 19],
      [WIDTH, ROWS],
    ] as const) {
      test(`${name}: color of ${columns}×${rows} cells`, () => {
        const data = Uint8Array.from({ length: 3 * columns * rows }, () => 256 * random());
        const color = { width: columns, height: rows, channels: 3, data } as const;
        const [cellWidth, cellHeight] = [WIDTH / columns, ROWS / rows];
        const ink = new InkColor();
        patches.addColor(ink, mask, box, color, look.dark);
        const expected = new Float64Array(7);
        for (
          let row = Math.floor(box.top / cellHeight);
          row <= Math.floor((box.bottom - 1) / cellHeight);
          row++
        ) {
          for (
            let column = Math.ceil(box.left / cellWidth);
            (column + 1) * cellWidth <= box.right;
            column++
          ) {
            const covered = pixels.filter((pixel, at) => {
              const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
              const isAcross = x >= Math.round(column * cellWidth) && x < (column + 1) * cellWidth;
              return (
                mask[at] === 1 && isAcross && y >= Math.round(row * cellHeight) && y < (row + 1) * cellHeight
              );
            });
            const [red, green, blue] = data.subarray(3 * (row * columns + column)) as unknown as number[];
            const share = covered.length / (cellWidth * cellHeight);
            const terms = [1, share, share * share];
            for (const value of [red! - green!, blue! - green!]) terms.push(value, share * value);
            for (const [at, term] of terms.entries()) expected[at] += term;
          }
        }
        assert.deepEqual(ink.sums, expected);
        const twice = ink.sums[0] * 2;
        patches.addColor(ink, mask, box, color, look.dark);
        assert.equal(ink.sums[0], twice, 'sums go on');
      });
    }
  }
});
