import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FaceTracker, isFace, linkDetections } from '../../src/analysis/subjects/face.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { assertNear, type LayerKernel, layer as layerOf, noise, range } from '../support/kernel-layer.ts';
import { mediaPath } from '../support/media.ts';

type LayerName = 'first' | 'depthwise' | 'pointwise' | 'pool' | 'unpack' | 'interleave' | 'resize';
const layer = (
  arrays: readonly ArrayLike<number>[],
  run: (kernel: LayerKernel<LayerName>, addresses: number[]) => void,
) => layerOf('face-kernel', arrays, run);
const leaky = (value: number) => Math.max(value, 0.1 * value);

describe('layers of the face network equal their formulas', () => {
  test('3×3 of bytes, the greatest of each 2×2', () => {
    const [width, height] = [8, 6];
    const grey = Uint8Array.from(noise(width * height, 3), (value) => 128 + 127 * value);
    const weights = noise(160, 4);
    const at = (x: number, y: number, channel: number) =>
      range(9).reduce(
        (sum, tap) =>
          sum + grey[(y + Math.floor(tap / 3)) * width + x + (tap % 3)] * weights[tap * 16 + channel],
        weights[144 + channel],
      );
    const expected = range(3 * 2 * 16).map((index) => {
      const [channel, x, y] = [index % 16, 2 * (Math.floor(index / 16) % 3), 2 * Math.floor(index / 48)];
      return leaky(
        Math.max(at(x, y, channel), at(x + 1, y, channel), at(x, y + 1, channel), at(x + 1, y + 1, channel)),
      );
    });
    const found = layer(
      [new Float32Array(12), weights, new Float32Array(96)],
      (kernel, [from, taps, out]) => {
        new Uint8Array(kernel.memory.buffer, from!, grey.length).set(grey);
        kernel.first(from!, width, height, taps!, 0.1, out!, 3 * 64);
      },
    );
    assertNear(found, expected);
  });

  test('weights of a byte', () => {
    const bytes = [0, 1, 2, 100, 255];
    const found = layer([new Float32Array(2), new Float32Array(bytes.length)], (kernel, [from, out]) => {
      new Uint8Array(kernel.memory.buffer, from!, bytes.length).set(bytes);
      kernel.unpack(from!, bytes.length, -1.5, 0.01, out!);
    });
    assertNear(
      found,
      bytes.map((byte) => 0.01 * byte - 1.5),
    );
  });

  test('weights by sixteen results', () => {
    const [ins, outs] = [3, 25];
    const [mixing, bias] = [noise(ins * outs, 5), noise(outs, 6)];
    const expected = range(2 * (ins + 1) * 16).map((index) => {
      const [lane, row] = [index % 16, Math.floor(index / 16) % (ins + 1)];
      const result = 16 * Math.floor(index / 16 / (ins + 1)) + lane;
      if (result >= outs) return 0;
      return row === 0 ? bias[result] : mixing[(row - 1) * outs + result];
    });
    const found = layer([mixing, bias, new Float32Array(expected.length)], (kernel, [from, first, out]) =>
      kernel.interleave(from!, first!, ins, outs, out!),
    );
    assertNear(found, expected);
  });

  for (const [width, height] of [
    [4, 3],
    [11, 9],
  ] as const) {
    test(`7×5 bytes made ${width}×${height}, bilinear between the middles of pixels`, () => {
      const [fromWidth, fromHeight] = [7, 5];
      const grey = range(fromWidth * fromHeight).map((at) => (at * 37) % 256);
      const at = (x: number, y: number) =>
        grey[Math.min(fromHeight - 1, y) * fromWidth + Math.min(fromWidth - 1, x)];
      const placeOf = (to: number, count: number, pixels: number) =>
        Math.max(0, Math.min(pixels - 1, ((to + 0.5) * pixels) / count - 0.5));
      const expected = range(width * height).map((index) => {
        const x = placeOf(index % width, width, fromWidth);
        const y = placeOf(Math.floor(index / width), height, fromHeight);
        const [left, top] = [Math.floor(x), Math.floor(y)];
        const row = (line: number) => at(left, line) + (x - left) * (at(left + 1, line) - at(left, line));
        return row(top) + (y - top) * (row(top + 1) - row(top));
      });
      const bytes = Math.ceil((width * height) / 4);
      const found = layer([new Float32Array(9), new Float32Array(bytes)], (kernel, [from, out]) => {
        new Uint8Array(kernel.memory.buffer, from!, grey.length).set(grey);
        kernel.resize(from!, fromWidth, fromHeight, width, height, out!);
      });
      const levels = new Uint8Array(found.buffer, found.byteOffset, width * height);
      for (const [pixel, level] of expected.entries())
        assert.ok(Math.abs(levels[pixel] - level) <= 0.501, `${pixel}: ${levels[pixel]} for ${level}`);
    });
  }

  test('3×3 of each channel', () => {
    const [width, height, channels] = [3, 2, 8];
    const padded = noise((width + 2) * (height + 2) * channels, 5);
    const weights = noise(9 * channels, 6);
    const expected = range(width * height * channels).map((index) => {
      const [channel, pixel] = [index % channels, Math.floor(index / channels)];
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      return range(9).reduce((sum, tap) => {
        const place = (y + Math.floor(tap / 3)) * (width + 2) + x + (tap % 3);
        return sum + padded[place * channels + channel] * weights[tap * channels + channel];
      }, 0);
    });
    const found = layer([padded, weights, new Float32Array(expected.length)], (kernel, [from, taps, out]) =>
      kernel.depthwise(from!, width, height, channels, taps!, out!),
    );
    assertNear(found, expected);
  });

  for (const pixels of [2, 5]) {
    test(`channels mixed in ${pixels} pixels`, () => {
      const [ins, outs] = [8, 32];
      const from = noise(pixels * ins, 7);
      const weights = noise((ins + 1) * outs, 8);
      const expected = range(pixels * outs).map((index) => {
        const [result, pixel] = [index % outs, Math.floor(index / outs)];
        const block = Math.floor(result / 16) * (ins + 1) * 16 + (result % 16);
        return leaky(
          range(ins).reduce(
            (sum, k) => sum + from[pixel * ins + k] * weights[block + 16 * (k + 1)],
            weights[block],
          ),
        );
      });
      const found = layer([from, weights, new Float32Array(expected.length)], (kernel, [at, mixing, out]) =>
        kernel.pointwise(at!, pixels, ins, outs, mixing!, 0.1, out!),
      );
      assertNear(found, expected);
    });
  }

  for (const step of [1, 2]) {
    test(`the greatest of each 2×2, ${step} apart`, () => {
      const [width, height, channels] = [5, 3, 4];
      const from = noise(width * height * channels, 9);
      const size = { width: Math.ceil(width / step), height: Math.ceil(height / step) };
      const expected = range(size.width * size.height * channels).map((index) => {
        const [channel, pixel] = [index % channels, Math.floor(index / channels)];
        const [x, y] = [step * (pixel % size.width), step * Math.floor(pixel / size.width)];
        const corners = [0, 1, 2, 3].map((part) => [x + (part & 1), y + (part >> 1)] as const);
        const inside = corners.filter(([column, row]) => column < width && row < height);
        return Math.max(...inside.map(([column, row]) => from[(row * width + column) * channels + channel]));
      });
      const found = layer([from, new Float32Array(expected.length)], (kernel, [at, out]) =>
        kernel.pool(at!, width, height, channels, step, out!, 4 * channels * size.width),
      );
      assertNear(found, expected);
    });
  }
});

describe('sightings of one face', () => {
  const observed = (...faces: readonly (readonly [left: number, width: number])[]) =>
    faces.map(([x, width]) => ({ box: { x, y: 0.2, width, height: 1.5 * width }, score: 0.7 }));
  for (const [what, looks, lengths] of [
    [
      'of a person who does not move',
      [observed([0.4, 0.1]), observed([0.41, 0.1]), observed([0.4, 0.11])],
      [3],
    ],
    ['of who has gone by one and a half widths', [observed([0.4, 0.1]), observed([0.25, 0.1])], [2]],
    ['not by two', [observed([0.4, 0.1]), observed([0.2, 0.1])], [1, 1]],
    ['of who has come nearer', [observed([0.4, 0.1]), observed([0.37, 0.16])], [2]],
    // A kitchen once: the network saw a face of two thirds of the picture about a real one.
    ['none of most of the picture', [observed([0.4, 0.1]), observed([0.26, 0.1], [0.35, 0.69])], [2, 1]],
    ['each of two', [observed([0.2, 0.1], [0.5, 0.1]), observed([0.51, 0.1], [0.22, 0.1])], [2, 2]],
    ['one face is not seen twice at once', [observed([0.4, 0.1]), observed([0.4, 0.1], [0.45, 0.1])], [2, 1]],
  ] as const) {
    test(what, () => {
      const samples = looks.map((faces, at) => ({ timeSeconds: 1.5 * at, isExtra: false, faces }));
      assert.deepEqual(
        linkDetections(samples).map((sightings) => sightings.length),
        lengths,
      );
    });
  }
});

describe('a face of a shot', () => {
  for (const [what, scores, samples, expected] of [
    ['found once in one sample', [0.6], 1, true],
    ['less clearly', [0.59], 1, false],
    ['in one of three', [0.7], 3, false],
    ['in two of five', [0.5, 0.51], 5, true],
    ['less clearly', [0.5, 0.49], 5, false],
    ['in two of six', [0.7, 0.7], 6, false],
    ['in one of nine, but certainly: people turn a phone from one to the next', [0.85], 9, true],
  ] as const) {
    test(what, () => {
      const box = { x: 0, y: 0, width: 0.2, height: 0.3 };
      const detections = scores.map((score) => ({ face: { box, score } }));
      assert.equal(isFace(detections, samples), expected);
    });
  }
});

describe('faces of real clips', () => {
  /** Where the heads of people who are seen throughout are, looked up by eye. */
  const clips = [
    { file: 'video/intel_asl_book.mkv', heads: [{ x: 0.47, y: 0.28 }] },
    {
      file: 'video/mdn_friday_speech.mp4',
      heads: [
        { x: 0.67, y: 0.24 },
        { x: 0.43, y: 0.55 },
      ],
    },
    { file: 'video/roof_zoom_17s.mp4', heads: [] },
    { file: 'video/mdn_crystal.mp4', heads: [] },
    { file: 'video/mdn_flower.mp4', heads: [] },
  ];
  for (const { file, heads } of clips) {
    test(`${heads.length} in ${file}`, async (t) => {
      const path = mediaPath(file);
      if (path === null) return t.skip(`needs ../shared/media/${file}`);
      const tracker = new FaceTracker();
      let endSeconds = 0;
      for await (const frame of openFrames(path)) {
        tracker.push(frame, null);
        endSeconds = frame.timeSeconds;
      }
      const [shot] = [{ startFrame: 0, endFrame: 1, startSeconds: 0, endSeconds }];
      const tracks = tracker.finish([shot!]);
      assert.equal(tracks.length, heads.length);
      for (const [at, { x, y }] of heads.entries()) {
        for (const { box } of tracks[at].boxes) {
          assert.ok(
            box.x < x && box.x + box.width > x && box.y < y && box.y + box.height > y,
            JSON.stringify(box),
          );
          assert.ok(box.width < 0.4 && box.height < 0.6, JSON.stringify(box));
        }
      }
    });
  }
});
