import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Size } from '../../src/domain/footage.ts';
import { HD_WEIGHTS } from '../../src/media/av/luma-weights.ts';
import { AreaMeans, type BytePlane } from '../../src/media/decode/area-means.ts';
import { gridSizes, PlaneGrids } from '../../src/media/decode/grids.ts';

/** Rows are padded with bytes that must not count. */
function plane({ width, height }: Size, level: (x: number, y: number) => number): BytePlane {
  const stride = width + 5;
  const data = new Uint8Array(stride * height).fill(255);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * stride + x] = level(x, y);
  return { data, stride };
}

/** Means by definition: each sample by the part of it that lies in the cell. */
function meansOver(from: Size, to: Size, { data, stride }: BytePlane): number[] {
  const within = (cell: number, cells: number, sample: number, samples: number) =>
    Math.max(
      0,
      Math.min((cell + 1) / cells, (sample + 1) / samples) - Math.max(cell / cells, sample / samples),
    ) * cells;
  return Array.from({ length: to.width * to.height }, (_, i) => {
    let sum = 0;
    for (let y = 0; y < from.height; y++) {
      const down = within(Math.floor(i / to.width), to.height, y, from.height);
      if (down === 0) continue;
      for (let x = 0; x < from.width; x++)
        sum += down * within(i % to.width, to.width, x, from.width) * data[y * stride + x];
    }
    return sum;
  });
}

const noise = (x: number, y: number) => (Math.imul(x * 7919 + y * 104_729 + 13, 48_271) >>> 8) & 255;
const size = (width: number, height: number): Size => ({ width, height });

describe('means over areas', () => {
  for (const [what, from, to] of [
    ['whole cells', size(96, 48), size(16, 8)],
    ['cells of less than two samples', size(40, 20), size(24, 12)],
    ['cells that share samples', size(211, 49), size(8, 16)],
    ['as many cells as samples', size(30, 7), size(30, 7)],
    ['more cells than samples', size(10, 4), size(16, 6)],
    ['cells as high as they may be', size(5, 511), size(4, 2)],
    ['planes of several bands', size(1200, 450), size(12, 8)],
  ] as const) {
    test(what, () => {
      const samples = plane(from, noise);
      const expected = meansOver(from, to, samples);
      const means = new AreaMeans(from, to);
      for (const [i, mean] of means.over(samples).entries())
        assert.ok(Math.abs(mean - expected[i]) < 1e-4, `cell ${i}: ${mean}, not ${expected[i]}`);
      const levels = means.levelsAt(1.5, -60);
      for (const [i, level] of levels.entries()) {
        const exact = Math.min(255, Math.max(0, 1.5 * expected[i] - 60));
        assert.ok(Math.abs(level - exact) < 0.501, `cell ${i}: ${level} for ${exact}`);
      }
    });
  }

  test('one serves planes of any padding; white of the largest picture stays white', () => {
    const from = size(4000, 2250);
    const means = new AreaMeans(from, size(163, 90));
    for (const stride of [4000, 4000, 4160]) {
      const data = new Uint8Array(stride * from.height).fill(255);
      for (const mean of means.over({ data, stride })) assert.ok(Math.abs(mean - 255) < 1e-3, `${mean}`);
    }
  });

  test('higher cells are refused', () => {
    assert.throws(() => new AreaMeans(size(4, 600), size(4, 2)), RangeError);
  });
});

describe('grids', () => {
  /** Y′CbCr in eight bits of a color (ITU-T H.273, equations 38 to 40 and 20 to 25). */
  function encode(rgb: readonly number[], { red: kr, blue: kb }: typeof HD_WEIGHTS, full: boolean) {
    const [r, g, b] = rgb as [number, number, number];
    const luma = kr * r + (1 - kr - kb) * g + kb * b;
    const chroma = [(b - luma) / (2 * (1 - kb)), (r - luma) / (2 * (1 - kr))];
    const scaled = full
      ? [luma, ...chroma.map((c) => Math.min(255, c + 128))]
      : [16 + (luma * 219) / 255, ...chroma.map((c) => 128 + (c * 224) / 255)];
    return scaled.map(Math.round) as [number, number, number];
  }

  for (const [name, weights] of [
    ['BT.709', HD_WEIGHTS],
    ['BT.601', { red: 0.299, blue: 0.114 }],
  ] as const) {
    for (const fullRange of [true, false]) {
      test(`colors of ${name}, ${fullRange ? 'full' : 'limited'} range, are converted to RGB`, () => {
        const luma = size(320, 180);
        const chroma = size(160, 90);
        const sizes = gridSizes(16 / 9);
        const grids = new PlaneGrids({ luma, chroma, weights, fullRange }, sizes);
        for (const rgb of [
          [255, 0, 0],
          [0, 255, 0],
          [0, 0, 255],
          [255, 255, 255],
          [0, 0, 0],
          [191, 60, 130],
        ]) {
          const [y, u, v] = encode(rgb, weights, fullRange);
          const { grey } = grids.lumaGrids(
            plane(luma, () => y),
            false,
          );
          const level =
            weights.red * rgb[0] + (1 - weights.red - weights.blue) * rgb[1] + weights.blue * rgb[2];
          assert.ok(
            grey.data.every((found) => Math.abs(found - level) <= 1.1),
            `${rgb}: ${grey.data[0]}`,
          );
          const color = grids.color(
            grey,
            plane(chroma, () => u),
            plane(chroma, () => v),
          );
          for (const [i, found] of color.data.entries())
            assert.ok(Math.abs(found - rgb[i % 3]) <= 2, `${color.data.subarray(0, 3)} for ${rgb}`);
        }
      });
    }
  }

  test('every display ratio has them', () => {
    for (const ratio of [1 / 40, 9 / 16, 1, 4 / 3, 16 / 9, 2.39, 40]) {
      const sizes = gridSizes(ratio);
      const luma = size(sizes.grey.width * 2 + 1, sizes.grey.height * 2 + 1);
      const grids = new PlaneGrids({ luma, chroma: luma, weights: HD_WEIGHTS, fullRange: true }, sizes);
      const { grey } = grids.lumaGrids(
        plane(luma, () => 77),
        false,
      );
      const neutral = plane(luma, () => 128);
      assert.deepEqual(new Set(grids.color(grey, neutral, neutral).data), new Set([77]));
    }
  });
});
