import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TAKE_FAULTS } from '../../src/analysis/material/take-material.ts';
import {
  EDIT_REASON_CODES,
  type EditReason,
  type RankedCode,
  reasonsText,
  reasonText,
} from '../../src/style/model/edit-reasons.ts';

const rank = (code: RankedCode, is: number, wanted: number): EditReason => ({
  code,
  values: { rank: is, wanted },
});

describe('reasons of an edit in words', () => {
  const cases: readonly (readonly [readonly EditReason[], string])[] = [
    [[rank('motion', 0.71, 0.56)], 'camera motion as in the look'],
    [[rank('motion', 0.72, 0.56)], 'more camera motion than in the look'],
    [[rank('lightness', 0.3, 0.46)], 'less brightness than in the look'],
    [
      [rank('motion', 0.7, 0.7), rank('contrast', 0.9, 0.3), rank('activity', 0.4, 0.4), { code: 'blurred' }],
      'blurred; camera motion and movement as in the look; more contrast than in the look',
    ],
    [[{ code: 'used_in_slot', values: { slot: 3 } }], 'already in slot 3'],
    [[{ code: 'shown_from_take', values: { take: 0 } }], 'shown from take 0'],
    [[{ code: 'impact_on_beat', values: { at_seconds: 3.2 } }], 'impact on the beat at 3.20 s'],
    [[{ code: 'shot_size', values: { size: 'wide' } }], 'wide shot'],
    [[{ code: 'no_handles', values: { transition: 'fade_black' } }], 'no material for the fade black'],
    [
      [{ code: 'cut_instead', values: { transition: 'wipe' } }],
      'a cut: a wipe would join similar or dark pictures',
    ],
    [[{ code: 'usable', values: { seconds: 1.5 } }], 'usable for 1.5 s'],
    [[{ code: 'no_slot' }], 'usable, but no shot needs it'],
    [[], ''],
  ];
  for (const [reasons, text] of cases)
    test(text === '' ? 'none' : text, () => assert.equal(reasonsText(reasons), text));

  test('slots and takes have the names of the caller', () => {
    const names = { slot: (number: number) => `shot ${number + 1}`, take: (number: number) => `T${number}` };
    assert.equal(reasonText({ code: 'used_in_slot', values: { slot: 3 } }, names), 'already in shot 4');
    assert.equal(reasonText({ code: 'shown_from_take', values: { take: 2 } }, names), 'shown from T2');
  });

  test('every fault of a take is a code with words', () => {
    for (const code of TAKE_FAULTS) {
      assert.ok(EDIT_REASON_CODES.includes(code), code);
      assert.ok(reasonText({ code }).length > 3);
    }
  });

  test('a code of a later version is shown as it is', () => {
    assert.equal(reasonText({ code: 'out_of_tune' as 'blurred' }), 'out of tune');
  });
});
