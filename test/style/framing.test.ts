import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { framingAt, framingUnion, isMoving } from '../../src/style/model/framing.ts';
import type { Clip } from '../../src/style/model/timeline.ts';

const half = { x: 0, y: 0, width: 0.5, height: 1 };
const still: Clip = {
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
  test('what moves and what does not', () => {
    assert.equal(isMoving(still), false);
    assert.equal(isMoving({ ...still, track: [track[0]!] }), false);
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
});
