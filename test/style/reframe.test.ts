/** Where a framing looks: at subjects by their salience and their time, with captions inside. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box, SubjectTrack } from '../../src/analysis/facts.ts';
import { baseReframe, chooseFraming, magnified } from '../../src/style/plan/framing.ts';
import { clipFacts } from '../support/clip-facts.ts';

const grid = { rate: { numerator: 25, denominator: 1 }, frameCount: 100 };
const RUN = { startFrame: 0, endFrame: 100 };
const WHOLE = { x: 0, y: 0, width: 1, height: 1 };
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

/** Four boxes a second, from the beginning. */
const subject = (place: Box, seconds = 4, salience = 0.5): SubjectTrack => ({
  startSeconds: 0,
  endSeconds: seconds,
  kind: 'face',
  salience,
  boxes: Array.from({ length: 4 * seconds }, (_, k) => ({ timeSeconds: k / 4, box: place })),
});

function clip(subjects: SubjectTrack[], caption: Box | null) {
  const spans = caption === null ? [] : [{ startSeconds: 0, endSeconds: 4, box: caption }];
  return clipFacts({
    video: { durationSeconds: 4, captions: { share: 0, spans, style: null, confidence: 1 } },
    motion: { subjects },
  });
}
const near = (seen: number, wanted: number, tolerance: number) =>
  assert.ok(Math.abs(seen - wanted) <= tolerance, `${seen}, not ${wanted}`);
/** Places are tried in 64 steps. */
const STEP = 0.7 / 64;

describe('a framing of three tenths', () => {
  const [tall, wide] = [
    { width: 0.3, height: 1 },
    { width: 1, height: 0.3 },
  ];
  for (const [what, axis, subjects, caption, start] of [
    ['without a subject: the middle', 'x', [], null, 0.35],
    ['upright: where heads are', 'y', [], null, 0.4 - 0.15],
    ['a subject: whole, with room about it', 'x', [subject(box(0.7, 0.3, 0.1, 0.3))], null, 0.56],
    ['for all of the time or a part of it', 'x', [subject(box(0.7, 0.3, 0.1, 0.3), 2)], null, 0.55],
    ['one that is seldom there, and faint', 'x', [subject(box(0.7, 0.3, 0.1, 0.3), 1, 0.1)], null, 0.35],
    [
      'the more salient of two',
      'x',
      [subject(box(0.2, 0.3, 0.1, 0.3), 4, 0.3), subject(box(0.8, 0.3, 0.1, 0.3), 4, 0.6)],
      null,
      0.655,
    ],
    [
      'a face before what moves',
      'x',
      [
        { ...subject(box(0.2, 0.3, 0.1, 0.3), 4, 0.8), kind: 'motion' },
        subject(box(0.8, 0.3, 0.1, 0.3), 4, 0.4),
      ],
      null,
      0.645,
    ],
    ['one too faint to count', 'x', [subject(box(0.7, 0.3, 0.1, 0.3), 4, 0.01)], null, 0.35],
    // Of four tenths the middle six tenths fit.
    ['what is wider than it: its core', 'x', [subject(box(0.6, 0.3, 0.4, 0.3))], null, 0.62],
    ['what is taller than it: its top', 'y', [subject(box(0.3, 0.1, 0.1, 0.6))], null, 0.1],
    [
      'a caption at the left comes before a subject',
      'x',
      [subject(box(0.7, 0.3, 0.1, 0.3))],
      box(0.05, 0.8, 0.2, 0.1),
      0.02,
    ],
    ['one that is wider, alone: its middle', 'x', [], box(0.1, 0.8, 0.6, 0.1), 0.25],
    [
      'one that is wider is not held before a subject',
      'x',
      [subject(box(0.7, 0.3, 0.1, 0.3))],
      box(0.1, 0.8, 0.6, 0.1),
      0.56,
    ],
    ['one inside changes nothing', 'x', [subject(box(0.7, 0.3, 0.1, 0.3))], box(0.6, 0.8, 0.1, 0.1), 0.56],
  ] as const) {
    test(what, () => {
      const window = axis === 'x' ? tall : wide;
      const view = { ...RUN, area: WHOLE, fit: 'crop', window, card: null, focus: null } as const;
      const framing = { shown: { width: 100, height: 100 }, views: [view], cutShare: 0 };
      const seen = baseReframe(clip([...subjects], caption), framing, grid, RUN);
      near(seen[axis], start, STEP);
      assert.deepEqual([seen.width, seen.height], [window.width, window.height]);
    });
  }
});

describe('a caption that is visible for a small part of a long shot', () => {
  const long = { rate: grid.rate, frameCount: 750 };
  const run = { startFrame: 0, endFrame: 750 };
  const face = subject(box(0.3, 0.1, 0.2, 0.9), 30, 0.8);
  const framed = (
    subjects: SubjectTrack[],
    captionSeconds: number,
    caption: Box,
    manner: 'auto' | 'crop' = 'auto',
  ) => {
    const spans = [{ startSeconds: 10, endSeconds: 10 + captionSeconds, box: caption }];
    const source = clipFacts({
      video: { durationSeconds: 30, captions: { share: 0, spans, style: null, confidence: 1 } },
      motion: { subjects },
    });
    const framing = chooseFraming(source, { ratio: 0.3 * (16 / 9), manner, focus: null }, [run], long);
    return { fit: framing.views[0].fit, x: baseReframe(source, framing, long, run).x };
  };
  const [name, sentence] = [box(0.6, 0.8, 0.2, 0.1), box(0.2, 0.8, 0.6, 0.1)];

  test('moves no framing away from a permanent subject', () => {
    const { fit, x } = framed([face], 3, name);
    assert.equal(fit, 'crop');
    assert.ok(x <= 0.3 && x + 0.3 >= 0.5, String(x));
  });
  test('is contained if there is no other subject', () => {
    const { x } = framed([], 3, name);
    near(x, 0.83 - 0.3, STEP);
  });
  test('causes no padding, however wide; one for half of the time does', () => {
    assert.equal(framed([face], 3, sentence).fit, 'crop');
    assert.equal(framed([face], 15, sentence).fit, 'pad');
  });
  test('from a third of the time on, a framing that can contain it does', () => {
    assert.ok(framed([face], 9, name, 'crop').x <= 0.3);
    near(framed([face], 10.1, name, 'crop').x, 0.83 - 0.3, 1e-9);
  });
});

describe('a shot in which nothing is found', () => {
  const looking = (part: number) => Array.from({ length: 24 }, (_, at) => (at === part ? 1 : 0));
  for (const [what, across, down, x, y] of [
    ['is looked at where the eye goes', looking(18), looking(3), 0.55, 0.12],
    ['with room about it, as far as the middle allows', looking(14), looking(12), 0.39, 0.31],
  ] as const) {
    test(what, () => {
      const source = clipFacts({ video: { durationSeconds: 4, attention: [{ across, down }] } });
      for (const [axis, window, wanted] of [
        ['x', { width: 0.3, height: 1 }, x],
        ['y', { width: 1, height: 0.3 }, y],
      ] as const) {
        const view = { ...RUN, area: WHOLE, fit: 'crop', window, card: null, focus: null } as const;
        const framing = { shown: { width: 100, height: 100 }, views: [view], cutShare: 0 };
        near(baseReframe(source, framing, grid, RUN)[axis], wanted, STEP);
      }
    });
  }
});

describe('figures', () => {
  const profile = (from: number, to: number) =>
    Array.from({ length: 24 }, (_, part) => (part >= from && part < to ? 1 / (to - from) : 0));
  const wide = { width: 1, height: 0.3 };
  const view = { ...RUN, area: WHOLE, fit: 'crop', window: wide, card: null, focus: null } as const;
  const framing = { shown: { width: 100, height: 100 }, views: [view], cutShare: 0 };
  const standing = (from: number, to: number, height = 0.3) => {
    const figures = [0, 2].map((timeSeconds) => ({
      timeSeconds,
      across: profile(8, 12),
      down: profile(from, to),
    }));
    const source = clipFacts({ video: { durationSeconds: 4, figures } });
    const views = [{ ...view, window: { width: 1, height } }];
    return baseReframe(source, { ...framing, views }, grid, RUN).y;
  };

  test('of one that is taller than the framing, the top is held', () => {
    near(standing(2, 24), 2 / 24, 0.05);
    near(standing(6, 24), 6 / 24, 0.05);
  });
  test('one that it can hold is held whole', () => {
    const start = standing(14, 20);
    assert.ok(start <= 14 / 24 + 0.01 && start + 0.3 >= 20 / 24 - 0.01, String(start));
  });
  test('none: where heads are', () => near(standing(0, 0), 0.4 - 0.15, STEP));
});

describe('a closer look', () => {
  const base = box(0.2, 0, 0.6, 1);
  for (const [what, subjects, zoom, x, y] of [
    ['at nothing: about the middle', [], 1.25, 0.26, 0.06],
    ['at what lies inside: likewise', [subject(box(0.62, 0.4, 0.06, 0.1))], 1.25, 0.26, 0.06],
    ['at what lies outside: no further than it must', [subject(box(0.74, 0.4, 0.06, 0.1))], 1.25, 0.32, 0.06],
    ['that is none', [subject(box(0.74, 0.4, 0.06, 0.1))], 1, 0.2, 0],
  ] as const) {
    test(what, () => {
      const seen = magnified(clip([...subjects], null), grid, RUN, base, zoom);
      near(seen.x, x, 0.004);
      near(seen.y, y, 0.005);
      near(seen.width, 0.6 / zoom, 1e-9);
      near(seen.height, 1 / zoom, 1e-9);
    });
  }
});
