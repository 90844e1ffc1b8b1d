/** A framing over a run in which one shot goes over into another without a cut. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Transition } from '../../src/analysis/facts.ts';
import { framingPath } from '../../src/style/plan/framing-path.ts';
import { captionsBetween } from '../../src/style/plan/lettering.ts';
import { stretchesOf } from '../../src/style/plan/stretches.ts';
import { clipFacts, cutAt } from '../support/clip-facts.ts';

const grid = { rate: { numerator: 25, denominator: 1 }, frameCount: 200 };
const RUN = { startFrame: 0, endFrame: 200 };
const WHOLE = { x: 0, y: 0, width: 1, height: 1 };
const STILL = { x: 0.35, y: 0, width: 0.3, height: 1 };

const gradual = (type: Transition['type'], startSeconds: number, endSeconds: number): Transition => ({
  ...cutAt(endSeconds),
  type,
  startSeconds,
});

function path(transitions: Transition[], places: readonly number[]) {
  const source = clipFacts({ video: { durationSeconds: 8, transitions } });
  const parts = stretchesOf(source.video, grid, RUN);
  const stillIn = ({ startFrame }: { readonly startFrame: number }) => ({
    ...STILL,
    x: places[parts.findIndex((part) => part.startFrame === startFrame)],
  });
  return framingPath(source, grid, RUN, STILL, { area: WHOLE, stillIn })?.map(({ timeSeconds, x }) => [
    Math.round(100 * timeSeconds) / 100,
    x,
  ]);
}

describe('stretches', () => {
  test('a run is parted in the middle of its gradual transitions, not at cuts, edges or outside', () => {
    const video = clipFacts({
      video: {
        durationSeconds: 8,
        transitions: [
          { ...gradual('fade_black', 0, 1), edge: 'start' },
          cutAt(2),
          gradual('dissolve', 3, 4),
          gradual('wipe', 5.9, 6.3),
        ] as Transition[],
      },
    }).video;
    const bounds = (startFrame: number, endFrame: number) =>
      stretchesOf(video, grid, { startFrame, endFrame }).map((part) => [part.startFrame, part.endFrame]);
    assert.deepEqual(bounds(0, 200), [
      [0, 88],
      [88, 153],
      [153, 200],
    ]);
    assert.deepEqual(bounds(88, 153), [[88, 153]]);
    assert.deepEqual(bounds(87, 154).length, 3);
  });
});

describe('a framing from shot to shot', () => {
  for (const [what, transitions, places, wanted] of [
    [
      'moves while a dissolve lasts',
      [gradual('dissolve', 3, 4)],
      [0.2, 0.6],
      [
        [0, 0.2],
        [3, 0.2],
        [4, 0.6],
        [8, 0.6],
      ],
    ],
    [
      'jumps behind black',
      [gradual('fade_black', 3, 4)],
      [0.2, 0.6],
      [
        [0, 0.2],
        [3.45, 0.2],
        [3.55, 0.6],
        [8, 0.6],
      ],
    ],
    [
      'stays for a little',
      [gradual('dissolve', 3, 4)],
      [0.2, 0.214],
      [
        [0, 0.2],
        [3, 0.2],
        [4, 0.2],
        [8, 0.2],
      ],
    ],
    [
      'and goes for more',
      [gradual('dissolve', 3, 4)],
      [0.2, 0.216],
      [
        [0, 0.2],
        [3, 0.2],
        [4, 0.216],
        [8, 0.216],
      ],
    ],
    ['has no way where it would stand', [gradual('dissolve', 3, 4)], [0.35, 0.36], undefined],
    ['nor without a transition', [], [0.35], undefined],
    [
      'one behind the other',
      [gradual('dissolve', 1, 4), gradual('dissolve', 3.5, 6)],
      [0.1, 0.4, 0.6],
      [
        [0, 0.1],
        [1, 0.1],
        [6, 0.6],
        [8, 0.6],
      ],
    ],
  ] as const) {
    test(what, () => assert.deepEqual(path([...transitions], places), wanted));
  }
});

test('a framing that lies across goes up and down from shot to shot, but for little', () => {
  const still = { x: 0, y: 0.35, width: 1, height: 0.3 };
  const transitions = [gradual('dissolve', 3, 4)];
  const source = clipFacts({ video: { durationSeconds: 8, transitions } });
  const downBy = (move: number) =>
    framingPath(source, grid, RUN, still, {
      area: WHOLE,
      stillIn: ({ startFrame }) => ({ ...still, y: still.y + (startFrame === 0 ? 0 : move) }),
    })?.map(({ timeSeconds, x, y }) => [timeSeconds, x, y]);
  assert.deepEqual(downBy(0.25), [
    [0, 0, 0.35],
    [3, 0, 0.35],
    [4, 0, 0.6],
    [8, 0, 0.6],
  ]);
  assert.equal(downBy(0.0145), undefined);
  assert.equal(downBy(0.0155)?.length, 4);
});

describe('captions that a framing keeps', () => {
  const box = { x: 0.5, y: 0.8, width: 0.1, height: 0.05 };
  const span = (startSeconds: number, endSeconds: number, place = box) => ({
    startSeconds,
    endSeconds,
    box: place,
  });
  const seen = (spans: readonly ReturnType<typeof span>[], cuts: readonly number[], start = 3, end = 4) => {
    const captions = { share: 0, spans, style: null, confidence: 1 };
    const { video } = clipFacts({ video: { transitions: cuts.map((time) => cutAt(time)), captions } });
    return captionsBetween(video, start, end).length;
  };
  const aside = { ...box, x: 0.1 };
  for (const [what, count, wanted] of [
    ['are on screen then', seen([span(2, 5), span(0, 3), span(4, 6)], []), 1],
    ['for more than a quarter of a second', seen([span(0, 3.26)], []), 1],
    ['not for less', seen([span(0, 3.24)], []), 0],
    ['or for half of their time', seen([span(2.8, 3.21)], []), 1],
    ['are no mark of the station, over three shots and eight seconds', seen([span(0, 8.1)], [2, 6]), 0],
    ['but may be over two shots', seen([span(0, 8.1)], [2]), 1],
    ['or last for less', seen([span(0, 8)], [2, 6]), 1],
    ['nor the same mark, found again', seen([span(10, 19), span(3, 4)], [12, 15]), 0],
    ['but others elsewhere', seen([span(10, 19), span(3, 4, aside)], [12, 15]), 1],
  ] as const) {
    test(what, () => assert.equal(count, wanted));
  }
});
