/** The warning if the content forbids the template's pace, with figures. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClipFacts, SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Warning } from '../../src/domain/stage.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { chooseFraming } from '../../src/style/plan/framing.ts';
import { pacedPieces } from '../../src/style/plan/paced-pieces.ts';
import { frameGrid, segmentsOf } from '../../src/style/plan/segments.ts';
import { clipFacts, cutAt, flatPicture } from '../support/clip-facts.ts';

const SECONDS = Array.from({ length: 40 }, (_, second) => second);
const DRAWN = flatPicture(
  SECONDS,
  SECONDS.map(() => 0.9),
);
const cutsEvery = (step: number) =>
  Array.from({ length: Math.floor(40 / step) - 1 }, (_, index) => cutAt((index + 1) * step));
const spoken = (...spans: [number, number][]) => ({
  share: 0.5,
  spans: spans.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds })),
  confidence: 1,
});

function paced(source: ClipFacts, step: number, config: object = {}) {
  const grid = frameGrid(source.video.frameRate, source.video.durationSeconds);
  const segments = segmentsOf(source.video, grid);
  const warnings: Warning[] = [];
  const pieces = pacedPieces(
    {
      source,
      style: extractStyle(clipFacts({ video: { transitions: cutsEvery(step) } }), {
        createdAt: new Date(0),
        fingerprint: null,
      }),
      hasTemplate: true,
      config: jobConfigSchema.parse({ style_strength: 1, ...config }),
      segments,
      grid,
      framing: chooseFraming(source, { ratio: null, manner: 'auto', focus: null }, segments, grid),
    },
    warnings,
  );
  return { pieces, messages: warnings.map(({ code, message }) => `${code}: ${message}`) };
}

const speaking = (...spans: [number, number][]) => clipFacts({ audio: { speech: spoken(...spans) } });
const captioned = (width: number, at: number, seconds: number) =>
  clipFacts({
    video: {
      captions: {
        share: 0,
        spans: [{ startSeconds: at, endSeconds: at + seconds, box: { x: 0.02, y: 0.8, width, height: 0.1 } }],
        style: null,
        confidence: 1,
      },
    },
  });

describe('a warning when content forbids the pace', () => {
  for (const [what, source, step, config, wanted] of [
    ['none where all find their place', clipFacts(), 2, {}, []],
    ['none where little is lost', speaking([0, 1], [20, 22]), 2, {}, []],
    [
      'speech, with its share of the time',
      speaking([0, 12], [14, 16.4], [20, 22]),
      1,
      {},
      [
        /^PACING_LIMITED: The template has 59 shot changes a minute, the output \d\d: \d+ of 39 new cuts were left out, because 41 % of the video is speech, which permits cuts only at clear beginnings of words and at most every 2\.5 s\.$/,
      ],
    ],
    [
      'transitions of the source, with theirs',
      clipFacts({
        video: {
          transitions: [0, 10, 20].map((startSeconds) => ({
            ...cutAt(startSeconds + 7),
            type: 'dissolve' as const,
            startSeconds,
          })),
        },
      }),
      1,
      {},
      [/ new cuts were left out, because 53 % of the video are transitions of the source\.$/],
    ],
    [
      'captions that leave no room',
      captioned(0.96, 0, 40),
      2,
      {},
      [
        /the output 0: 19 of 19 .*, because letters, a drawing, heads or hands prevent a closer framing for 19 cuts, or no face/,
      ],
    ],
    [
      'a drawn picture',
      clipFacts({ video: { picture: DRAWN } }),
      2,
      {},
      [/the output 0: 19 of 19 .*, because letters, a drawing, heads or hands prevent/],
    ],
    [
      'nobody who leads, just below a strength of 1',
      clipFacts({ video: { faces: [] } }),
      2,
      { style_strength: 0.95 },
      [/ or no face leads there, which is required below a strength of 1\.$/],
    ],
    ['none at 1', clipFacts({ video: { faces: [] } }), 2, { style_strength: 1 }, []],
    [
      'a source that is faster itself',
      clipFacts({ video: { transitions: cutsEvery(2) } }),
      8,
      {},
      [/^PACING_LIMITED: .* 6 shot changes a minute, the output 29: the source itself changes faster/],
    ],
    [
      'not at half of the strength',
      clipFacts({ video: { transitions: cutsEvery(2) } }),
      8,
      { style_strength: 0.4 },
      [],
    ],
    ['not where the pace is kept', speaking([0, 40]), 2, { pacing: 'keep' }, []],
  ] as const) {
    test(what, () => {
      const { messages } = paced(source, step, config);
      assert.equal(messages.length, wanted.length, messages.join('\n'));
      for (const [index, pattern] of wanted.entries()) assert.match(messages[index], pattern);
    });
  }
});

test('a cut that could not be seen is not made, and its neighbours are one piece', () => {
  const everywhere = paced(captioned(0.96, 0, 40), 2).pieces;
  assert.deepEqual(
    everywhere.map(({ startFrame, endFrame, isCloser }) => [startFrame, endFrame, isCloser]),
    [[0, 1000, false]],
  );
  const { pieces } = paced(captioned(0.96, 10, 10), 2);
  let at = 0;
  for (const [index, { startFrame, endFrame, isCloser }] of pieces.entries()) {
    assert.equal(startFrame, at, 'nothing is lost');
    at = endFrame;
    assert.equal(isCloser, index % 2 === 1, 'wide and closer take turns');
    if (isCloser) assert.ok(endFrame <= 250 || startFrame >= 500, `closer from ${startFrame} to ${endFrame}`);
  }
  assert.equal(at, 1000);
});

test('where a head goes to and fro through every closer framing the first camera goes on, without a jump', () => {
  const face = (away: number): SubjectTrack => ({
    ...{ kind: 'face', startSeconds: 0, endSeconds: 40, salience: 0.8 },
    boxes: Array.from({ length: 200 }, (_, at) => ({
      timeSeconds: at / 5,
      box: { x: 0.4 + away * Math.sin(1.3 * at), y: 0.1, width: 0.2, height: 0.5 },
    })),
  });
  const piecesOf = (away: number) => {
    const faces = [face(away)];
    return paced(clipFacts({ video: { faces }, motion: { subjects: faces } }), 2).pieces;
  };
  assert.ok(piecesOf(0.02).some(({ isCloser }) => isCloser));
  assert.equal(piecesOf(0.4).length, 1);
});

test('no closer framing on a card: a logo would be cut', () => {
  const cards = [{ x: 0.3, y: 0.4, width: 0.4, height: 0.2 }];
  const { pieces } = paced(clipFacts({ video: { cards } }), 2);
  assert.ok(paced(clipFacts(), 2).pieces.some(({ isCloser }) => isCloser));
  assert.deepEqual(
    pieces.map(({ isCloser }) => isCloser),
    [false],
  );
});
