import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf } from '../../src/transcription/answer-blocks.ts';
import { answerLimits } from '../../src/transcription/answer-limits.ts';
import { transcriptOf } from '../../src/transcription/transcript.ts';
import { timed, timedBlocks } from '../../src/transcription/word-times.ts';

type Times = readonly [start: number | null, end: number | null];
type Row = readonly [text: string, ...Times];
const partsOf = (rows: readonly Row[]) => rows.map(([text, start, end]) => ({ text, start, end }));
const timesOf = (all: readonly { readonly startSeconds: number; readonly endSeconds: number }[]) =>
  all.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);

test('parts without times share the gap between their neighbors by their letters', () => {
  // [parts between seconds 1 and 10, their times]
  const rows: readonly (readonly [string, readonly Row[], readonly Times[]])[] = [
    [
      'all are known',
      [
        ['a', 2, 3],
        ['b', 4, 5],
      ],
      [
        [2, 3],
        [4, 5],
      ],
    ],
    [
      'none is known',
      [
        ['ab', null, null],
        ['abcd', null, null],
      ],
      [
        [1, 4],
        [4, 10],
      ],
    ],
    [
      'spaces are no letters',
      [
        [' ab ', null, null],
        ['abcd', null, null],
      ],
      [
        [1, 4],
        [4, 10],
      ],
    ],
    [
      'an empty text counts as one',
      [
        ['', null, null],
        ['ab', null, null],
      ],
      [
        [1, 4],
        [4, 10],
      ],
    ],
    [
      'between two',
      [
        ['a', 2, 3],
        ['b', null, null],
        ['cc', null, null],
        ['d', 9, 10],
      ],
      [
        [2, 3],
        [3, 5],
        [5, 9],
        [9, 10],
      ],
    ],
    [
      'after the last',
      [
        ['a', 2, 4],
        ['b', null, null],
      ],
      [
        [2, 4],
        [4, 10],
      ],
    ],
    [
      'a known start',
      [
        ['a', 2, null],
        ['b', 4, 5],
      ],
      [
        [2, 4],
        [4, 5],
      ],
    ],
    [
      'a known end',
      [
        ['a', null, null],
        ['bb', null, 4],
      ],
      [
        [1, 2],
        [2, 4],
      ],
    ],
    [
      'its end alone',
      [
        ['a', 2, 3],
        ['b', null, 5],
        ['c', null, 6],
      ],
      [
        [2, 3],
        [3, 5],
        [5, 6],
      ],
    ],
    [
      'before the sound',
      [
        ['a', -1, 2],
        ['b', -3, -2],
      ],
      [
        [0, 2],
        [0, 0],
      ],
    ],
    ['an end before its start', [['a', 3, 2]], [[3, 3]]],
    [
      'a gap without time',
      [
        ['a', 2, 6],
        ['b', null, null],
        ['c', 5, 7],
      ],
      [
        [2, 6],
        [6, 6],
        [5, 7],
      ],
    ],
  ];
  for (const [name, parts, expected] of rows) {
    const found = timed(partsOf(parts), { startSeconds: 1, endSeconds: 10 });
    assert.deepEqual(timesOf(found), expected, name);
    assert.deepEqual(
      found.map(({ text }) => text),
      parts.map(([text]) => text),
    );
  }
});

test('a segment has the times of its words, and ends in the sound if it begins there', () => {
  // [times of a segment in 8 s, its words, its times]
  const rows: readonly (readonly [Times, readonly Row[], Times])[] = [
    [[1, 3], [], [1, 3]],
    [[1, 3], [['a', 2, 5]], [1, 3]],
    [
      [null, null],
      [
        ['a', 2, 3],
        ['b', 4, 5],
      ],
      [2, 5],
    ],
    [[null, null], [], [0, 8]],
    [[null, 3], [['a', 2, 4]], [2, 3]],
    [[1, null], [['a', 2, 4]], [1, 4]],
    [[7.9, 30], [], [7.9, 8]],
    [[8, 30], [], [8, 30]],
  ];
  for (const [[start, end], parts, expected] of rows) {
    const block = { text: 'x', start, end, parts: partsOf(parts) };
    assert.deepEqual(timesOf(timedBlocks([block], 8)), [expected], `${start} to ${end}`);
  }
  const between = [
    [0, 2],
    [null, null],
    [5, 6],
  ].map(([start, end]) => ({ text: 'x', start: start!, end: end!, parts: [] }));
  assert.deepEqual(timesOf(timedBlocks(between, 8)), [
    [0, 2],
    [2, 5],
    [5, 6],
  ]);
});

test('speech after the sound is left out, and counted', () => {
  const words = [7.9, 8, 9].map((start) => ({ word: `a${start}`, start, end: start + 1 }));
  const { words: found, omitted } = transcriptOf(JSON.stringify({ words }), answerLimits(8));
  assert.deepEqual(found, [{ text: 'a7.9', startSeconds: 7.9, endSeconds: 8 }]);
  assert.deepEqual(omitted, { looped: 0, afterEnd: 2 });
});

test('words beside segments count where the segments have fewer; in them otherwise', () => {
  const listed = (...all: string[]) => all.map((word, at) => ({ word, start: at, end: at + 1 }));
  const segment = (text: string, ...all: string[]) => ({ text, start: 0, end: 4, words: listed(...all) });
  // [answer, text and words of each block]
  const rows: readonly (readonly [object, readonly (readonly [string, ...string[]])[]])[] = [
    [{ words: listed('a', 'b'), segments: [segment('A, b.')] }, [['A, b.', 'a', 'b']]],
    [{ words: listed('a', 'b'), segments: [segment(' A, '), segment('b.', 'b')] }, [['A, b.', 'a', 'b']]],
    [
      { words: listed('a', 'b'), segments: [segment('A,', 'x'), segment('b.', 'y')] },
      [
        ['A,', 'x'],
        ['b.', 'y'],
      ],
    ],
    [{ text: 'A b.', words: listed('a', 'b'), segments: [segment('')] }, [['A b.', 'a', 'b']]],
    [{ text: 'A b.', words: [], word_segments: listed('a', 'b') }, [['A b.', 'a', 'b']]],
    [{ result: listed('a'), text: 'A.' }, [['A.', 'a']]],
    [{ alternatives: [{ text: 'A.', result: listed('a') }, { text: 'B.' }] }, [['A.', 'a']]],
    [{ words: listed('a') }, [['', 'a']]],
    [{ segments: [segment('A.')] }, [['A.']]],
    [{ transcription: [{ text: ' A.', offsets: { from: 0, to: 900 } }] }, [[' A.']]],
    [{ chunks: [{ text: 'A.', timestamp: [0, 1] }] }, [['A.']]],
    [{ text: '' }, []],
    [{ text: ' ', words: [] }, []],
    [{ text: '', segments: [] }, []],
    [{ alternatives: [] }, []],
  ];
  for (const [answer, expected] of rows) {
    const blocks = blocksOf(JSON.stringify(answer), answerLimits(8));
    assert.deepEqual(
      blocks.map(({ text, parts }) => [text, ...parts.map((part) => part.text)]),
      expected,
      JSON.stringify(answer),
    );
  }
});

test('whole numbers that are ten times as large as the sound and a window are milliseconds', () => {
  // [start and end of a word in 8 s of sound, the same in seconds]; the limit is 380.
  const rows = [
    [0, 381, 0, 0.381],
    [0, 380, 0, 380],
    [0.5, 4000, 0.5, 4000],
    [100, 4000, 0.1, 4],
  ] as const;
  for (const [start, end, ...expected] of rows) {
    const word = { word: 'a', start, end };
    const [beside] = blocksOf(JSON.stringify({ words: [word] }), answerLimits(8));
    assert.deepEqual([beside!.parts[0]!.start, beside!.parts[0]!.end], expected);
    const [inside] = blocksOf(JSON.stringify({ segments: [{ text: 'a', start, end }] }), answerLimits(8));
    assert.deepEqual([inside!.start, inside!.end], expected);
  }
});
