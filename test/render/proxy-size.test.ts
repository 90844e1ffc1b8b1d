import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesPerSecond } from '../../src/domain/time.ts';
import {
  PHOTO_PROXY_LINES,
  PROXY_LINES,
  proxyRate,
  proxySize,
} from '../../src/render/previews/proxy-size.ts';

test('fast recordings get a whole part of their rate', () => {
  const rows = [
    [24000 / 1001, '23.98'],
    [30, '30.00'],
    [60, '60.00'],
    [60.4, '60.40'],
    [60.6, '30.30'],
    [90, '45.00'],
    [100, '50.00'],
    [120000 / 1001, '59.94'],
    [240, '60.00'],
    [250, '50.00'],
  ] as const;
  for (const [rate, expected] of rows) {
    const found = proxyRate({ numerator: Math.round(rate * 1001), denominator: 1001 });
    assert.equal(framesPerSecond(found).toFixed(2), expected);
  }
});

test('sizes are even, with a short side of at most 540 lines, and not enlarged', () => {
  const rows = [
    [3840, 2160, 960, 540],
    [1080, 1920, 540, 960],
    [960, 540, 960, 540],
    [321, 181, 322, 182],
    [320, 180, 320, 180],
    // A strip keeps two lines.
    [5400, 1, 5400, 2],
    [10_000, 1000, 5400, 540],
  ] as const;
  for (const [width, height, ...expected] of rows) {
    const size = proxySize({ width, height }, 540);
    assert.deepEqual([size.width, size.height], expected, `${width}×${height}`);
  }
});

test('half of a photo has as many lines as a video: a slow move may show no more', () => {
  assert.deepEqual([PROXY_LINES, PHOTO_PROXY_LINES / 2], [540, 540]);
});
