import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plane, Yuv } from '../../src/render/composite.ts';
import { Resampler } from '../../src/render/resample.ts';

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
      for (let p = 0; p < 3; p++) assert.deepEqual(to[p]!.data, from[p]!.data);
    }
  });

  test('the whole picture at its own size is itself', () => {
    const from = picture(WIDTH, HEIGHT, (x, y) => (x * 37 + y * 91) % 256);
    const to = picture(WIDTH, HEIGHT, () => 0);
    new Resampler().draw(from, { x: 0, y: 0, width: WIDTH, height: HEIGHT }, to);
    for (let p = 0; p < 3; p++) assert.deepEqual(to[p]!.data, from[p]!.data);
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
          const seen = to[0].data[row * to[0].stride + column]!;
          assert.ok(Math.abs(seen - wanted) <= 1, `luma at ${column},${row}: ${seen}, not ${wanted}`);
        }
      }
      for (let row = 2; row < out.height / 2 - 2; row++) {
        for (let column = 2; column < out.width / 2 - 2; column++) {
          const wanted = slope(
            place(2 * column, x, width, out.width),
            place(2 * row + 0.5, y, height, out.height),
          );
          const seen = to[1].data[row * to[1].stride + column]!;
          assert.ok(Math.abs(seen - wanted) <= 1.5, `chroma at ${column},${row}: ${seen}, not ${wanted}`);
        }
      }
    });
  }
});
