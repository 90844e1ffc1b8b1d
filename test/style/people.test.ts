import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FigureLook, SubjectTrack } from '../../src/analysis/facts.ts';
import { faceLightnessOf, peopleShare, peopleShareOfTakes } from '../../src/style/look/people.ts';
import { drawnVideo } from '../support/drawn-video.ts';

type Rgb = readonly [number, number, number];

const [FAIR, DARK, WOOD, GREY, BLUE]: Rgb[] = [
  [214, 165, 140],
  [110, 72, 52],
  [150, 105, 70],
  [128, 128, 128],
  [60, 90, 190],
];

/** A figure in the second quarter of the picture from the left, in its lower half, looked for every second and a half. */
const FIGURE = [0, 1.5, 3, 4.5, 6, 7.5, 9].map(
  (timeSeconds): FigureLook => ({
    timeSeconds,
    across: Array.from({ length: 24 }, (_, at) => (at >= 6 && at < 12 ? 1 / 6 : 0)),
    down: Array.from({ length: 24 }, (_, at) => (at >= 12 ? 1 / 12 : 0)),
  }),
);
const isFigure = (x: number, y: number) => x >= 0.25 && x < 0.5 && y >= 0.5;
const scene = (figure: Rgb, ground: Rgb) => (x: number, y: number) => (isFigure(x, y) ? figure : ground);

describe('how far skin is guarded', () => {
  for (const [name, figure, ground, share] of [
    ['a fair figure before grey', FAIR, GREY, 0.5],
    ['a dark figure before blue', DARK, BLUE, 0.5],
    ['a grey thing on wood', GREY, WOOD, 0],
    ['a wooden thing on wood', WOOD, WOOD, 0],
    ['a blue thing before grey', BLUE, GREY, 0],
  ] as const)
    test(name, () => {
      assert.equal(peopleShare(drawnVideo(scene(figure!, ground!), { figures: FIGURE })), share);
    });

  test('skin without a figure is no person, and a figure of another time none either', () => {
    const draw = scene(FAIR!, GREY!);
    assert.equal(peopleShare(drawnVideo(draw)), 0);
    const none = FIGURE.map((look) => ({ ...look, across: look.across.map(() => 0) }));
    assert.equal(peopleShare(drawnVideo(draw, { figures: none })), 0);
    const later = FIGURE.map((look) => ({ ...look, timeSeconds: look.timeSeconds + 20 }));
    assert.equal(peopleShare(drawnVideo(draw, { figures: later })), 0);
  });

  test('a seventh of skin is enough, a fortieth is not', () => {
    const part = (isSkin: (x: number, y: number) => boolean) => (x: number, y: number) =>
      isFigure(x, y) ? (isSkin(x, y) ? FAIR! : BLUE!) : GREY!;
    assert.equal(
      peopleShare(
        drawnVideo(
          part((_, y) => y > 0.92),
          { figures: FIGURE },
        ),
      ),
      0.5,
    );
    assert.equal(
      peopleShare(
        drawnVideo(
          part((x, y) => x < 0.29 && y > 0.92),
          { figures: FIGURE },
        ),
      ),
      0,
    );
  });

  const face: SubjectTrack = { kind: 'face', startSeconds: 0, endSeconds: 1, boxes: [], salience: 1 };
  test('wholly where a face is found', () => {
    assert.equal(peopleShare(drawnVideo(scene(GREY!, GREY!), { faces: [face] })), 1);
  });

  test('in part in all takes of an edit, if one of them shows a face', () => {
    const wall = drawnVideo(scene(GREY!, GREY!));
    const portrait = drawnVideo(scene(GREY!, GREY!), { faces: [face] });
    assert.deepEqual([peopleShareOfTakes([wall, wall]), peopleShareOfTakes([wall, portrait])], [0, 0.5]);
  });
});

test('the lightness of a face is that of its middle, not of a wall of skin’s colors beside it', () => {
  const box = { x: 0.2, y: 0.2, width: 0.6, height: 0.8 };
  const faces: SubjectTrack[] = [
    {
      ...{ kind: 'face', startSeconds: 0, endSeconds: 10, salience: 1 },
      boxes: Array.from({ length: 50 }, (_, k) => ({ timeSeconds: k / 5, box })),
    },
  ];
  const isFace = (x: number, y: number) => Math.hypot((x - 0.5) / 0.16, (y - 0.45) / 0.2) < 1;
  const found = faceLightnessOf(drawnVideo((x, y) => (isFace(x, y) ? DARK! : FAIR!), { faces }));
  // Of the dark face 34, of the wall 72.
  assert.ok(Math.abs(found! - 34) < 2, `${found}`);
});
