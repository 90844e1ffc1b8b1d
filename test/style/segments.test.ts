/** Visible captions (without station marks) and subjects between two times, and their durations. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box } from '../../src/analysis/facts.ts';
import { captionedSeconds, isWithin } from '../../src/style/plan/area.ts';
import { captionSpans, hasLettering, partedByCaptions } from '../../src/style/plan/lettering.ts';
import { subjectsBetween } from '../../src/style/plan/segments.ts';
import { clipFacts, cutAt, motionFacts } from '../support/clip-facts.ts';

type Times = readonly [startSeconds: number, endSeconds: number];
const LINE: Box = { x: 0.3, y: 0.8, width: 0.4, height: 0.1 };
const grid = { rate: { numerator: 25, denominator: 1 }, frameCount: 400 };

/** Sixteen seconds with captions and cuts. */
function film(
  captions: readonly (readonly [times: Times, box?: Box, text?: number | undefined])[],
  cuts: readonly number[] = [4, 8, 12],
) {
  const spans = captions.map(([[startSeconds, endSeconds], box = LINE, text]) => ({
    startSeconds,
    endSeconds,
    box,
    ...(text === undefined ? {} : { text }),
  }));
  return clipFacts({
    video: {
      durationSeconds: 16,
      transitions: cuts.map((seconds) => cutAt(seconds)),
      captions: { share: 1, spans, style: null, confidence: 1 },
    },
  }).video;
}

test('other lettering counts as captions do', () => {
  const video = film([[[1, 2]]]);
  const lettering = [{ startSeconds: 5, endSeconds: 6, box: LINE }];
  const lettered = { ...video, captions: { ...video.captions, lettering } };
  assert.equal(captionSpans(lettered).length, 2);
  for (const [startSeconds, expected] of [
    [1, true],
    [3, false],
    [5, true],
  ] as const)
    assert.equal(hasLettering(lettered, { startSeconds, endSeconds: startSeconds + 1 }), expected);
});

describe('the mark of a station', () => {
  for (const [what, times, cuts, isMark] of [
    ['is what stands for more than 8 s over three shots', [0, 8.1], [4, 8], true],
    ['not for less', [0, 8], [3, 6], false],
    ['nor over two', [0, 9], [4, 9], false],
    ['nor in a shot that only begins when it goes', [0, 9], [3, 9], false],
    ['nor in one that ends when it comes', [3, 12.5], [3, 12.5], false],
    ['it may begin and end within shots', [3, 12.5], [4, 12], true],
  ] as [string, Times, number[], boolean][])
    test(what, () => assert.equal(captionSpans(film([[times]], cuts)).length, isMark ? 0 : 1));

  // A watermark over white clothes is lost for a while.
  for (const [what, times, x, y, isMark] of [
    ['in one shot is a text of more than 8 s in a corner', [0, 8.1], 0.8, 0.85, true],
    ['in any corner', [0, 8.1], 0.15, 0.25, true],
    ['not for less', [0, 8], 0.8, 0.85, false],
    ['nor nearer to the middle', [0, 8.1], 0.16, 0.25, false],
    ['nor at one edge alone', [0, 8.1], 0.8, 0.64, false],
  ] as [string, Times, number, number, boolean][])
    test(what, () => {
      const box = { x, y, width: 0.2, height: 0.1 };
      assert.equal(captionSpans(film([[times, box]], [])).length, isMark ? 0 : 1);
    });

  for (const [what, sightings, isMark] of [
    [
      'is one that is seen in three shots, from its first sighting for more than 8 s',
      [
        [1, 2, 0],
        [5, 6, 0],
        [9, 9.1, 0],
      ],
      true,
    ],
    [
      'not for less than 8 s',
      [
        [1, 2, 0],
        [5, 6, 0],
        [8, 8.9, 0],
      ],
      false,
    ],
    [
      'nor in two shots',
      [
        [1, 2, 0],
        [9, 10, 0],
      ],
      false,
    ],
    [
      'nor where each time another text is seen',
      [
        [1, 2, 0],
        [5, 6, 1],
        [9, 9.1, 2],
      ],
      false,
    ],
    [
      'nor where none is seen again',
      [
        [1, 2],
        [5, 6],
        [9, 9.1],
      ],
      false,
    ],
  ] as [string, [number, number, number?][], boolean][])
    test(`of a text that is lost from sight: ${what}`, () => {
      const spans = sightings.map(([start, end, text]) => [[start, end], LINE, text] as const);
      assert.equal(captionSpans(film(spans)).length, isMark ? 0 : sightings.length);
    });

  const MARK: Box = { x: 0.7, y: 0.1, width: 0.2, height: 0.1 };
  for (const [across, down, isFoundAgain] of [
    [0.01, 0.05, true],
    [-0.01, 0.05, false],
    [0.19, 0.05, true],
    [0.21, 0.05, false],
    [0.1, 0.01, true],
    [0.1, -0.01, false],
    [0.1, 0.09, true],
    [0.1, 0.11, false],
  ] as const)
    test(`a caption whose middle lies ${across}, ${down} from its corner is ${isFoundAgain ? 'the same' : 'another'}`, () => {
      const box = { x: MARK.x + across - 0.03, y: MARK.y + down - 0.01, width: 0.06, height: 0.02 };
      const left = captionSpans(
        film([
          [[0, 16], MARK],
          [[1, 2], box],
        ]),
      );
      assert.deepEqual(
        left.map((span) => span.box),
        isFoundAgain ? [] : [box],
      );
    });
});

describe('a run', () => {
  const parts = (captions: readonly Times[], startFrame = 0, endFrame = 400) =>
    partedByCaptions(film(captions.map((times) => [times])), grid, { startFrame, endFrame }).map((part) => [
      part.startFrame,
      part.endFrame,
    ]);

  test('is divided where captions appear and disappear', () => {
    assert.deepEqual(
      parts([
        [6, 7],
        [2, 4],
      ]),
      [
        [0, 50],
        [50, 100],
        [100, 150],
        [150, 175],
        [175, 400],
      ],
    );
    assert.deepEqual(
      parts(
        [
          [2, 4],
          [4, 6],
        ],
        50,
        150,
      ),
      [
        [50, 100],
        [100, 150],
      ],
    );
  });

  test('not by those that appear or disappear before and after it', () => {
    assert.deepEqual(
      parts(
        [
          [0, 1],
          [7, 9],
          [2, 4],
        ],
        50,
        100,
      ),
      [[50, 100]],
    );
  });
});

describe('captions are on screen', () => {
  const film_ = film([[[1, 3]], [[2, 4]], [[6, 7]], [[2.5, 2.7]]]);
  for (const [start, end, seconds] of [
    [0, 16, 4],
    [1.5, 6.5, 3],
    [2.2, 2.4, 0.2],
    [4, 6, 0],
    [8, 16, 0],
  ] as const)
    test(`between ${start} and ${end} s for ${seconds} s, one over another once`, () =>
      assert.ok(Math.abs(captionedSeconds(film_, start, end) - seconds) < 1e-9));

  test('not where there are none', () => assert.equal(captionedSeconds(film([]), 0, 16), 0));
});

test('subjects are those on screen, the most salient first', () => {
  const subject = (startSeconds: number, endSeconds: number, salience: number) => ({
    ...{ kind: 'face' as const, startSeconds, endSeconds, salience, boxes: [] },
  });
  const motion = motionFacts({
    subjects: [
      subject(0, 5, 0.2),
      subject(3, 9, 0.9),
      subject(0, 2, 1),
      subject(4, 9, 1),
      subject(1, 3, 0.5),
    ],
  });
  assert.deepEqual(
    subjectsBetween(motion, 2, 4).map(({ salience }) => salience),
    [0.9, 0.5, 0.2],
  );
});

test('a box is within another as far as it may reach beyond each edge', () => {
  const outer = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
  const moved = (x: number, y: number) => ({ x: 0.25 + x, y: 0.25 + y, width: 0.5, height: 0.5 });
  for (const [x, y] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    assert.equal(isWithin(moved(0.0625 * x, 0.0625 * y), outer, 0.0625), true);
    assert.equal(isWithin(moved(0.07 * x, 0.07 * y), outer, 0.0625), false);
  }
});
