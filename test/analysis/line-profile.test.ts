/** How far the lines of a picture are off a tone, against the formula. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { profileAlong } from '../../src/analysis/bars/line-profile.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const STEP = 4;
const NOISE = 12;

describe('profiles of lines', () => {
  for (const [width, height, tone, from, to] of [
    [64, 36, 16, 0, 36],
    [37, 51, 20.5, 3, 30],
    [5, 7, 0, 0, 5],
    [4, 4, 32, 1, 2],
    [9, 640, 7.5, 5, 640],
    [640, 9, 0, 0, 9],
    [33, 33, 10, 8, 8],
  ] as const) {
    for (const axis of ['rows', 'columns'] as const) {
      const random = seededRandom(width);
      for (const [what, level] of [
        ['noise', () => 256 * random()],
        ['near the tone', () => Math.max(0, tone + 30 * random() - 15)],
        ['white', () => 255],
      ] as const) {
        test(`${what}, ${axis} of ${width}×${height}, ${from} to ${to}, off ${tone}`, () => {
          const data = Uint8Array.from({ length: width * height }, level);
          const across = { from, to: axis === 'rows' ? Math.min(to, width) : to };
          const lines = axis === 'rows' ? height : width;
          const share = new Float64Array(lines);
          const rise = new Float64Array(lines);
          const counted = Math.max(1, Math.ceil((across.to - from) / STEP));
          for (let line = 0; line < lines; line++) {
            for (let at = from; at < across.to; at += STEP) {
              const off = Math.abs(data[axis === 'rows' ? line * width + at : at * width + line] - tone);
              rise[line] += off;
              if (off > NOISE) share[line] += 1;
            }
            rise[line] /= counted;
            share[line] /= counted;
          }
          const picture = { width, height, channels: 1, data } as const;
          assert.deepEqual(profileAlong(picture, axis, across, tone, NOISE), { share, rise });
        });
      }
    }
  }
});
