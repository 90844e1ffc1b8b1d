/** Pictures over the speech of a template: their share where shots tell it, and nothing where they do not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { templatePictures } from '../../../src/style/edit/template-pictures.ts';
import { madeSlot } from './made-material.ts';

/** Shots in words: `S4` the speaker's view, `P2` a picture, `F2` a face that is seen once, `M4` a shot of the speaker without a face, `Q3` without speech. */
function shots(text: string) {
  const all = text.split(' ').map((word) => ({ kind: word[0]!, seconds: Number(word.slice(1)) }));
  const first = all.findIndex(({ kind }) => kind === 'S' || kind === 'M');
  return all.map(({ kind, seconds }, at) => {
    const isView = kind === 'S' || kind === 'M';
    return madeSlot(seconds, {
      speaks: kind !== 'Q',
      size: kind === 'S' || kind === 'F' ? 'close' : null,
      returnsTo: isView && at > first ? first : null,
    });
  });
}

describe('the share of pictures over speech', () => {
  for (const [name, text, share] of [
    ['of pictures between shots of a speaker', 'S4 P2 S4 P2 S4 P2 S2', 0.3],
    ['with a face that was missed in one shot', 'S4 P2 M2 P2 S6 P2 S2', 0.3],
    ['with a few unknown shots: their half', 'S8 P2 S4 P2 S4 P2 F1 S2', 0.26],
    ['not of two pictures', 'S4 P2 S4 P2 S4', null],
    ['not without a speaker', 'P4 P2 P4 P2', null],
    ['not with a speaker whose view does not return', 'F4 P2 F4 P2 F4 P2', null],
    ['not with many faces that are seen once', 'S4 P2 S4 P2 S4 P2 F4', null],
    ['not of a reel without speech', 'Q4 Q2 Q4 S1 Q2 S1', null],
    ['not with a long part without speech', 'Q5 S4 P2 S4 P2 S4 P2 S2', null],
  ] as const)
    test(name, () => {
      const found = templatePictures(shots(text));
      assert.equal(found === null ? null : Number(found.share.toFixed(3)), share);
    });

  test('its slots are the pictures', () => {
    assert.deepEqual(templatePictures(shots('S4 P2 S4 P3 S4 P1 S2'))?.slots, [1, 3, 5]);
  });
});
