/** Spans of time: lengths, overlaps and unions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  coveredSeconds,
  joinedSpans,
  overlapSeconds,
  type Span,
  sharedSeconds,
  totalSeconds,
} from '../../src/domain/spans.ts';

type Pair = readonly [start: number, end: number];
const span = ([startSeconds, endSeconds]: Pair): Span => ({ startSeconds, endSeconds });
const pairs = (spans: readonly Span[]) =>
  spans.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);

describe('two spans', () => {
  for (const [one, other, seconds] of [
    [[0, 4], [1, 3], 2],
    [[0, 4], [3, 9], 1],
    [[0, 4], [4, 9], 0],
    [[0, 4], [6, 9], 0],
  ] as const)
    test(`[${one}] and [${other}] share ${seconds} s`, () => {
      assert.equal(overlapSeconds(span(one), span(other)), seconds);
      assert.equal(overlapSeconds(span(other), span(one)), seconds);
    });
});

describe('a span of 0 to 10 s and others', () => {
  for (const [name, others, shared, covered] of [
    ['none', [], 0, 0],
    [
      'apart',
      [
        [1, 3],
        [5, 8],
      ],
      5,
      5,
    ],
    [
      'overlapping, in any order',
      [
        [4, 8],
        [2, 6],
      ],
      8,
      6,
    ],
    [
      'one within another',
      [
        [2, 8],
        [3, 4],
      ],
      7,
      6,
    ],
    [
      'beyond both ends',
      [
        [-5, 1],
        [9, 20],
      ],
      2,
      2,
    ],
  ] as readonly (readonly [string, readonly Pair[], number, number])[])
    test(name, () => {
      assert.equal(sharedSeconds(span([0, 10]), others.map(span)), shared);
      assert.equal(coveredSeconds(span([0, 10]), others.map(span)), covered);
    });
});

describe('joined spans', () => {
  for (const [name, spans, gap, joined] of [
    [
      'touching ones are one',
      [
        [0, 2],
        [2, 3],
      ],
      undefined,
      [[0, 3]],
    ],
    [
      'a gap stays',
      [
        [0, 2],
        [2.5, 3],
      ],
      undefined,
      [
        [0, 2],
        [2.5, 3],
      ],
    ],
    [
      'a gap below the limit is closed, one of the limit stays',
      [
        [0, 2],
        [2.25, 3],
        [3.5, 5],
      ],
      0.5,
      [
        [0, 3],
        [3.5, 5],
      ],
    ],
    [
      'the longer of two ends counts',
      [
        [0, 9],
        [2, 3],
        [9.25, 10],
      ],
      0.5,
      [[0, 10]],
    ],
    [
      'in ascending order',
      [
        [6, 7],
        [0, 1],
      ],
      undefined,
      [
        [0, 1],
        [6, 7],
      ],
    ],
  ] as readonly (readonly [string, readonly Pair[], number | undefined, readonly Pair[]])[])
    test(name, () => assert.deepEqual(pairs(joinedSpans(spans.map(span), gap)), joined));
});

test('the total counts overlaps twice', () => {
  assert.equal(totalSeconds([span([0, 2]), span([1, 3])]), 4);
});
