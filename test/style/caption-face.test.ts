import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawable, facesFor } from '../../src/style/model/caption-face.ts';

/** Has every character below U+2000 but combining marks, and glyphs without width for invisible ones, as Inter does. */
const metricsOf = () => ({
  capHeightEm: 0.7,
  advanceEm: (codePoint: number) => {
    if (codePoint >= 0x300 && codePoint < 0x370) return 0;
    return codePoint < 0x2010 ? 0.5 : null;
  },
});

describe('a text as a face shows it', () => {
  for (const [what, text, shown] of [
    ['letters and marks of their own', 'Cafe\u0301 n\u0303 A\u030a', 'Café ñ Å'],
    ['a NUL and a bell', 'a\0b\u0007c', 'abc'],
    ['a tab', 'a\tb', 'a b'],
    ['lines', 'a\nb', 'a\nb'],
    ['a change of direction', 'ab\u202ecd\u202c', 'abcd'],
    ['joiners between letters', 'a\u200cb\u200dc', 'a\u200cb\u200dc'],
    ['a soft hyphen', 'Li\u00adne', 'Line'],
    ['an emoji of several', 'Hi 👩‍👧 there', 'Hi there'],
    ['nothing but spaces of no width', '\u200b\u200d\ufeff', ''],
  ] as const)
    test(what, () => assert.equal(drawable(text, ['inter-medium'], metricsOf)?.text, shown));
});

describe('the face of Han characters', () => {
  for (const [what, texts, first] of [
    ['without kana: Chinese', ['你好', '世界'], 'noto-sc-extrabold'],
    ['with kana in any text: Japanese', ['東京', 'これは'], 'dela-gothic'],
  ] as const)
    test(what, () => assert.equal(facesFor('inter-extrabold', texts)[1], first));
});
