import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutMissingSlots } from '../../web/src/state/missing-slots.ts';

test('pins and lengths beyond the last slot are set aside, others and other errors stay', () => {
  const pins = [2, 9, 12].map((slot) => ({ slot, video_id: 'a', start_seconds: 1 }));
  const lengths = [{ slot: 14, beats: 1 }];
  const job = { video_id: 'a', edit: { pins, lengths } };
  const slots = 'but this edit has the slots 0 to 8';
  const first = withoutMissingSlots(job, `edit.lengths.0.slot is 14, ${slots}`);
  assert.deepEqual([first.missing, first.job.edit.lengths, first.job.edit.pins], [[14], [], pins]);
  const second = withoutMissingSlots(
    first.job,
    `edit.pins.1.slot is 9, ${slots}; edit.pins.2.slot is 12, ${slots}`,
  );
  assert.deepEqual([second.missing, second.job.edit.pins], [[9, 12], pins.slice(0, 1)]);
  const other = withoutMissingSlots(job, 'edit.pins.0.video_id names a take of 1.00 s');
  assert.deepEqual([other.missing, other.job], [[], job]);
});
