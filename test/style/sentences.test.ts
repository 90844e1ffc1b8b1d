import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextCue } from '../../src/domain/footage.ts';
import { captionsOfWords } from '../../src/style/captions/sentences.ts';

/** Words of half a second each, one after the other, from `start` on. */
const spoken = (text: string, start = 0): TextCue[] =>
  text
    .split(' ')
    .map((word, n) => ({ startSeconds: start + n / 2, endSeconds: start + n / 2 + 0.5, text: word }));
const rows = (words: readonly TextCue[]) =>
  captionsOfWords(words).map(({ startSeconds, endSeconds, text }) => [startSeconds, endSeconds, text]);

test('a caption ends with a sentence', () => {
  assert.deepEqual(rows(spoken('Good morning. “How are you?” Fine')), [
    [0, 1, 'Good morning.'],
    [1, 2.5, '“How are you?”'],
    [2.5, 3, 'Fine'],
  ]);
});

test('a caption ends at a pause', () => {
  assert.deepEqual(rows([...spoken('and so'), ...spoken('it goes', 1.8)]), [
    [0, 1, 'and so'],
    [1.8, 2.8, 'it goes'],
  ]);
});

test('a caption stays short enough to be read', () => {
  const captions = captionsOfWords(spoken(Array(60).fill('wordwordword').join(' ')));
  for (const { text, startSeconds, endSeconds, words } of captions) {
    assert.ok(text.length <= 84 && endSeconds - startSeconds <= 7, text);
    assert.equal(words!.map((word) => word.text).join(' '), text);
  }
  assert.equal(captions.flatMap(({ words }) => words).length, 60);
});

test('scripts without spaces get none', () => {
  const words = ['今日', 'は', '晴れ', 'です。', 'OK'].map((text, n) => ({
    startSeconds: n,
    endSeconds: n + 0.9,
    text,
  }));
  assert.deepEqual(
    captionsOfWords(words).map(({ text }) => text),
    ['今日は晴れです。', 'OK'],
  );
});

test('between scripts without spaces there is none after a punctuation mark either', () => {
  const words = ['はい、', '𠮷野家', 'へ', 'iPhone', 'で！', 'ไป', 'บ้าน'].map((text, n) => ({
    ...{ startSeconds: n / 10, endSeconds: n / 10 + 0.1, text },
  }));
  assert.deepEqual(
    captionsOfWords(words).map(({ text }) => text),
    ['はい、𠮷野家へ iPhone で！', 'ไปบ้าน'],
  );
});

test('captions do not overlap where words do', () => {
  const words = [
    { startSeconds: 0, endSeconds: 3, text: 'Yes.' },
    { startSeconds: 1, endSeconds: 2, text: 'No.' },
  ];
  assert.deepEqual(rows(words), [
    [0, 1, 'Yes.'],
    [1, 2, 'No.'],
  ]);
});

test('four hours of speech take no more than a blink, since the service divides them', () => {
  const words = Array.from({ length: 100_000 }, (_, n) => ({
    ...{ startSeconds: n * 0.144, endSeconds: n * 0.144 + 0.1, text: '漢' },
  }));
  const before = process.threadCpuUsage();
  assert.equal(captionsOfWords(words).flatMap((caption) => caption.words).length, words.length);
  const { user, system } = process.threadCpuUsage(before);
  // 70 ms; with a text joined again for each word 1,000 ms.
  assert.ok(user + system < 300_000, `${user + system} µs`);
});
