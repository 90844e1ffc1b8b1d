import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoxGrid, type BytePlane, gridSizes, type Size } from '../../src/media/grids.ts';

/** Rows are padded with what must not count. */
function plane({ width, height }: Size, level: (x: number, y: number) => number): BytePlane {
  const stride = width + 5;
  const data = new Uint8Array(stride * height).fill(255);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * stride + x] = level(x, y);
  return { data, stride };
}

/** The cell's mean by definition, in sixteenths of a sample each way: exact for the sizes below. */
function meanOver(
  from: Size,
  to: Size,
  column: number,
  row: number,
  level: (x: number, y: number) => number,
) {
  const [across, down] = [from.width / to.width, from.height / to.height];
  let sum = 0;
  let parts = 0;
  for (let y = row * down + 1 / 32; y < (row + 1) * down; y += 1 / 16) {
    for (let x = column * across + 1 / 32; x < (column + 1) * across; x += 1 / 16) {
      sum += level(Math.floor(x), Math.floor(y));
      parts++;
    }
  }
  return sum / parts;
}

const noise = (x: number, y: number) => (Math.imul(x * 7919 + y * 104_729 + 13, 48_271) >>> 8) & 255;
const SIZES: readonly (readonly [Size, Size])[] = [
  [
    { width: 40, height: 20 },
    { width: 16, height: 8 },
  ],
  [
    { width: 21, height: 49 },
    { width: 8, height: 16 },
  ],
  [
    { width: 30, height: 4 },
    { width: 16, height: 4 },
  ],
];

test('cells are means of the samples that they cover, in RGB', () => {
  for (const [from, to] of SIZES) {
    const grid = new BoxGrid(from, to);
    const grey = plane(from, () => 128);
    const rgb = grid.rgb(plane(from, noise), grey, grey);
    for (let cell = 0; cell < to.width * to.height; cell++) {
      const wanted = meanOver(from, to, cell % to.width, Math.floor(cell / to.width), noise);
      for (let channel = 0; channel < 3; channel++)
        assert.ok(Math.abs(rgb[3 * cell + channel]! - wanted) <= 0.5 + 1e-9, `${to.width}, cell ${cell}`);
    }
  }
});

test('the colour bars of BT.709, full range, come back as RGB', () => {
  const [from, to] = SIZES[0]!;
  const grid = new BoxGrid(from, to);
  for (const [red, green, blue] of [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
    [191, 191, 0],
  ] as const) {
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const chroma = (value: number, scale: number) => Math.min(255, Math.round(128 + (value - luma) / scale));
    const rgb = grid.rgb(
      plane(from, () => Math.round(luma)),
      plane(from, () => chroma(blue, 1.8556)),
      plane(from, () => chroma(red, 1.5748)),
    );
    for (const [channel, wanted] of [red, green, blue].entries())
      assert.ok(Math.abs(rgb[channel]! - wanted) <= 2, `${rgb.subarray(0, 3)} for ${red} ${green} ${blue}`);
  }
});

test('one grid serves planes of any padding, and every display ratio has one', () => {
  for (const ratio of [1 / 40, 9 / 16, 1, 4 / 3, 16 / 9, 2.39, 40]) {
    const { grey, colour } = gridSizes(ratio);
    const level = plane(grey, () => 77);
    const neutral = {
      data: new Uint8Array(grey.height * (grey.width + 64)).fill(128),
      stride: grey.width + 64,
    };
    const rgb = new BoxGrid(grey, colour).rgb(level, neutral, neutral);
    assert.deepEqual(new Set(rgb), new Set([77]));
  }
});
