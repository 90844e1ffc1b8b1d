import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceWords, isFree, passedOverWords } from '../../web/src/words/edit-reasons.ts';

test('shots and takes have the numbers of the page', () => {
  const reason_codes = [
    { code: 'pinned' as const },
    { code: 'used_in_slot' as const, values: { slot: 3 } },
    { code: 'motion' as const, values: { rank: 0.7, wanted: 0.7 } },
  ];
  assert.equal(choiceWords({ reasons: [], reason_codes }), 'Already in shot 4; camera motion as in the look');
  const shown = { code: 'shown_from_take' as const, values: { take: 0 } };
  assert.equal(passedOverWords({ reason: 'shown from take 0', reason_code: shown }), 'shown from take 1');
});

test('results of earlier versions, which have no codes, show their texts', () => {
  assert.equal(choiceWords({ reasons: ['sharp', 'motion 0.7'] }), 'Sharp; motion 0.7');
  assert.equal(passedOverWords({ reason: 'shaken' }), 'shaken');
});

test('parts that no slot needs are free, others are refused', () => {
  assert.equal(isFree({ reason_code: { code: 'no_slot' } }), true);
  assert.equal(isFree({ reason_code: { code: 'shaken' } }), false);
  assert.equal(isFree({}), false);
});
