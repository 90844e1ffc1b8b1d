import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FaceTracker } from '../../src/analysis/subjects/face.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { assertNear, type LayerKernel, layer as layerOf, noise, range } from '../support/kernel-layer.ts';
import { mediaPath } from '../support/media.ts';

const layer = (
  arrays: readonly ArrayLike<number>[],
  run: (kernel: LayerKernel<'first' | 'depthwise' | 'pointwise' | 'pool'>, addresses: number[]) => void,
) => layerOf('face-kernel', arrays, run);
const leaky = (value: number) => Math.max(value, 0.1 * value);

describe('layers of the face network are what their formulas say', () => {
  test('3×3 of bytes, the greatest of each 2×2', () => {
    const [width, height] = [8, 6];
    const grey = Uint8Array.from(noise(width * height, 3), (value) => 128 + 127 * value);
    const weights = noise(160, 4);
    const at = (x: number, y: number, channel: number) =>
      range(9).reduce(
        (sum, tap) =>
          sum + grey[(y + Math.floor(tap / 3)) * width + x + (tap % 3)]! * weights[tap * 16 + channel]!,
        weights[144 + channel]!,
      );
    const wanted = range(3 * 2 * 16).map((index) => {
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
    assertNear(found, wanted);
  });

  test('3×3 of each channel', () => {
    const [width, height, channels] = [3, 2, 8];
    const padded = noise((width + 2) * (height + 2) * channels, 5);
    const weights = noise(9 * channels, 6);
    const wanted = range(width * height * channels).map((index) => {
      const [channel, pixel] = [index % channels, Math.floor(index / channels)];
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      return range(9).reduce((sum, tap) => {
        const place = (y + Math.floor(tap / 3)) * (width + 2) + x + (tap % 3);
        return sum + padded[place * channels + channel]! * weights[tap * channels + channel]!;
      }, 0);
    });
    const found = layer([padded, weights, new Float32Array(wanted.length)], (kernel, [from, taps, out]) =>
      kernel.depthwise(from!, width, height, channels, taps!, out!),
    );
    assertNear(found, wanted);
  });

  for (const pixels of [2, 5]) {
    test(`channels mixed in ${pixels} pixels`, () => {
      const [ins, outs] = [8, 32];
      const from = noise(pixels * ins, 7);
      const weights = noise((ins + 1) * outs, 8);
      const wanted = range(pixels * outs).map((index) => {
        const [result, pixel] = [index % outs, Math.floor(index / outs)];
        const block = Math.floor(result / 16) * (ins + 1) * 16 + (result % 16);
        return leaky(
          range(ins).reduce(
            (sum, k) => sum + from[pixel * ins + k]! * weights[block + 16 * (k + 1)]!,
            weights[block]!,
          ),
        );
      });
      const found = layer([from, weights, new Float32Array(wanted.length)], (kernel, [at, mixing, out]) =>
        kernel.pointwise(at!, pixels, ins, outs, mixing!, 0.1, out!),
      );
      assertNear(found, wanted);
    });
  }

  for (const step of [1, 2]) {
    test(`the greatest of each 2×2, ${step} apart`, () => {
      const [width, height, channels] = [5, 3, 4];
      const from = noise(width * height * channels, 9);
      const size = { width: Math.ceil(width / step), height: Math.ceil(height / step) };
      const wanted = range(size.width * size.height * channels).map((index) => {
        const [channel, pixel] = [index % channels, Math.floor(index / channels)];
        const [x, y] = [step * (pixel % size.width), step * Math.floor(pixel / size.width)];
        const corners = [0, 1, 2, 3].map((part) => [x + (part & 1), y + (part >> 1)] as const);
        const inside = corners.filter(([column, row]) => column < width && row < height);
        return Math.max(...inside.map(([column, row]) => from[(row * width + column) * channels + channel]!));
      });
      const found = layer([from, new Float32Array(wanted.length)], (kernel, [at, out]) =>
        kernel.pool(at!, width, height, channels, step, out!, 4 * channels * size.width),
      );
      assertNear(found, wanted);
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
        for (const { box } of tracks[at]!.boxes) {
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
