import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MotionCurve } from '../../src/analysis/facts.ts';
import { motionView } from '../../src/report/motion-view.ts';
import { motionFacts, videoFacts } from '../support/clip-facts.ts';

const FPS = 25;

interface Step {
  readonly x?: number;
  readonly y?: number;
  readonly logScale?: number;
}

function viewOf(frames: number, step: (frame: number) => Step, cutSeconds: readonly number[] = []) {
  const rows = Array.from({ length: frames }, (_, frame) => (frame === 0 ? {} : step(frame)) as Step);
  const still = rows.map(() => 0);
  const curve: MotionCurve = {
    timesSeconds: rows.map((_, frame) => frame / FPS),
    shiftX: rows.map(({ x = 0 }) => x),
    shiftY: rows.map(({ y = 0 }) => y),
    logScale: rows.map(({ logScale = 0 }) => logScale),
    rotation: still,
    residual: still,
    support: still,
  };
  const bounds = [0, ...cutSeconds, frames / FPS];
  const shots = bounds.slice(1).map((endSeconds, at) => ({
    startFrame: bounds[at] * FPS,
    endFrame: endSeconds * FPS,
    startSeconds: bounds[at],
    endSeconds,
  }));
  return motionView(motionFacts({ curve }), videoFacts({ shots }).shots, frames / FPS);
}

const near = (seen: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(seen - expected) <= tolerance, `${seen}, not ${expected}`);

describe('motionView', () => {
  test('a picture that moves left is a pan to the right; one that moves down a tilt upwards', () => {
    const { pan, tilt, speed, zooms } = viewOf(100, () => ({ x: -0.01, y: 0.004 }));
    near(pan[50], 0.25, 0.003);
    near(tilt[50], 0.1, 0.003);
    near(speed[50], Math.hypot((0.25 * 16) / Math.hypot(16, 9), (0.1 * 9) / Math.hypot(16, 9)), 0.005);
    assert.deepEqual(zooms, []);
  });

  for (const { what, logScale, from, to, zooms } of [
    { what: 'a push-in', logScale: 0.004, from: 50, to: 150, zooms: 1 },
    { what: 'a zoom out', logScale: -0.004, from: 50, to: 150, zooms: 1 },
    { what: 'a creep below the threshold', logScale: 0.0008, from: 0, to: 250, zooms: 0 },
    { what: 'a jolt', logScale: 0.01, from: 100, to: 103, zooms: 0 },
  ]) {
    test(`${what}: ${zooms} marked`, () => {
      const view = viewOf(250, (frame) => (frame > from && frame <= to ? { logScale } : {}));
      assert.equal(view.zooms.length, zooms);
      for (const one of view.zooms) {
        near(one.startSeconds, from / FPS, 0.4);
        near(one.endSeconds, to / FPS, 0.4);
        near(one.logScale, logScale * (to - from), 0.06);
      }
    });
  }

  test('a zoom ends with its shot', () => {
    const { zooms } = viewOf(200, () => ({ logScale: 0.004 }), [4]);
    assert.deepEqual(
      zooms.map(({ startSeconds, endSeconds }) => [
        Number(startSeconds.toFixed(1)),
        Number(endSeconds.toFixed(1)),
      ]),
      [
        [0, 4],
        [4, 8],
      ],
    );
  });
});
