import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { NO_SLOT_REASON } from '../../src/style/model/edit-result.ts';
import { reasonsText, reasonWords, UNUSED_REASON } from '../../web/src/words/edit-reasons.ts';

describe('reasons of an edit in plain words', () => {
  test('ranks are compared with those that were wanted, alike ones together', () => {
    assert.equal(
      reasonsText([
        'motion rank 0.71 for 0.68',
        'activity rank 0.40 for 0.35',
        'contrast rank 0.90 for 0.30',
      ]),
      'Camera motion and movement as in the look; more contrast than in the look',
    );
  });

  test('numbers of slots and takes are those of the page', () => {
    assert.equal(reasonWords('used in slot 3'), 'already in shot 4');
    assert.equal(reasonWords('shown from take 0'), 'shown from take 1');
  });

  test('usable parts without a slot are those that the service names so', () => {
    assert.equal(UNUSED_REASON, NO_SLOT_REASON);
    assert.equal(reasonWords(NO_SLOT_REASON), 'usable, but no shot needs it');
  });

  test('unknown reasons are shown unchanged', () => {
    assert.equal(
      reasonsText(['impact on the beat at 3.20 s', 'blurred']),
      'Impact on the beat at 3.20 s; blurred',
    );
  });

  test('they are written as the planner writes them', () => {
    const source = readFileSync(new URL('../../src/style/edit/edit-choices.ts', import.meta.url), 'utf8');
    for (const form of ['} rank $' + '{rank', 'used in slot $', 'shown from take $'])
      assert.ok(source.includes(form), form);
  });
});
