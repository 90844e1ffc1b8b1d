/** Measures of the picture per step, on drawn frames with known answers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MotionFieldEstimator } from '../../../src/analysis/optical-flow/field.ts';
import { PictureMeter } from '../../../src/analysis/picture/picture.ts';
import { StructureKernel } from '../../../src/analysis/picture/picture-kernel.ts';
import type { PictureFacts } from '../../../src/analysis/picture-facts.ts';
import type { Picture } from '../../../src/domain/footage.ts';
import { changed, noiseScene, noiseSource, plainPicture, viewOf } from '../../support/moving-picture.ts';

const FPS = 30;
const DETAIL_EVERY = 9;
const GREY = [160, 90] as const;
const DETAIL = [640, 360] as const;
const SHARP = noiseScene(3, 480, 270, 0);

/** Measures frames of a scene drawn at both sizes. `at`: shift of the content in grey pixels, and a change of its levels. */
function measure(
  frames: number,
  at: (frame: number) => { readonly x?: number; readonly level?: (value: number) => number },
  scene = SHARP,
): PictureFacts {
  const meter = new PictureMeter();
  const motion = new MotionFieldEstimator();
  const colour = { width: 1, height: 1, channels: 3, data: new Uint8Array(3) } as const;
  for (let index = 0; index < frames; index++) {
    const { x = 0, level = (value: number) => value } = at(index);
    const grey = changed(viewOf(scene, ...GREY, { x }), level);
    const detail =
      index % DETAIL_EVERY === 0 ? changed(viewOf(scene, ...DETAIL, { x: 4 * x }, 0.5), level) : null;
    meter.push({ index, timeSeconds: index / FPS, colour, grey, detail }, motion.push(grey));
  }
  return meter.finish();
}

function middle(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return known[known.length >> 1];
}

test('structure of tiles at three scales, against the formula', () => {
  const [width, height, tile] = [100, 70, 32];
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at * at * 31 + at * 7) % 256);
  const { columns, rows, energies } = new StructureKernel(width, height).measure({
    ...{ width, height, channels: 1, data },
  });
  assert.deepEqual([columns, rows], [3, 2]);
  let level = { width, height, at: (x: number, y: number) => data[y * width + x] };
  for (const [scale, found] of energies.entries()) {
    const side = tile >> scale;
    const { at, ...size } = level;
    const edge = (x: number, y: number) =>
      at(Math.min(size.width - 1, Math.max(0, x)), Math.min(size.height - 1, Math.max(0, y)));
    for (let number = 0; number < found.length; number++) {
      const [left, top] = [(number % columns) * side, Math.floor(number / columns) * side];
      let sum = 0;
      for (let y = top; y < top + side; y++)
        for (let x = left; x < left + side; x++)
          sum += (4 * edge(x, y) - edge(x - 1, y) - edge(x + 1, y) - edge(x, y - 1) - edge(x, y + 1)) ** 2;
      assert.ok(Math.abs(found[number] / (sum / side ** 2) - 1) < 0.02, `scale ${scale}, tile ${number}`);
    }
    level = {
      ...{ width: size.width >> 1, height: size.height >> 1 },
      at: (x, y) =>
        (at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1)) / 4,
    };
  }
});

describe('change over noise', () => {
  const noisy = (seed: number) => {
    const random = noiseSource(seed);
    return (value: number) => value + 3 * random();
  };
  test('a frozen picture is frozen', () => {
    assert.deepEqual(new Set(measure(60, () => ({})).change.slice(2)), new Set([0]));
  });
  test('a frozen picture under noise has no more change than noise', () => {
    const random = noisy(7);
    assert.ok(middle(measure(90, () => ({ level: random })).change) < 2.6);
  });
  test('a picture that drifts by a pixel a second under the same noise has', () => {
    const random = noisy(7);
    assert.ok(middle(measure(90, (frame) => ({ x: frame / FPS, level: random })).change) > 10);
  });
});

describe('sharpness', () => {
  const blurred = noiseScene(3, 480, 270, 6);
  test('ignores contrast', () => {
    const [full, half] = [1, 0.5].map((gain) =>
      middle(measure(20, () => ({ level: (value) => 128 + gain * (value - 128) })).medium),
    );
    assert.ok(Math.abs(full / half - 1) < 0.1, `${full} and ${half}`);
  });
  test('falls with blur', () => {
    const sharp = measure(20, () => ({}));
    const soft = measure(20, () => ({}), blurred);
    assert.ok(middle(soft.medium) < 0.36 && middle(sharp.medium) > 0.9, `${soft.medium} ${sharp.medium}`);
  });
});

test('levels of a plain picture', () => {
  const meter = new PictureMeter();
  const colour = { width: 1, height: 1, channels: 3, data: new Uint8Array(3) } as const;
  const plain = (size: readonly [number, number]): Picture => plainPicture(...size, 119);
  meter.push({ index: 0, timeSeconds: 0, colour, grey: plain(GREY), detail: plain(DETAIL) }, null);
  const facts = meter.finish();
  assert.deepEqual(facts.lightness, [50]);
  assert.deepEqual([facts.contrast, facts.detail, facts.fine, facts.highlight], [[0], [0], [0], [119]]);
  assert.deepEqual([...Buffer.from(facts.views, 'base64')], new Array(64).fill(128));
});

test('motion that stops is a jolt at the last frame that moved', () => {
  const stop = 40;
  const { jolts } = measure(80, (frame) => ({ x: 1.5 * Math.min(frame, stop) }));
  assert.deepEqual(
    jolts.map(({ timeSeconds }) => Math.round(timeSeconds * FPS)),
    [stop],
  );
});

test('steady motion has no jolt', () => {
  assert.deepEqual(measure(60, (frame) => ({ x: 1.5 * frame })).jolts, []);
});
