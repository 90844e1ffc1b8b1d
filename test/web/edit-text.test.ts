import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditResult } from '../../src/client/api-types.ts';
import { editWords } from '../../web/src/words/edit-text.ts';

/** Only what the line is made of. */
function edit(shots: readonly (readonly [take: string, isOnBeat: boolean])[], takes: readonly string[]) {
  return {
    slots: shots.map(([video_id, on_beat]) => ({ video_id, on_beat })),
    takes: takes.map((video_id) => ({ video_id })),
  } as unknown as EditResult;
}

test('an edit in one line', () => {
  const shots = [
    ['a', true],
    ['b', false],
    ['a', true],
  ] as const;
  assert.equal(editWords(edit(shots, ['a', 'b'])), '3 shots of 2 takes, 2 of them on the beat');
  assert.equal(editWords(edit(shots, ['a', 'b', 'c'])), '3 shots of 2 of 3 takes, 2 of them on the beat');
  assert.equal(editWords(edit([['a', true]], ['a'])), '1 shot of 1 take, all on the beat');
  assert.equal(editWords(edit([['a', false]], ['a'])), '1 shot of 1 take');
});
