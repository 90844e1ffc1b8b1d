/** Figures before a ground: the layers of the network by their formulas, and where it sees any. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AttentionProfile } from '../../src/analysis/facts.ts';
import type { MotionField } from '../../src/analysis/optical-flow/field.ts';
import { FigureMeter } from '../../src/analysis/subjects/figure.ts';
import { FigureNetwork } from '../../src/analysis/subjects/figure-network.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { assertNear, type LayerKernel, layer as layerOf, noise, range } from '../support/kernel-layer.ts';
import { mediaPath } from '../support/media.ts';

type LayerName = 'stem' | 'depthwise' | 'mix' | 'add' | 'scale' | 'mean' | 'enlarge' | 'last' | 'colors';
const layer = (
  arrays: readonly ArrayLike<number>[],
  run: (kernel: LayerKernel<LayerName>, addresses: number[]) => void,
) => layerOf('figure-kernel', arrays, run);
const CURVES = [
  (value: number) => value,
  (value: number) => Math.max(0, value),
  (value: number) => (value * Math.min(6, Math.max(0, value + 3))) / 6,
];

describe('layers of the network for figures equal their formulas', () => {
  /** A value of a picture of features, 0 beyond it. */
  const valueAt =
    (values: readonly number[], width: number, height: number, channels: number) =>
    (x: number, y: number, channel: number) =>
      x < 0 || y < 0 || x >= width || y >= height ? 0 : values[(y * width + x) * channels + channel];

  test('3×3 of three colors, every second pixel', () => {
    const [width, height] = [6, 4];
    const [from, weights] = [noise(3 * width * height, 3), noise(28 * 16, 4)];
    const at = valueAt(from, width, height, 3);
    const expected = range((width / 2) * (height / 2) * 16).map((index) => {
      const [channel, pixel] = [index % 16, Math.floor(index / 16)];
      const [x, y] = [2 * (pixel % 3), 2 * Math.floor(pixel / 3)];
      const sum = range(27).reduce(
        (sum, tap) => {
          const [column, row] = [Math.floor(tap / 3) % 3, Math.floor(tap / 9)];
          return sum + at(x + column, y + row, tap % 3) * weights[tap * 16 + channel];
        },
        weights[27 * 16 + channel],
      );
      return CURVES[2](sum);
    });
    const found = layer([from, weights, new Float32Array(expected.length)], (kernel, [start, taps, out]) =>
      kernel.stem(start!, width, height, taps!, out!),
    );
    assertNear(found, expected);
  });

  for (const [side, step, curve, before] of [
    [3, 1, 0, 1],
    [3, 2, 1, 0],
    [5, 1, 2, 2],
    [5, 2, 1, 1],
  ] as const) {
    test(`${side}×${side} of each channel, ${step} apart, curve ${curve}`, () => {
      const [width, height, channels] = [6, 4, 8];
      const [from, weights] = [noise(width * height * channels, 5), noise((side * side + 1) * channels, 6)];
      const at = valueAt(from, width, height, channels);
      const [across, down] = [width / step, height / step];
      const expected = range(across * down * channels).map((index) => {
        const [channel, pixel] = [index % channels, Math.floor(index / channels)];
        const [x, y] = [step * (pixel % across) - before, step * Math.floor(pixel / across) - before];
        const sum = range(side * side).reduce(
          (sum, tap) =>
            sum +
            at(x + (tap % side), y + Math.floor(tap / side), channel) * weights[tap * channels + channel],
          weights[side * side * channels + channel],
        );
        return CURVES[curve](sum);
      });
      const found = layer([from, weights, new Float32Array(expected.length)], (kernel, [start, taps, out]) =>
        kernel.depthwise(start!, width, height, channels, side, step, taps!, curve, out!),
      );
      assertNear(found, expected);
    });
  }

  for (const [pixels, curve] of [
    [1, 0],
    [4, 1],
    [7, 2],
  ] as const) {
    test(`channels mixed in ${pixels} pixels, curve ${curve}`, () => {
      const [ins, outs] = [8, 24];
      const [from, weights] = [noise(pixels * ins, 7), noise((ins + 1) * outs, 8)];
      const expected = range(pixels * outs).map((index) => {
        const [result, pixel] = [index % outs, Math.floor(index / outs)];
        const block = Math.floor(result / 8) * (ins + 1) * 8 + (result % 8);
        const sum = range(ins).reduce(
          (sum, k) => sum + from[pixel * ins + k] * weights[block + 8 * (k + 1)],
          weights[block],
        );
        return CURVES[curve](sum);
      });
      const found = layer([from, weights, new Float32Array(expected.length)], (kernel, [at, mixing, out]) =>
        kernel.mix(at!, pixels, ins, outs, mixing!, curve, out!),
      );
      assertNear(found, expected);
    });
  }

  const [pixels, channels] = [6, 8];
  const [from, others] = [noise(pixels * channels, 9), noise(pixels * channels, 10)];

  test('two pictures of features added', () => {
    const found = layer([from, others, new Float32Array(from.length)], (kernel, [one, other, out]) =>
      kernel.add(one!, other!, 4 * from.length, out!),
    );
    assertNear(
      found,
      from.map((value, at) => value + others[at]),
    );
  });

  test('each channel is multiplied by its own factor', () => {
    const found = layer([from, others, new Float32Array(from.length)], (kernel, [at, factors, out]) =>
      kernel.scale(at!, pixels, channels, factors!, out!),
    );
    assertNear(
      found,
      from.map((value, at) => value * others[at % channels]),
    );
  });

  test('the mean of each channel', () => {
    const found = layer([from, new Float32Array(channels)], (kernel, [at, out]) =>
      kernel.mean(at!, pixels, channels, out!),
    );
    assertNear(
      found,
      range(channels).map(
        (channel) => sum(range(pixels).map((at) => from[at * channels + channel])) / pixels,
      ),
    );
  });

  test('twice as wide and high, bilinear between the middles of pixels', () => {
    const [width, height] = [3, 2];
    /** The place of a pixel's middle among the inputs: the previous one, and the share of the next. */
    const placeOf = (at: number, count: number) => {
      const place = Math.max(0, Math.min(count - 1, (at + 0.5) / 2 - 0.5));
      const before = Math.min(count - 2, Math.floor(place));
      return [before, place - before] as const;
    };
    const expected = range(4 * width * height * channels).map((index) => {
      const [channel, pixel] = [index % channels, Math.floor(index / channels)];
      const [left, across] = placeOf(pixel % (2 * width), width);
      const [top, down] = placeOf(Math.floor(pixel / (2 * width)), height);
      const at = (x: number, y: number) => from[(y * width + x) * channels + channel];
      const row = (y: number) => (1 - across) * at(left, y) + across * at(left + 1, y);
      return (1 - down) * row(top) + down * row(top + 1);
    });
    const found = layer([from, new Float32Array(expected.length)], (kernel, [at, out]) =>
      kernel.enlarge(at!, width, height, channels, out!),
    );
    assertNear(found, expected);
  });

  test('each pixel becomes four', () => {
    const [width, height] = [3, 2];
    const weights = noise(4 * channels + 1, 11);
    const expected = range(4 * width * height).map((index) => {
      const [x, y] = [index % (2 * width), Math.floor(index / (2 * width))];
      const pixel = Math.floor(y / 2) * width + Math.floor(x / 2);
      const part = 2 * (y % 2) + (x % 2);
      const products = range(channels).map(
        (channel) => from[pixel * channels + channel] * weights[part * channels + channel],
      );
      return weights[4 * channels] + sum(products);
    });
    const found = layer([from, weights, new Float32Array(expected.length)], (kernel, [at, taps, out]) =>
      kernel.last(at!, width, height, channels, taps!, out!),
    );
    assertNear(found, expected);
  });

  for (const [name, width, height] of [
    ['fewer pixels than the grey picture has', 3, 2],
    ['more of them', 8, 6],
  ] as const) {
    test(`the hue of the coarse picture on the means of the grey one, ${name}`, () => {
      const size = { width: 7, height: 5 };
      const hueSize = { width: 2, height: 2 };
      const grey = range(size.width * size.height).map((at) => (at * 37) % 256);
      const hues = noise(3 * hueSize.width * hueSize.height, 12).map((value) => 90 * value);
      const span = (at: number, count: number, all: number) => {
        const start = Math.floor((at * all) / count);
        return range(Math.max(1, Math.floor(((at + 1) * all) / count) - start)).map((part) => start + part);
      };
      const expected = range(3 * width * height).map((index) => {
        const [color, pixel] = [index % 3, Math.floor(index / 3)];
        const [x, y] = [pixel % width, Math.floor(pixel / width)];
        const under = span(y, height, size.height).flatMap((row) =>
          span(x, width, size.width).map((column) => grey[row * size.width + column]),
        );
        const row = Math.floor((y * hueSize.height) / height) * hueSize.width;
        const hue = hues[3 * (row + Math.floor((x * hueSize.width) / width)) + color];
        return Math.max(0, Math.min(255, sum(under) / under.length + hue)) / 255;
      });
      const bytes = new Float32Array(Uint8Array.from([...grey, 0]).buffer);
      const found = layer([bytes, hues, new Float32Array(expected.length)], (kernel, [at, added, out]) =>
        kernel.colors(
          at!,
          size.width,
          size.height,
          added!,
          hueSize.width,
          hueSize.height,
          width,
          height,
          out!,
        ),
      );
      assertNear(found, expected);
    });
  }
});

const plain = (width: number, height: number, channels: 1 | 3): Picture => ({
  width,
  height,
  channels,
  data: new Uint8Array(width * height * channels).fill(120),
});

describe('figures', () => {
  for (const [size, observed] of [
    [
      { width: 640, height: 360 },
      { width: 256, height: 144 },
    ],
    [
      { width: 360, height: 640 },
      { width: 144, height: 256 },
    ],
    [
      { width: 416, height: 554 },
      { width: 160, height: 224 },
    ],
  ] as const) {
    test(`nobody in a plain picture of ${size.width}×${size.height}, observed at ${observed.width}×${observed.height}`, () => {
      const { width, height, probabilities } = new FigureNetwork(size).find(
        plain(size.width, size.height, 1),
        plain(48, 27, 3),
      );
      assert.deepEqual({ width, height }, observed);
      assert.ok(Math.max(...probabilities) < 0.5);
    });
  }

  /** Where somebody is on the first frame, looked up by eye: from, to, in shares of the width. */
  for (const { file, from, to } of [
    { file: 'video/intel_asl_book.mkv', from: 0.2, to: 0.75 },
    { file: 'video/nasa_webb_13s.mp4', from: 0, to: 0 },
  ]) {
    test(`${to > 0 ? 'somebody' : 'nobody'} in ${file}`, async (t) => {
      const frame = await firstFrame(file);
      if (frame === null) return t.skip(`needs ../shared/media/${file}`);
      const { across, down } = profileOf([{ ...frame, timeSeconds: 0 }]);
      for (const values of [across, down]) near(sum(values), to > 0 ? 1 : 0);
      near(sum(across.filter((_, at) => (at + 0.5) / 24 > from && (at + 0.5) / 24 < to)), to > 0 ? 1 : 0);
    });
  }

  /** The share of samples with a person if the second of two frames is empty: it has this delay, and may begin a new shot. */
  for (const [seconds, broken, share] of [
    [1.4, false, 1],
    [1.5, false, 0.5],
    [0.2, true, 0.5],
  ] as const) {
    test(`a frame ${seconds} s later ${broken ? 'behind a cut ' : ''}${share === 1 ? 'waits' : 'is looked at'}`, async (t) => {
      const frame = await firstFrame('video/intel_asl_book.mkv');
      if (frame === null) return t.skip('needs ../shared/media/video/intel_asl_book.mkv');
      const empty = { ...frame, detail: plain(640, 360, 1), color: plain(48, 27, 3), timeSeconds: seconds };
      const { across } = profileOf([{ ...frame, timeSeconds: 0 }, empty], broken);
      near(sum(across), share);
    });
  }

  test('of figures in a blurred and in a sharp half of a picture the sharp one counts', async (t) => {
    const frame = await firstFrame('video/intel_asl_book.mkv');
    if (frame === null) return t.skip('needs ../shared/media/video/intel_asl_book.mkv');
    const detail = frame.detail!;
    const data = detail.data.slice();
    // Nothing is as blurred as one grey.
    for (let at = 0; at < data.length; at++) if (at % detail.width < detail.width / 2) data[at] = 128;
    const { across } = profileOf([{ ...frame, timeSeconds: 0, detail: { ...detail, data } }]);
    near(sum(across.slice(0, 11)), 0);
    near(sum(across), 1);
  });

  test('nothing that nobody looked at', () => {
    assert.deepEqual(new FigureMeter().finish(), []);
  });
});

const sum = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const near = (observed: number, expected: number) =>
  assert.ok(Math.abs(observed - expected) < 0.02, `${observed}, not ${expected}`);

async function firstFrame(file: string): Promise<Frame | null> {
  const path = mediaPath(file);
  if (path === null) return null;
  for await (const frame of openFrames(path)) return frame;
  return null;
}

/** The mean of the looks at these frames; `broken`: a cut lies before each but the first. */
function profileOf(frames: readonly Frame[], broken = false): AttentionProfile {
  const meter = new FigureMeter();
  for (const frame of frames) meter.push(frame, { broken: broken && frame.timeSeconds > 0 } as MotionField);
  const looks = meter.finish();
  const mean = (axis: keyof AttentionProfile) =>
    Array.from({ length: 24 }, (_, part) => sum(looks.map((look) => look[axis][part])) / looks.length);
  return { across: mean('across'), down: mean('down') };
}
