/** The rules by which captions are scored, on findings with known answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MadeTruth, Truth } from '../../bench/lib/truth.ts';
import { captionTotals, scoreCaptions } from '../../bench/score/captions.ts';
import type { Box, CaptionFacts } from '../../src/analysis/facts.ts';

const BOX: Box = { x: 0.3, y: 0.8, width: 0.4, height: 0.1 };
const STYLE = { position: 'bottom', line_height: 0.05, color: '#ffe200', outlined: true } as const;

function truth(captions: boolean | null, made: MadeTruth = {}): Truth {
  return { captions, made } as Truth;
}

function found(
  spans: readonly (readonly [number, number, Box])[],
  color = '#ffff00',
  lineHeight = 0.06,
): CaptionFacts {
  return {
    share: 0.5,
    spans: spans.map(([startSeconds, endSeconds, box]) => ({ startSeconds, endSeconds, box })),
    style: spans.length === 0 ? null : { position: 'bottom', lineHeight, color, outlined: true },
    confidence: 0.8,
  };
}

const made: MadeTruth = {
  caption_spans: [
    { start_s: 1, end_s: 3, text: 'one', font: 'inter', box: BOX },
    { start_s: 3, end_s: 5, text: 'two', font: 'inter', box: BOX },
  ],
  caption_style: STYLE,
};

test('ambiguous texts are not scored', () => {
  assert.equal(scoreCaptions(found([]), truth(null)), null);
});

test('spans are scored by time and by box', () => {
  const half = { ...BOX, width: 0.2 };
  const spans = scoreCaptions(found([[2, 6, half]]), truth(true, made))!.spans!;
  assert.ok(Math.abs(spans.recall - 3 / 4) < 0.01);
  assert.ok(Math.abs(spans.excess - 1 / 4) < 0.01);
  assert.ok(Math.abs(spans.boxOverlap - 1 / 2) < 0.01);
});

const STYLES: readonly [
  what: string,
  color: string,
  lineHeight: number,
  right: [color: boolean, height: boolean],
][] = [
  ['a yellow like the true one', '#ffff00', 0.06, [true, true]],
  ['white for yellow', '#ffffff', 0.05, [false, true]],
  ['green for yellow', '#20ff20', 0.05, [false, true]],
  ['type twice as large', '#ffe000', 0.1, [true, false]],
];
for (const [what, color, lineHeight, right] of STYLES) {
  test(`style: ${what}`, () => {
    const style = scoreCaptions(found([[1, 5, BOX]], color, lineHeight), truth(true, made))!.style!;
    assert.deepEqual([style.color, style.lineHeight], right);
    assert.ok(style.position && style.outlined);
  });
}

test('precision and recall of clips', () => {
  const none = scoreCaptions(found([]), truth(true))!;
  const right = scoreCaptions(found([[1, 2, BOX]]), truth(true))!;
  const wrong = scoreCaptions(found([[1, 2, BOX]]), truth(false))!;
  assert.deepEqual(captionTotals([none, right, right, wrong]), { precision: 2 / 3, recall: 2 / 3 });
  assert.deepEqual(captionTotals([]), { precision: 1, recall: 1 });
});
