/** Frames and masks around a moving picture: found by corners that stand still; neither steadied nor cut by closer framings. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canComeCloser } from '../../src/style/plan/closer-framing.ts';
import { fixedFrameOf } from '../../src/style/plan/fixed-frame.ts';
import { stabilisation } from '../../src/style/plan/stabilisation.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { COUNT, greyVideo, HEIGHT, type Level, WHOLE } from '../support/grey-video.ts';

const moving = (x: number, y: number, time: number) => 120 + 60 * Math.sin(x + 2 * y + 1.7 * time);
const isInside = (x: number, y: number) => x >= 5 && x < 19 && y >= 0 && y < HEIGHT;
const isInCircle = (x: number, y: number) => ((x - 11.5) / 11.5) ** 2 + ((y - 6.5) / 6.5) ** 2 < 1;
const PICTURES: readonly (readonly [string, Level, boolean, boolean])[] = [
  ['a picture on a white card', (x, y, time) => (isInside(x, y) ? moving(x, y, time) : 250), true, true],
  [
    'the same, encoded: a level more or less',
    (x, y, time) => (isInside(x, y) ? moving(x, y, time) : 250 + (time % 2)),
    true,
    true,
  ],
  [
    'a round mask, darker below',
    (x, y, time) => (isInCircle(x, y) ? moving(x, y, time) : 40 - 2 * y),
    true,
    false,
  ],
  ['a picture that moves up to its corners', moving, false, false],
  [
    'one corner that moves',
    (x, y, time) => (x + y === 0 || isInside(x, y) ? moving(x, y, time) : 250),
    false,
    false,
  ],
  ['a tripod before a plain wall', (x, y, time) => 200 + x + ((x + y + time) % 3), false, false],
];

describe('a frame', () => {
  for (const [what, level, isStill, isCard] of PICTURES)
    test(what, () => assert.deepEqual(fixedFrameOf(greyVideo(level)), { isStill, isCard }));

  test('cannot be told from few pictures', () => {
    const video = greyVideo(PICTURES[0]![1]);
    const { moments } = video.color;
    const few = { ...moments, timesSeconds: moments.timesSeconds.slice(0, 3) };
    assert.equal(fixedFrameOf({ ...video, color: { ...video.color, moments: few } }).isStill, false);
  });
});

describe('around a picture', () => {
  const count = 25 * COUNT;
  const times = Array.from({ length: count }, (_, at) => at / 25);
  const shaken = times.map((time) => 0.01 * Math.sin(16 * time));
  const clipOf = (level: Level) =>
    clipFacts({
      video: greyVideo(level),
      motion: {
        curve: {
          timesSeconds: times,
          ...{ shiftX: shaken, shiftY: shaken, logScale: shaken.map(() => 0), rotation: shaken.map(() => 0) },
          ...{ residual: shaken.map(() => 0), support: shaken.map(() => 1) },
        },
        shots: [{ label: 'handheld', confidence: 1, shake: 0.2, zoom: 0 }],
      },
    });
  const run = { startSeconds: 0, endSeconds: COUNT };
  for (const [what, level, isStill, isCard] of PICTURES) {
    test(`${what}: ${isStill ? 'not steadied' : 'steadied'}, ${isCard ? 'no closer framing' : 'may be framed closer'}`, () => {
      const source = clipOf(level);
      const steady = stabilisation(source, run, WHOLE, { area: WHOLE, wantedShake: 0, reach: 1 });
      assert.equal(steady === null, isStill);
      assert.equal(canComeCloser(source, run, { focus: null, needsFace: false }), !isCard);
    });
  }
});
