import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../src/domain/errors.ts';
import { planEdit } from '../../src/style/edit/plan-edit.ts';
import { planErrorText } from '../../web/src/words/plan-error-text.ts';
import { madeRequest, madeSong, madeTemplate, makeTakes } from '../style/edit/made-material.ts';

const REQUEST = madeRequest({ takes: makeTakes(4, 8), template: madeTemplate([4, 1, 4, 4]) });
const SONG = { song: madeSong(120, 13), startSeconds: 0, templateStartSeconds: null };

const CASES = [
  ['too short', { lengths: [{ slot: 1, beats: -1 }] }, 'Shot 2 cannot be shorter'],
  ['too long', { lengths: [{ slot: 0, beats: 16 }] }, /^Shot 1 cannot last 10\.00 s$/],
  [
    'no music left',
    { music: SONG, lengths: [0, 1, 2, 3].map((slot) => ({ slot, beats: slot === 0 ? 2 : 0 })) },
    'The song is too short for that',
  ],
  [
    'a pinned take that is too short',
    { takes: [...makeTakes(4, 8), ...makeTakes(1, 1, 9)], pins: [{ slot: 2, take: 4, startSeconds: 0 }] },
    'The take pinned in shot 3 is too short',
  ],
] as const;

test('the planner’s refusal in plain words: all refused', () => {
  const bans = [0, 1, 2, 3].map((take) => ({ take, startSeconds: 0, endSeconds: 8 }));
  assert.throws(
    () => planEdit({ ...REQUEST, bans }),
    ({ code, detail }: Failure) => planErrorText(code, detail).title === 'Nothing of your takes can be used',
  );
});

for (const [name, more, title] of CASES) {
  test(`the planner’s refusal in plain words: ${name}`, () => {
    try {
      planEdit({ ...REQUEST, ...more });
      assert.fail('planned');
    } catch (error) {
      const { code, detail } = error as { code: string; detail: string };
      assert.equal(code, 'VALIDATION_ERROR');
      const errorText = planErrorText(code, detail);
      if (typeof title === 'string') assert.equal(errorText.title, title);
      else assert.match(errorText.title, title);
    }
  });
}
