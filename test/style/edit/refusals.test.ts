import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../src/domain/errors.ts';
import { refusalWords } from '../../../src/domain/refusals.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { madeRequest, madeSong, madeTemplate, makeTakes } from './made-material.ts';

const REQUEST = madeRequest({ takes: makeTakes(4, 8), template: madeTemplate([4, 1, 2, 4]) });
const SONG = { song: madeSong(120, 11), startSeconds: 0, templateStartSeconds: null };

const CASES = [
  [
    { lengths: [{ slot: 1, beats: -1 }] },
    { path: 'edit.lengths.0.beats', code: 'SLOT_TOO_SHORT', slot: 1 },
    'Shot 2 cannot be shorter',
  ],
  [
    { lengths: [{ slot: 0, beats: 16 }] },
    { path: 'edit.lengths.0.beats', code: 'SLOT_TOO_LONG', slot: 0 },
    'Shot 1 cannot last 10.00 s',
  ],
  [
    { lengths: [{ slot: 9, beats: 1 }] },
    { path: 'edit.lengths.0.slot', code: 'SLOT_MISSING', slot: 9 },
    'There is no shot 10',
  ],
  [
    { pins: [{ slot: 7, take: 0, startSeconds: 0 }] },
    { path: 'edit.pins.0.slot', code: 'SLOT_MISSING', slot: 7 },
    'There is no shot 8',
  ],
  [
    { music: SONG, lengths: [0, 1, 2, 3].map((slot) => ({ slot, beats: slot === 0 ? 2 : 0 })) },
    { path: 'edit.lengths', code: 'MUSIC_TOO_SHORT', slot: undefined },
    'The song is too short for that',
  ],
  [
    { takes: [...makeTakes(4, 8), ...makeTakes(1, 1, 9)], pins: [{ slot: 3, take: 4, startSeconds: 0 }] },
    { path: 'edit.pins.0.video_id', code: 'PINNED_TAKE_TOO_SHORT', slot: 3 },
    'The take pinned in shot 4 is too short',
  ],
  [
    { bans: [0, 1, 2, 3].map((take) => ({ take, startSeconds: 0, endSeconds: 8 })) },
    { path: 'edit.takes', code: 'NOTHING_USABLE', slot: undefined },
    'Nothing of your takes can be used',
  ],
] as const;

for (const [more, refused, title] of CASES) {
  test(`the planner refuses with a code and its values: ${refused.code} of ${refused.path}`, () => {
    assert.throws(
      () => planEdit({ ...REQUEST, ...more }),
      (error: unknown) => {
        assert.ok(error instanceof Failure);
        const [field] = error.fields;
        const { path, code, values } = field!;
        assert.deepEqual({ path, code, slot: values?.['slot'] }, refused);
        assert.equal(refusalWords(field!)?.title, title);
        return true;
      },
    );
  });
}

test('an error without a code, or with one of a later version, has no words of its own', () => {
  assert.equal(refusalWords({}), null);
  assert.equal(refusalWords({ code: 'SLOT_HAUNTED', values: { slot: 1 } }), null);
});
