import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { composite, type Plane, type Yuv } from '../../src/render/composite.ts';

const WIDTH = 16;
const HEIGHT = 8;

function plane(width: number, height: number, level: number): Plane {
  // A stride wider than the row, as FFmpeg has it: what lies beyond must stay untouched.
  const stride = width + 5;
  const data = new Uint8Array(stride * height).fill(99);
  for (let y = 0; y < height; y++) data.fill(level, y * stride, y * stride + width);
  return { data, stride, width, height };
}

function picture(level: number): Yuv {
  return [
    plane(WIDTH, HEIGHT, level),
    plane(WIDTH / 2, HEIGHT / 2, level),
    plane(WIDTH / 2, HEIGHT / 2, level),
  ];
}

/** Draws from all-50 to all-200 and gives the luma back as rows of letters: o old, n new. */
function drawn(
  ...[type, direction, progress]: [Parameters<typeof composite>[0], Parameters<typeof composite>[1], number]
) {
  const out = picture(0);
  composite(type, direction, progress, picture(50), picture(200), out);
  const [luma] = out;
  assert.ok(luma.data.filter((_, at) => at % luma.stride >= WIDTH).every((level) => level === 99));
  return Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => (luma.data[y * luma.stride + x] === 200 ? 'n' : 'o')).join(''),
  );
}

describe('composite', () => {
  for (const type of ['dissolve', 'wipe', 'slide', 'circle', 'zoom', 'fade_black', 'fade_white'] as const) {
    test(`${type} begins all old and ends all new`, () => {
      const begin = picture(0);
      composite(type, undefined, 0, picture(50), picture(200), begin);
      assert.ok(
        begin.every(({ data, stride, width }) =>
          data.every((level, at) => at % stride >= width || level === 50),
        ),
      );
      const end = picture(0);
      composite(type, undefined, 1, picture(50), picture(200), end);
      assert.ok(
        end.every(({ data, stride, width }) =>
          data.every((level, at) => at % stride >= width || level === 200),
        ),
      );
    });
  }

  test('a dissolve mixes in proportion', () => {
    for (const [progress, level] of [
      [0.25, 88],
      [0.5, 125],
      [0.75, 163],
    ] as const) {
      const out = picture(0);
      composite('dissolve', undefined, progress, picture(50), picture(200), out);
      assert.ok(Math.abs(out[0].data[0]! - level) <= 1);
    }
  });

  test('fades pass through black and white', () => {
    for (const [type, level] of [
      ['fade_black', 16],
      ['fade_white', 235],
    ] as const) {
      const out = picture(0);
      composite(type, undefined, 0.5, picture(50), picture(200), out);
      assert.deepEqual([out[0].data[0], out[1].data[0], out[2].data[0]], [level, 128, 128]);
    }
  });

  test('wipes and slides go where they say', () => {
    const left = `${'n'.repeat(4)}${'o'.repeat(12)}`;
    const right = `${'o'.repeat(12)}${'n'.repeat(4)}`;
    const columns = (row: string) => Array.from({ length: HEIGHT }, () => row);
    const rows = (top: boolean) =>
      Array.from({ length: HEIGHT }, (_, y) => ((top ? y < 2 : y >= 6) ? 'n' : 'o').repeat(WIDTH));
    assert.deepEqual(drawn('wipe', 'right', 0.25), columns(left));
    assert.deepEqual(drawn('wipe', 'left', 0.25), columns(right));
    assert.deepEqual(drawn('wipe', 'down', 0.25), rows(true));
    assert.deepEqual(drawn('wipe', 'up', 0.25), rows(false));
    assert.deepEqual(drawn('slide', 'left', 0.25), columns(right));
    assert.deepEqual(drawn('slide', 'right', 0.25), columns(left));
    assert.deepEqual(drawn('slide', 'up', 0.25), rows(false));
    assert.deepEqual(drawn('slide', 'down', 0.25), rows(true));
  });

  test('a circle opens from the middle', () => {
    const rows = drawn('circle', undefined, 0.3);
    assert.equal(rows[0], 'o'.repeat(WIDTH));
    assert.equal(rows[HEIGHT / 2]!.slice(6, 10), 'nnnn');
    assert.equal(rows[HEIGHT / 2]![0], 'o');
  });
});
