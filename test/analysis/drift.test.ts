/** How a part of the picture goes with what moves in it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import { Drift } from '../../src/analysis/subjects/drift.ts';

const [WIDTH, HEIGHT, SIDE] = [160, 90, 40];
const FRAME_SECONDS = 0.04;

/** A textured ground, and before it a textured square whose left edge is at `left`. */
function picture(left: number) {
  const data = new Uint8Array(WIDTH * HEIGHT);
  const texture = (x: number, y: number) => 90 * Math.sin(x * 0.9) * Math.cos(y * 0.7);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const isInside = x >= left && x < left + SIDE && y >= 25 && y < 25 + SIDE;
      data[y * WIDTH + x] = isInside ? 150 + texture(x - left, y) : 100 + texture(0.6 * y, 0.8 * x) / 2;
    }
  }
  return { width: WIDTH, height: HEIGHT, channels: 1, data } as const;
}

/** The square goes a pixel a frame to the right for a second. */
function drifted(from: number, to: number): Drift {
  const estimator = new MotionFieldEstimator();
  const drift = new Drift(0, (x, y) => x >= from && x < to && y >= 0.28 && y < 0.72);
  for (let frame = 0; frame <= 25; frame++) {
    const field = estimator.push(picture(40 + frame));
    if (field !== null) drift.push(frame * FRAME_SECONDS, field);
  }
  return drift;
}

describe('drift', () => {
  test('goes with what moves in it, about five points a second', () => {
    const drift = drifted(40 / WIDTH, 80 / WIDTH);
    drift.end();
    const { timeSeconds, x, y } = drift.path.at(-1)!;
    assert.equal(timeSeconds, 25 * FRAME_SECONDS);
    assert.ok(Math.abs(x - 25 / WIDTH) < 0.03 && Math.abs(y) < 0.01, `${x} ${y}`);
    assert.deepEqual(drift.path[0], { timeSeconds: 0, x: 0, y: 0 });
    assert.equal(drift.path.length, 6);
  });

  test('is zero without motion', () => {
    const drift = drifted(0.75, 0.95);
    drift.end();
    const { x, y } = drift.path.at(-1)!;
    assert.ok(Math.abs(x) < 0.01 && Math.abs(y) < 0.01, `${x} ${y}`);
  });

  test('is dropped if a later detection contradicts it', () => {
    for (const [x, points] of [
      [0.15, 6],
      [-0.02, 1],
    ] as const) {
      const drift = drifted(40 / WIDTH, 80 / WIDTH);
      drift.end({ x, y: 0 });
      assert.equal(drift.path.length, points, String(x));
    }
  });
});
