import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SubjectTrack } from '../../src/analysis/facts.ts';
import { leavesStart } from '../../src/style/plan/framing-path.ts';
import { followSubject } from '../../src/style/plan/tracking.ts';
import { clipFacts } from '../support/clip-facts.ts';

const STILL = { x: 0.35, y: 0, width: 0.3, height: 1 };

/** A box a tenth wide with this middle over time, sampled five times a second. */
function subject(middle: (seconds: number) => number, salience = 0.8): SubjectTrack {
  const boxes = Array.from({ length: 21 }, (_, k) => ({
    timeSeconds: k * 0.2,
    box: { x: middle(k * 0.2) - 0.05, y: 0.4, width: 0.1, height: 0.3 },
  }));
  return { kind: 'motion', startSeconds: 0, endSeconds: 4, boxes, salience };
}

function follow(...subjects: SubjectTrack[]) {
  const facts = clipFacts();
  return followSubject({ ...facts, motion: { ...facts.motion, subjects } }, STILL, 0, 4);
}

describe('followSubject', () => {
  test('nobody, somebody faint, somebody who stays: the framing rests', () => {
    assert.equal(follow(), undefined);
    assert.equal(follow(subject((t) => 0.2 + 0.15 * t, 0.1)), undefined);
    assert.equal(follow(subject(() => 0.5)), undefined);
    assert.equal(follow(subject((t) => 0.5 + 0.03 * Math.sin(6 * t))), undefined);
  });

  test('who walks across stays inside, without a jump', () => {
    const track = follow(subject((t) => 0.2 + 0.15 * t))!;
    assert.equal(track[0].timeSeconds, 0);
    assert.equal(track.at(-1)!.timeSeconds, 4);
    for (const [k, { timeSeconds, x, y }] of track.entries()) {
      const middle = 0.2 + 0.15 * timeSeconds;
      assert.ok(x >= 0 && x + STILL.width <= 1 && y === STILL.y);
      // At the ends the smoothing is one-sided: a corner of the box may leave, its middle may not.
      assert.ok(middle - 0.03 >= x && middle + 0.03 <= x + STILL.width, `at ${timeSeconds} s`);
      const speed = k === 0 ? 0 : (x - track[k - 1].x) / (timeSeconds - track[k - 1].timeSeconds);
      assert.ok(speed >= -1e-9 && speed <= 0.2, `${speed} widths a second`);
    }
  });

  test('the most salient is followed', () => {
    const track = follow(
      subject((t) => 0.8 - 0.15 * t, 0.9),
      subject(() => 0.2, 0.3),
    )!;
    assert.ok(track[0].x > track.at(-1)!.x);
  });

  /** Of a framing at 30 % of the picture's width: 0.06 to either side of its middle the subject may move. */
  const SLACK = 0.06;

  test('behind a walk by what the framing lets the subject move, from its beginning to its end', () => {
    const track = follow(subject((t) => 0.2 + 0.15 * t))!;
    const startAt = (middle: number) => middle - SLACK - STILL.width / 2;
    assert.ok(Math.abs(track.find(({ timeSeconds }) => timeSeconds === 2)!.x - startAt(0.5)) < 1e-6);
    // Straight lines are straight to the end, and no framing leaves the picture.
    assert.ok(Math.abs(track.at(-1)!.x - startAt(0.8)) < 1e-6, `${track.at(-1)!.x}`);
  });

  test('whom the framing hardly holds stays in its middle', () => {
    const wide = (width: number): SubjectTrack => ({
      ...subject(() => 0.5),
      boxes: Array.from({ length: 21 }, (_, k) => ({
        timeSeconds: k * 0.2,
        box: { x: 0.2 + 0.03 * k - width / 2, y: 0.4, width, height: 0.3 },
      })),
    });
    for (const [width, slack] of [
      [0.1, SLACK],
      [0.2, 0.05],
      [0.28, 0.01],
      [0.5, 0],
    ] as const) {
      const { x } = follow(wide(width))!.find(({ timeSeconds }) => timeSeconds === 2)!;
      assert.ok(Math.abs(x - (0.5 - slack - STILL.width / 2)) < 1e-6, `${width}: ${x}`);
    }
  });

  test('a path of less than 0.15 of the framing, and a faint subject, are not followed', () => {
    // It rests, jumps, and rests again: the framing goes so much less as the subject may move in it.
    const jump = (by: number) => subject((t) => (t < 2 ? 0.4 : 0.4 + by));
    const short = follow(jump(SLACK + 0.15 * STILL.width - 0.002))!;
    assert.ok(!leavesStart(short));
    assert.ok(leavesStart(follow(jump(SLACK + 0.15 * STILL.width + 0.002))!));
    // It rests in the middle of that path.
    const middle = 0.4 + (0.15 * STILL.width) / 2;
    assert.ok(Math.abs(short[0]!.x + STILL.width / 2 - middle) < 0.002, `${short[0]!.x}`);
    assert.equal(follow(subject((t) => 0.2 + 0.15 * t, 0.19)), undefined);
    assert.ok(follow(subject((t) => 0.2 + 0.15 * t, 0.2)));
  });

  test('where the subject is not seen for 0.35 s the framing waits', () => {
    const walk = subject((t) => 0.2 + 0.15 * t);
    const gone = {
      ...walk,
      boxes: walk.boxes.filter(({ timeSeconds }) => timeSeconds < 1 || timeSeconds > 3.1),
    };
    const track = follow(gone)!;
    const at = (seconds: number) =>
      track.find(({ timeSeconds }) => Math.abs(timeSeconds - seconds) < 1e-6)!.x;
    // Last seen at 0.8 s, and within 0.35 s of 3.2 s again: in between it rests, except for smoothing.
    const waiting = 0.2 + 0.15 * 0.8 - SLACK - STILL.width / 2;
    assert.ok(Math.abs(at(2) - Math.max(0, waiting)) < 0.08 && at(4) > 0.5);
    assert.equal(
      follow({ ...walk, boxes: walk.boxes.map((one) => ({ ...one, timeSeconds: one.timeSeconds + 9 })) }),
      undefined,
    );
  });

  test('up and down as well as across, within the part that may be shown', () => {
    const facts = clipFacts();
    const upright = subject((t) => 0.2 + 0.15 * t);
    const turned = {
      ...upright,
      boxes: upright.boxes.map(({ timeSeconds, box }) => ({
        timeSeconds,
        box: { x: box.y, y: box.x, width: box.height, height: box.width },
      })),
    };
    const across = follow(upright)!;
    const motion = { ...facts.motion, subjects: [turned] };
    const still = { x: 0, y: 0.35, width: 1, height: 0.3 };
    const track = followSubject({ ...facts, motion }, still, 0, 4)!;
    assert.deepEqual(
      track.map(({ x, y }) => [x, y]),
      across.map(({ x, y }) => [y, x]),
    );
    const area = { x: 0, y: 0.25, width: 1, height: 0.45 };
    const inside = followSubject({ ...facts, motion }, still, 0, 4, area)!;
    assert.equal(Math.min(...inside.map(({ y }) => y)), 0.25);
    assert.ok(Math.abs(Math.max(...inside.map(({ y }) => y)) - 0.4) < 1e-9);
    // With less than 0.12 of the picture to go there is nothing to follow.
    const narrow = (height: number) => followSubject({ ...facts, motion }, still, 0, 4, { ...area, height });
    assert.ok(narrow(0.43));
    assert.equal(narrow(0.41), undefined);
  });
});
