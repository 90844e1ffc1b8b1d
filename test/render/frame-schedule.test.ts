import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import { timelineClip as clip, timelineOf } from '../support/timeline-clip.ts';

const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;

describe('FrameSchedule', () => {
  test('one clip: each frame shows its own time', () => {
    const schedule = new FrameSchedule(timelineOf([clip(2, 4)]));
    assert.equal(schedule.frameCount, 20);
    for (let n = 0; n < 20; n++) {
      const { first, second } = schedule.at(n);
      assert.ok(near(first.sourceSeconds, 2 + n / 10));
      assert.equal(second, null);
    }
  });

  test('clips follow each other without a gap, for any gap in the source', () => {
    const schedule = new FrameSchedule(timelineOf([clip(0, 1), clip(5, 6)]));
    assert.deepEqual(schedule.at(9).first, { clipIndex: 0, sourceSeconds: 0.9 });
    assert.deepEqual(schedule.at(10).first, { clipIndex: 1, sourceSeconds: 5 });
    assert.deepEqual(schedule.visible, [
      { startFrame: 0, endFrame: 10 },
      { startFrame: 10, endFrame: 20 },
    ]);
  });

  test('a transition stretches both sides over its whole length and shifts nothing outside', () => {
    const dissolve = { clipIndex: 1, type: 'dissolve', durationSeconds: 0.8, easing: 'linear' } as const;
    const schedule = new FrameSchedule(timelineOf([clip(0, 2), clip(2, 4)], [dissolve]));
    assert.equal(schedule.frameCount, 40);
    assert.equal(schedule.at(15).transition, null);
    assert.equal(schedule.at(24).transition, null);
    assert.ok(near(schedule.at(24).first.sourceSeconds, 2.4));
    let before = { a: -1, b: -1, progress: 0 };
    for (let n = 16; n < 24; n++) {
      const { first, second, progress } = schedule.at(n);
      assert.equal(first.clipIndex, 0);
      assert.equal(second!.clipIndex, 1);
      assert.ok(first.sourceSeconds >= 1.6 - 1e-9 && first.sourceSeconds < 2);
      assert.ok(second!.sourceSeconds >= 2 && second!.sourceSeconds < 2.4);
      assert.ok(
        first.sourceSeconds > before.a && second!.sourceSeconds > before.b && progress > before.progress,
      );
      before = { a: first.sourceSeconds, b: second!.sourceSeconds, progress };
    }
    assert.ok(near(schedule.at(16).progress + schedule.at(23).progress, 1), 'symmetric about the cut');
  });

  test('with handles both sides of a transition keep their speed and begin and end outside their clips', () => {
    const dissolve = { clipIndex: 1, type: 'dissolve', durationSeconds: 0.8, easing: 'linear' } as const;
    const clips = [clip(1, 3), clip(7, 9)];
    const stretched = new FrameSchedule(timelineOf(clips, [dissolve]));
    assert.ok(near(stretched.firstSeconds(1), 7));
    const schedule = new FrameSchedule(timelineOf(clips, [{ ...dissolve, hasHandles: true }]));
    assert.ok(near(schedule.firstSeconds(0), 1));
    assert.ok(near(schedule.lastSeconds(0), 3.3));
    assert.ok(near(schedule.firstSeconds(1), 6.6));
    assert.ok(near(schedule.lastSeconds(1), 8.9));
  });

  test('easing shapes the progress', () => {
    const at = (easing: 'ease_in' | 'ease_out') => {
      const transition = { clipIndex: 1, type: 'dissolve', durationSeconds: 1, easing } as const;
      return new FrameSchedule(timelineOf([clip(0, 2), clip(2, 4)], [transition])).at(17).progress;
    };
    assert.ok(at('ease_in') < 0.25 && at('ease_out') > 0.25);
  });
});
