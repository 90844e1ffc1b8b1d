import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Colour, landscapePainter, type Ridge, type Scene } from '../../src/cli/demo-landscape.ts';
import { noiseTile, TILE } from '../../src/cli/demo-noise.ts';

const GREY: Colour = [100, 100, 100];
const PLAIN: Scene = {
  sky: [GREY, GREY, GREY],
  horizon: 0.5,
  sun: { x: 0.5, y: -9, radius: 0, colour: GREY, glow: 0 },
  clouds: { colour: GREY, amount: 0, speed: 0 },
  ridges: [],
  travel: 0,
  vignette: 0,
};
const SIZE = { width: 64, height: 64 };

function drawn(change: Partial<Scene>, seconds = 0) {
  const rgb = new Uint8Array(SIZE.width * SIZE.height * 3);
  landscapePainter(SIZE, { ...PLAIN, ...change })(rgb, seconds);
  return (x: number, y: number) => [...rgb.subarray((y * SIZE.width + x) * 3, (y * SIZE.width + x) * 3 + 3)];
}

test('noise repeats without a seam, between 0 and 1', () => {
  const tile = noiseTile(3);
  assert.ok(tile.every((value) => value >= 0 && value <= 1));
  let [within, across] = [0, 0];
  for (let row = 0; row < TILE; row++) {
    within = Math.max(within, Math.abs(tile[row * TILE + 200] - tile[row * TILE + 201]));
    across = Math.max(across, Math.abs(tile[row * TILE] - tile[row * TILE + TILE - 1]));
  }
  assert.ok(across <= 2 * within, `${across} across the seam, ${within} within`);
});

test('a sky is what lies behind, the sun is in its place', () => {
  const at = drawn({ sun: { x: 0.25, y: 0.25, radius: 0.1, colour: [200, 200, 0], glow: 0 } });
  assert.deepEqual(at(60, 60), [100, 100, 100]);
  assert.deepEqual(at(16, 16), [225, 225, 25]);
});

test('a ridge covers the area below its top, and moves with the camera', () => {
  const ridge: Ridge = {
    level: 0.5,
    relief: 0.2,
    frequency: 9,
    outline: 'peaks',
    colour: [10, 20, 30],
    mist: [10, 20, 30],
    nearness: 1,
    windows: 0,
  };
  const now = drawn({ ridges: [ridge], travel: 1 });
  assert.deepEqual(now(5, 63), [10, 20, 30]);
  assert.deepEqual(now(5, 0), [100, 100, 100]);
  const later = drawn({ ridges: [ridge], travel: 1 }, 0.25);
  for (let y = 0; y < 64; y++) assert.deepEqual(later(10, y), now(26, y), 'a quarter of a height further');
});

test('water shows the sky again, darker', () => {
  const at = drawn({ water: { shade: 0.5, tint: [0, 0, 0] } });
  assert.deepEqual(at(30, 31), [100, 100, 100]);
  assert.ok(at(30, 40)[0] < 80 && at(30, 40)[0] > 20);
});

test('corners are darkened, the middle is not', () => {
  const at = drawn({ vignette: 0.5 });
  assert.deepEqual(at(32, 32), [100, 100, 100]);
  assert.ok(at(0, 0)[0] <= 52);
});
