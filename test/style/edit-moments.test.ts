/** Moments that a player can jump to: movements that continue from one clip to the next are listed once; and their subjects. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clip } from '../../src/style/model/timeline.ts';
import { editMoments, followedKind, isPunchIn, zoomBetween } from '../../src/style/plan/edit-moments.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';

const key = (timeSeconds: number, x: number, y = 0) => ({ timeSeconds, x, y });
const MOVING = [key(0, 0), key(1, 0.1)];
const part = (width: number, height: number) => ({ x: 0, y: 0, width, height });
const still = (width: number, height = width) => ({ from: part(width, height), to: part(width, height) });

describe('movements that continue in the next clip are listed once:', () => {
  for (const [what, kind, change] of [
    ['a framing that follows', 'follow', { track: MOVING }],
    ['up and down too', 'follow', { track: [key(0, 0, 0), key(1, 0, 0.1)] }],
    ['a steadied picture', 'steady', { steady: MOVING }],
  ] as [string, string, Partial<Clip>][])
    test(what, () => {
      const clips = [
        timelineClip(0, 1),
        timelineClip(1, 2, change),
        timelineClip(2, 3, change),
        timelineClip(3, 4),
        timelineClip(4, 5, change),
      ];
      const times = editMoments(timelineOf(clips), clipFacts())
        .filter((moment) => moment.kind === kind)
        .map((moment) => moment.at_seconds);
      assert.deepEqual(times, [1, 4]);
    });

  test('a framing that only waits at one place follows nobody', () => {
    const waiting = timelineClip(0, 1, { track: [key(0, 0.2), key(1, 0.2)] });
    assert.deepEqual(editMoments(timelineOf([waiting]), clipFacts()), []);
  });
});

test('omitted parts are listed from a millisecond on', () => {
  const kinds = (gap: number) =>
    editMoments(timelineOf([timelineClip(0, 1), timelineClip(1 + gap, 2)]), clipFacts()).map(
      ({ kind }) => kind,
    );
  assert.deepEqual([kinds(0.0009), kinds(0.0011)], [[], ['left_out']]);
});

test('a zoom is that of the area; from a hundredth on a cut to it is a punch-in', () => {
  const zoom = zoomBetween(timelineClip(0, 1, still(0.8, 0.5)), timelineClip(1, 2, still(0.4, 0.25)));
  assert.ok(Math.abs(zoom - 2) < 1e-9, `${zoom}`);
  const closerBy = (factor: number) =>
    isPunchIn(
      timelineClip(1, 2, { reason: 'punch_in', ...still(0.8 / factor) }),
      timelineClip(0, 1, still(0.8)),
    );
  assert.deepEqual([closerBy(1.009), closerBy(1.011), closerBy(1 / 1.2)], [false, true, false]);
});

describe('framings that move follow', () => {
  const spans = (...times: (readonly [number, number])[]) =>
    times.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds }));
  const clips = [
    timelineClip(0, 5),
    timelineClip(5, 10, { track: MOVING }),
    timelineClip(12, 17, { track: MOVING }),
  ];
  const seen = (faces: ReturnType<typeof spans>, speech: ReturnType<typeof spans> | null) =>
    followedKind(
      { clips },
      clipFacts({
        video: { faces: faces.map((times) => ({ ...times, kind: 'face', salience: 1, boxes: [] })) },
        audio: speech && { speech: { share: 0.5, spans: speech, confidence: 1 } },
      }),
    );
  for (const [what, kind, wanted] of [
    ['a subject where no face is', seen([], spans([0, 20])), 'subject'],
    ['a face that is there for half of their time', seen(spans([5, 7], [12, 15]), null), 'face'],
    ['a subject where it is there for less', seen(spans([5, 7], [12, 14.9]), null), 'subject'],
    [
      'a subject where a face is there at other times',
      seen(spans([0, 5], [10, 12], [17, 30]), null),
      'subject',
    ],
    ['whoever speaks for half of it', seen(spans([0, 20]), spans([5, 7], [12, 15])), 'speaker'],
    ['a face where less is said', seen(spans([0, 20]), spans([5, 7], [12, 14.9])), 'face'],
    ['two at once count once', seen(spans([5, 8], [5.5, 7], [6, 8], [12, 13.9]), null), 'subject'],
    ['two that overlap count together', seen(spans([7, 9], [5, 8], [12, 13]), null), 'face'],
  ] as const)
    test(what, () => assert.equal(kind, wanted));

  test('nobody: a subject', () => {
    assert.equal(followedKind({ clips: clips.slice(0, 1) }, clipFacts()), 'subject');
  });
});
