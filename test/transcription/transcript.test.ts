import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TranscriptionFailure } from '../../src/domain/transcription.ts';
import { wordsOf } from '../../src/transcription/transcript.ts';

type Row = readonly [text: string, start: number, end: number];
const heard = (answer: unknown): Row[] =>
  wordsOf(JSON.stringify(answer)).map(({ text, startSeconds, endSeconds }) => [
    text,
    Number(startSeconds.toFixed(3)),
    Number(endSeconds.toFixed(3)),
  ]);
const words = (...rows: Row[]) => rows.map(([word, start, end]) => ({ word, start, end }));
const segment = (text: string, start: number, end: number, parts?: readonly Row[]) => ({
  ...{ id: 0, text, start, end },
  ...(parts === undefined ? {} : { words: words(...parts) }),
});

describe('words of an answer', () => {
  test('beside the segments, as OpenAI has them', () => {
    assert.deepEqual(heard({ words: words(['Good', 0.1, 0.3], ['morning', 0.3, 0.8]), segments: [] }), [
      ['Good', 0.1, 0.3],
      ['morning', 0.3, 0.8],
    ]);
  });

  test('within the segments, as tokens, as the server of whisper.cpp has them', () => {
    const parts: Row[] = [
      [' Good', 0.1, 0.3],
      [' mor', 0.3, 0.5],
      ['ning', 0.5, 0.8],
      ['.', 0.8, 0.85],
    ];
    assert.deepEqual(heard({ segments: [segment(' Good morning.', 0, 1, parts)] }), [
      ['Good', 0.1, 0.3],
      ['morning.', 0.3, 0.85],
    ]);
  });

  test('of segments without words: by their letters', () => {
    assert.deepEqual(heard({ segments: [segment(' Good morning ', 1, 2.1)] }), [
      ['Good', 1, 1.4],
      ['morning', 1.4, 2.1],
    ]);
  });

  test('in time order, none before the beginning, no empty words', () => {
    const given = words(['late', 2, 2.5], ['[BLANK_AUDIO]', 0, 1], ['early', 1, 0.9], ['\u202e\n', 1, 2]);
    assert.deepEqual(heard({ words: given }), [
      ['early', 1, 1],
      ['late', 2, 2.5],
    ]);
    assert.deepEqual(heard({ words: [], segments: [] }), []);
  });

  for (const [what, text] of [
    ['no JSON', 'busy'],
    ['no words', '{"text": "Good morning"}'],
    ['a list', '[]'],
    ['words that are none', '{"words": [{"word": 7, "start": 0, "end": 1}]}'],
    ['times that are none', '{"words": [{"word": "a", "start": null, "end": 1}]}'],
    ['negative times', '{"words": [{"word": "a", "start": -1, "end": 1}]}'],
    ['times without end', '{"words": [{"word": "a", "start": 1, "end": 1e99}]}'],
    ['too many words', JSON.stringify({ words: Array(200_001).fill({ word: 'a', start: 0, end: 1 }) })],
  ] as const) {
    test(`refused: ${what}`, () => {
      assert.throws(
        () => wordsOf(text),
        (error) => error instanceof TranscriptionFailure && !error.isPassing && error.message.length < 200,
      );
    });
  }
});
