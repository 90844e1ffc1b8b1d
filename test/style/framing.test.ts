import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { framingAt, framingUnion, isMoving } from '../../src/style/model/framing.ts';
import type { Clip } from '../../src/style/model/timeline.ts';

const half = { x: 0, y: 0, width: 0.5, height: 1 };
const still: Clip = {
  take: 0,
  sourceStartSeconds: 0,
  sourceEndSeconds: 4,
  reason: 'start',
  from: half,
  to: half,
  easing: 'linear',
  fit: 'crop',
};
const track = [
  { timeSeconds: 1, x: 0, y: 0 },
  { timeSeconds: 2, x: 0.1, y: 0 },
  { timeSeconds: 3, x: 0.5, y: 0 },
];

describe('framing', () => {
  test('moving and fixed framings', () => {
    assert.equal(isMoving(still), false);
    assert.equal(isMoving({ ...still, track: [track[0]] }), false);
    assert.equal(isMoving({ ...still, track }), true);
    assert.equal(isMoving({ ...still, to: { ...half, width: 0.4 } }), true);
    assert.equal(isMoving({ ...still, to: { ...half, width: 0.4 }, fit: 'pad' }), false);
  });

  test('a push-in goes from one framing to the other', () => {
    const clip = { ...still, to: { x: 0.1, y: 0.2, width: 0.3, height: 0.6 } };
    assert.deepEqual(framingAt(clip, 0, 0), half);
    assert.deepEqual(framingAt(clip, 1, 4), clip.to);
    assert.ok(Math.abs(framingAt(clip, 0.5, 2).width - 0.4) < 1e-9);
  });

  test('a track passes through its keys, is held outside, and never overshoots', () => {
    const clip = { ...still, track };
    for (const { timeSeconds, x } of track) assert.ok(Math.abs(framingAt(clip, 0, timeSeconds).x - x) < 1e-9);
    assert.equal(framingAt(clip, 0, 0).x, 0);
    assert.equal(framingAt(clip, 0, 4).x, 0.5);
    let before = 0;
    for (let seconds = 0; seconds <= 4; seconds += 0.02) {
      const { x } = framingAt(clip, 0, seconds);
      assert.ok(x >= before - 1e-12 && x <= 0.5);
      before = x;
    }
  });

  test('the union holds every framing', () => {
    const { x, y, width, height } = framingUnion({ ...still, track });
    assert.deepEqual({ x, y, width, height }, { x: 0, y: 0, width: 1, height: 1 });
  });

  test('every side of a framing that changes moves it, and so does what undoes a shake', () => {
    for (const change of [{ x: 0.1 }, { y: 0.1 }, { width: 0.4 }, { height: 0.9 }])
      assert.ok(isMoving({ ...still, to: { ...half, ...change } }), JSON.stringify(change));
    assert.equal(isMoving({ ...still, steady: [] }), false);
    assert.equal(isMoving({ ...still, steady: [{ timeSeconds: 0, x: 0, y: 0 }] }), true);
  });

  const at = (timeSeconds: number, x: number, y: number) => ({ timeSeconds, x, y });
  const near = (seen: object, wanted: object) => {
    for (const [name, value] of Object.entries(wanted))
      assert.ok(
        Math.abs((seen as Record<string, number>)[name] - value) < 1e-9,
        `${name}: ${JSON.stringify(seen)}`,
      );
  };
  const inner = { x: 0.2, y: 0.3, width: 0.5, height: 0.4 };

  test('between its keys a track is a cubic whose slopes are those of its neighbours', () => {
    // Slopes through both neighbours are exact on a parabola, and so is the cubic between them.
    const [across, down] = [(t: number) => t ** 2 / 40, (t: number) => 0.5 - (t - 6) ** 2 / 100];
    const keys = [0, 1, 2, 3, 4].map((t) => at(t, across(t), down(t)));
    const clip = { ...still, from: inner, to: inner, track: keys };
    for (const t of [1.1, 1.5, 2.3, 2.9])
      near(framingAt(clip, 0, t), { x: across(t), y: down(t), width: 0.5 });
  });

  test('slopes are limited to three times the distance between two keys, none in the opposite direction', () => {
    const clip = { ...still, track: [at(0, 0, 0), at(1, 0.01, 0.1), at(2, 0.5, -0.05)] };
    // Half of the distance, and an eighth of the difference of the slopes at both ends: 0.01 and 0.03; 0.1 and 0.
    near(framingAt(clip, 0, 0.5), { x: 0.005 + (0.01 - 0.03) / 8, y: 0.05 + (0.1 - 0) / 8 });
  });

  test('the shake of the frame that is shown is undone, within the picture', () => {
    const steady = [at(0, 0.01, 0.02), at(0.04, -0.03, 0.04), at(0.08, 0.05, -0.06)];
    const clip = { ...still, from: inner, to: inner, steady };
    for (const [seconds, tolerance, x, y] of [
      [-1, 0, 0.21, 0.32],
      [0.039, 0, 0.21, 0.32],
      [0.039, 0.002, 0.17, 0.34],
      [0.04, 0, 0.17, 0.34],
      [0.08, 0, 0.25, 0.24],
      [9, 0, 0.25, 0.24],
    ] as const)
      near(framingAt(clip, 0, seconds, tolerance), { x, y, width: 0.5, height: 0.4 });
    const far = { ...clip, steady: [at(0, 0.9, 0.9), at(1, -0.9, -0.9)] };
    near(framingAt(far, 0, 0), { x: 0.5, y: 0.6 });
    near(framingAt(far, 0, 1), { x: 0, y: 0 });
  });

  test('the union is as large as it must be, with what undoes a shake', () => {
    const to = { x: 0.1, y: 0.35, width: 0.55, height: 0.3 };
    const clip = { ...still, from: inner, to };
    near(framingUnion(clip), { x: 0.1, y: 0.3, width: 0.6, height: 0.4 });
    const shaken = { ...clip, steady: [at(0, -0.02, 0.01), at(1, 0.03, -0.04)] };
    near(framingUnion(shaken), { x: 0.08, y: 0.26, width: 0.73 - 0.08, height: 0.71 - 0.26 });
    near(framingUnion({ ...shaken, steady: [at(0, -0.5, -0.5)] }), { x: 0, y: 0 });
    near(framingUnion({ ...shaken, steady: [at(0, 0.5, 0.5)] }), { x: 0.1, y: 0.3, width: 0.9, height: 0.7 });
    // Along a track the larger of both sizes.
    const tracked = { ...clip, track: [at(0, 0.05, 0.4), at(1, 0.3, 0.45)] };
    near(framingUnion(tracked), { x: 0.05, y: 0.3, width: 0.3 + 0.55 - 0.05, height: 0.45 + 0.4 - 0.3 });
  });
});
