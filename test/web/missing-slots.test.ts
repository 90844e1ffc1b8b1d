import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../../src/domain/refusals.ts';
import { withoutMissingSlots } from '../../web/src/state/missing-slots.ts';

test('pins and lengths beyond the last slot are set aside, others and other errors stay', () => {
  const pins = [2, 9, 12].map((slot) => ({ slot, video_id: 'a', start_seconds: 1 }));
  const lengths = [{ slot: 14, beats: 1 }];
  const job = { video_id: 'a', edit: { pins, lengths } };
  const missing = (path: string, slot: number) => refusal(path, 'SLOT_MISSING', { slot, last_slot: 8 });
  const first = withoutMissingSlots(job, [missing('edit.lengths.0.slot', 14)]);
  assert.deepEqual([first.missing, first.job.edit.lengths, first.job.edit.pins], [[14], [], pins]);
  const second = withoutMissingSlots(first.job, [
    missing('edit.pins.1.slot', 9),
    missing('edit.pins.2.slot', 12),
  ]);
  assert.deepEqual([second.missing, second.job.edit.pins], [[9, 12], pins.slice(0, 1)]);
  const tooShort = { slot: 2, take_seconds: 1, slot_seconds: 2 };
  const other = withoutMissingSlots(job, [
    refusal('edit.pins.0.video_id', 'PINNED_TAKE_TOO_SHORT', tooShort),
  ]);
  assert.deepEqual([other.missing, other.job], [[], job]);
});
