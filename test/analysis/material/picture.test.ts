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
  const color = { width: 1, height: 1, channels: 3, data: new Uint8Array(3) } as const;
  for (let index = 0; index < frames; index++) {
    const { x = 0, level = (value: number) => value } = at(index);
    const grey = changed(viewOf(scene, ...GREY, { x }), level);
    const detail =
      index % DETAIL_EVERY === 0 ? changed(viewOf(scene, ...DETAIL, { x: 4 * x }, 0.5), level) : null;
    meter.push({ index, timeSeconds: index / FPS, color, grey, detail }, motion.push(grey));
  }
  return meter.finish();
}

function middle(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return known[known.length >> 1];
}

test('structure of tiles, against the formulas', () => {
  const [width, height, tile] = [100, 70, 32];
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at * at * 31 + at * 7) % 256);
  const { columns, rows, ranges, slopes, quarter, eighth } = new StructureKernel(width, height).measure({
    ...{ width, height, channels: 1, data },
  });
  assert.deepEqual([columns, rows], [3, 2]);
  const levels = [{ width, height, at: (x: number, y: number) => data[y * width + x] }];
  for (let scale = 1; scale < 4; scale++) {
    const { at, ...size } = levels.at(-1)!;
    levels.push({
      ...{ width: size.width >> 1, height: size.height >> 1 },
      at: (x, y) =>
        (at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1)) / 4,
    });
  }
  for (const [scale, found] of [
    [1, slopes],
    [1, ranges],
    [2, quarter],
    [3, eighth],
  ] as const) {
    const side = tile >> scale;
    const { at, ...size } = levels[scale];
    const edge = (x: number, y: number) =>
      at(Math.min(size.width - 1, Math.max(0, x)), Math.min(size.height - 1, Math.max(0, y)));
    for (let number = 0; number < found.length; number++) {
      const [left, top] = [(number % columns) * side, Math.floor(number / columns) * side];
      const pixels = Array.from({ length: side ** 2 }, (_, i) => [
        left + (i % side),
        top + Math.floor(i / side),
      ]);
      const values = pixels.map(([x, y]) => edge(x, y));
      const slope = ([x, y]: number[]) =>
        Math.hypot(edge(x + 1, y) - edge(x - 1, y), edge(x, y + 1) - edge(x, y - 1)) / 2;
      const bend = ([x, y]: number[]) =>
        4 * edge(x, y) - edge(x - 1, y) - edge(x + 1, y) - edge(x, y - 1) - edge(x, y + 1);
      const expected =
        found === slopes
          ? Math.max(...pixels.map(slope))
          : found === ranges
            ? Math.max(...values) - Math.min(...values)
            : pixels.reduce((sum, pixel) => sum + bend(pixel) ** 2, 0) / side ** 2;
      const tolerance = found === slopes ? 0.08 : 0.04;
      assert.ok(Math.abs(found[number] / expected - 1) < tolerance, `scale ${scale}, tile ${number}`);
    }
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
  const sharpness = (change: { readonly blur?: number; readonly gain?: number; readonly noise?: number }) => {
    const { blur = 0, gain = 1, noise = 0 } = change;
    const random = noiseSource(5);
    const level = (value: number) => 128 + gain * (value - 128) + noise * random();
    return middle(measure(DETAIL_EVERY + 1, () => ({ level }), noiseScene(3, 480, 270, blur)).sharpness);
  };
  test('ignores contrast', () => {
    const [full, half] = [sharpness({}), sharpness({ gain: 0.5 })];
    assert.ok(Math.abs(full / half - 1) < 0.1, `${full} and ${half}`);
  });
  test('never rises with blur, until nothing is left', () => {
    const values = [0, 1, 2, 3, 4, 6, 8, 10, 14, 20].map((blur) => sharpness({ blur }));
    // Far below the limit the steps of grey levels count.
    for (let at = 1; at < values.length; at++)
      assert.ok(values[at] <= Math.max(0.15, values[at - 1]), values.join(' '));
    assert.ok(values[0] > 0.8 && values[1] < 0.45 && values.at(-1)! < 0.15, values.join(' '));
  });
  test('white noise is measured, and adds little sharpness', () => {
    const found = [0, 4, 8, 16, 32].map((level) => {
      const random = noiseSource(5);
      const facts = measure(DETAIL_EVERY + 1, () => ({ level: (value) => value + level * random() }));
      return { sharpness: middle(facts.sharpness), noise: facts.noise.at(-1)! };
    });
    for (let at = 1; at < found.length; at++) {
      assert.ok(found[at].sharpness <= 1.1 * found[0].sharpness, JSON.stringify(found));
      assert.ok(found[at].noise > found[at - 1].noise, JSON.stringify(found));
    }
  });
  test('noise over a blurred picture is no sharpness', () => {
    const [clean, noisy] = [sharpness({ blur: 6 }), sharpness({ blur: 6, noise: 8 })];
    assert.ok(clean < 0.4 && noisy < 0.45, `${clean} and ${noisy}`);
  });
});

test('levels of a plain picture, and its colors', () => {
  const meter = new PictureMeter();
  // Opponent colors 40 and 30 apart from their means: a spread of 50 levels.
  const data = Uint8Array.of(140, 100, 90, 100, 140, 150);
  const color = { width: 2, height: 1, channels: 3, data } as const;
  const plain = (size: readonly [number, number]): Picture => plainPicture(...size, 119);
  meter.push({ index: 0, timeSeconds: 0, color, grey: plain(GREY), detail: plain(DETAIL) }, null);
  const facts = meter.finish();
  assert.deepEqual(facts.lightness, [50]);
  assert.deepEqual([facts.contrast, facts.detail, facts.sharpness, facts.highlight], [[0], [0], [0], [119]]);
  assert.deepEqual(facts.colorSpread, [0.196]);
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
