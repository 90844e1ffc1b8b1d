import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plane, Yuv } from '../../src/render/picture/composite.ts';
import { Resampler } from '../../src/render/picture/resample.ts';

const WIDTH = 64;
const HEIGHT = 48;

function plane(width: number, height: number, level: (x: number, y: number) => number): Plane {
  const stride = width + 3;
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * stride + x] = Math.round(level(x, y));
  return { data, stride, width, height };
}

/** Luma is a function of its place; chroma shows the place of its luma. */
function picture(width: number, height: number, level: (x: number, y: number) => number): Yuv {
  const chroma = () => plane(width / 2, height / 2, (x, y) => level(2 * x, 2 * y + 0.5));
  return [plane(width, height, level), chroma(), chroma()];
}

/** Padding between the rows. */
function rowsOf({ data, stride, width, height }: Plane): Uint8Array[] {
  return Array.from({ length: height }, (_, y) => data.subarray(y * stride, y * stride + width));
}

const slope = (x: number, y: number) => 20 + 2 * x + 1.5 * y;

describe('Resampler', () => {
  test('one sampler serves pictures of any size, one after the other', () => {
    const sampler = new Resampler();
    for (const [width, height] of [
      [64, 48],
      [18, 34],
      [130, 6],
      [2, 2],
      [64, 48],
    ] as const) {
      const from = picture(width, height, (x, y) => (x * 37 + y * 91) % 256);
      const to = picture(width, height, () => 0);
      sampler.draw(from, { x: 0, y: 0, width, height }, to);
      assert.deepEqual(to.map(rowsOf), from.map(rowsOf));
    }
  });

  test('the whole picture at its own size is itself', () => {
    const from = picture(WIDTH, HEIGHT, (x, y) => (x * 37 + y * 91) % 256);
    const to = picture(WIDTH, HEIGHT, () => 0);
    new Resampler().draw(from, { x: 0, y: 0, width: WIDTH, height: HEIGHT }, to);
    assert.deepEqual(to.map(rowsOf), from.map(rowsOf));
  });

  for (const [x, y, width, height] of [
    [4, 6, 32, 24],
    [4.25, 6.5, 32, 24],
    [10.1, 3.7, 40, 30],
    [0.5, 0.5, 63, 47],
  ] as const) {
    test(`a slope keeps its place in the window ${x} ${y} ${width} ${height}`, () => {
      const out = { width: 32, height: 24 };
      const to = picture(out.width, out.height, () => 0);
      new Resampler().draw(picture(WIDTH, HEIGHT, slope), { x, y, width, height }, to);
      const place = (k: number, start: number, size: number, count: number) =>
        start + ((k + 0.5) * size) / count - 0.5;
      // Away from the edges a cubic kernel reproduces a straight line.
      for (let row = 3; row < out.height - 3; row++) {
        for (let column = 3; column < out.width - 3; column++) {
          const wanted = slope(place(column, x, width, out.width), place(row, y, height, out.height));
          const seen = to[0].data[row * to[0].stride + column];
          assert.ok(Math.abs(seen - wanted) <= 1, `luma at ${column},${row}: ${seen}, not ${wanted}`);
        }
      }
      for (let row = 2; row < out.height / 2 - 2; row++) {
        for (let column = 2; column < out.width / 2 - 2; column++) {
          const wanted = slope(
            place(2 * column, x, width, out.width),
            place(2 * row + 0.5, y, height, out.height),
          );
          const seen = to[1].data[row * to[1].stride + column];
          assert.ok(Math.abs(seen - wanted) <= 1.5, `chroma at ${column},${row}: ${seen}, not ${wanted}`);
        }
      }
    });
  }

  test('every pixel of a texture, at the edges too, equals the cubic kernel of Keys (1981, a = −1/2)', () => {
    const texture = (x: number, y: number) => 128 + 50 * Math.sin(x * 1.9 + y * 0.4) + 50 * Math.cos(y * 1.7);
    const from = picture(WIDTH, HEIGHT, texture);
    for (const window of [
      { x: 4.25, y: 6.6, width: 34, height: 22 },
      { x: 0, y: 0, width: WIDTH, height: HEIGHT },
      { x: -1.4, y: -0.7, width: WIDTH + 2.3, height: HEIGHT + 1.9 },
    ]) {
      const to = picture(30, 20, () => 0);
      new Resampler().draw(from, window, to);
      const [scaleX, scaleY] = [window.width / 30, window.height / 20];
      for (const [index, target] of to.entries()) {
        // Chroma lies on every other luma column, and between two luma rows (4:2:0 as in MPEG-2).
        const placeX = (column: number) =>
          index === 0
            ? window.x + (column + 0.5) * scaleX - 0.5
            : (window.x + (2 * column + 0.5) * scaleX - 0.5) / 2;
        const placeY = (row: number) =>
          index === 0
            ? window.y + (row + 0.5) * scaleY - 0.5
            : (window.y + (2 * row + 1) * scaleY - 0.5 - 0.5) / 2;
        for (let row = 0; row < target.height; row++) {
          for (let column = 0; column < target.width; column++) {
            const wanted = interpolated(from[index], placeX(column), placeY(row));
            const seen = target.data[row * target.stride + column];
            const where = `plane ${index}, (${column}, ${row}) of the window at ${window.x}`;
            assert.ok(Math.abs(seen - wanted) <= 1, `${where}: ${seen}, not ${wanted}`);
          }
        }
      }
    }
  });
});

/** Bicubic interpolation of a plane whose outermost samples go on for ever. */
function interpolated({ data, stride, width, height }: Plane, placeX: number, placeY: number): number {
  const [x, y] = [Math.min(width - 1, Math.max(0, placeX)), Math.min(height - 1, Math.max(0, placeY))];
  const kernel = (offset: number) => {
    const d = Math.abs(offset);
    if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
    return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
  };
  let sum = 0;
  for (let row = Math.floor(y) - 1; row <= Math.floor(y) + 2; row++) {
    for (let column = Math.floor(x) - 1; column <= Math.floor(x) + 2; column++) {
      const sample =
        data[Math.min(height - 1, Math.max(0, row)) * stride + Math.min(width - 1, Math.max(0, column))];
      sum += sample * kernel(x - column) * kernel(y - row);
    }
  }
  return Math.min(255, Math.max(0, sum));
}
