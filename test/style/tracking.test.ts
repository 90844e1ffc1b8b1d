import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SubjectTrack } from '../../src/analysis/facts.ts';
import { followSubject } from '../../src/style/plan/tracking.ts';
import { clipFacts } from '../support/clip-facts.ts';

const STILL = { x: 0.35, y: 0, width: 0.3, height: 1 };

/** A box a tenth wide whose middle is given over time, five times a second. */
function subject(middle: (seconds: number) => number, salience = 0.8): SubjectTrack {
  const boxes = Array.from({ length: 21 }, (_, k) => ({
    timeSeconds: k * 0.2,
    box: { x: middle(k * 0.2) - 0.05, y: 0.4, width: 0.1, height: 0.3 },
  }));
  return { startSeconds: 0, endSeconds: 4, boxes, salience };
}

function follow(...subjects: SubjectTrack[]) {
  const facts = clipFacts();
  return followSubject({ ...facts, motion: { ...facts.motion, subjects } }, STILL, 0, 4);
}

describe('followSubject', () => {
  test('nobody, somebody faint, somebody who stays: the framing stands still', () => {
    assert.equal(follow(), undefined);
    assert.equal(follow(subject((t) => 0.2 + 0.15 * t, 0.1)), undefined);
    assert.equal(follow(subject(() => 0.5)), undefined);
    assert.equal(follow(subject((t) => 0.5 + 0.03 * Math.sin(6 * t))), undefined);
  });

  test('who walks across stays inside, without a jump', () => {
    const track = follow(subject((t) => 0.2 + 0.15 * t))!;
    assert.equal(track[0]!.timeSeconds, 0);
    assert.equal(track.at(-1)!.timeSeconds, 4);
    for (const [k, { timeSeconds, x, y }] of track.entries()) {
      const middle = 0.2 + 0.15 * timeSeconds;
      assert.ok(x >= 0 && x + STILL.width <= 1 && y === STILL.y);
      // At the ends the smoothing looks one way only: a corner of the box may leave, its middle may not.
      assert.ok(middle - 0.03 >= x && middle + 0.03 <= x + STILL.width, `at ${timeSeconds} s`);
      const speed = k === 0 ? 0 : (x - track[k - 1]!.x) / (timeSeconds - track[k - 1]!.timeSeconds);
      assert.ok(speed >= -1e-9 && speed <= 0.2, `${speed} widths a second`);
    }
  });

  test('the most salient is followed', () => {
    const track = follow(
      subject((t) => 0.8 - 0.15 * t, 0.9),
      subject(() => 0.2, 0.3),
    )!;
    assert.ok(track[0]!.x > track.at(-1)!.x);
  });
});
