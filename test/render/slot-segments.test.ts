/** How an edit is divided into segments, and what determines the frames of one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { segmentContent } from '../../src/render/timeline/segment-content.ts';
import { slotSegmentsOf } from '../../src/render/timeline/slot-segments.ts';
import type { Clip, Timeline, TimelineTransition } from '../../src/style/model/timeline.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';

const slot = (take: number, start: number, end: number, more: Partial<Clip> = {}) =>
  timelineClip(start, end, { take, reason: 'slot', ...more });
const dissolve = (clipIndex: number): TimelineTransition => ({
  ...{ clipIndex, type: 'dissolve', durationSeconds: 0.6, easing: 'linear' },
});
/** Ten frames a second. */
const edit = (
  clips: readonly Clip[],
  transitions: readonly TimelineTransition[] = [],
  more: Partial<Timeline> = {},
): Timeline => ({
  ...timelineOf(clips, transitions),
  takes: [0, 1, 2].map(() => ({ grade: null })),
  ...more,
});

describe('division of an edit', () => {
  const two = [slot(0, 0, 2), slot(1, 5, 8)];
  const table: [string, Timeline, number[]][] = [
    ['one slot', edit([slot(0, 0, 2)]), [0, 20]],
    [
      'at each cut, however short a slot is',
      edit([slot(0, 0, 2), slot(1, 0, 0.2), slot(0, 4, 5)]),
      [0, 20, 22, 32],
    ],
    ['at both ends of a transition', edit(two, [dissolve(1)]), [0, 17, 23, 50]],
    ['not beside a cut', edit([slot(0, 0, 0.6), slot(1, 5, 8)], [dissolve(1)]), [0, 9, 36]],
    [
      'not before another transition',
      edit([...two, slot(2, 0, 2)], [dissolve(1), dissolve(2)]),
      [0, 17, 23, 47, 53, 70],
    ],
    ['a long slot is divided', edit([slot(0, 0, 11)]), [0, 37, 73, 110]],
  ];
  for (const [what, timeline, borders] of table)
    test(what, () => {
      const ranges = slotSegmentsOf(timeline, 4);
      assert.deepEqual([0, ...ranges.map(({ to }) => to)], borders);
      for (const [index, { from }] of ranges.entries()) assert.equal(from, borders[index]);
    });
});

describe('content of a segment', () => {
  const contentOf = (timeline: Timeline, from: number, to: number) =>
    JSON.stringify(segmentContent(timeline, { from, to }).content);
  const base = edit([slot(0, 0, 2), slot(1, 5, 8), slot(2, 1, 2)]);
  const middle = contentOf(base, 20, 50);

  test('is the same at another place, between other slots and with another number of its take', () => {
    const moved = edit([slot(1, 0, 0.7), slot(2, 5, 8), slot(0, 1, 2)]);
    assert.equal(contentOf(moved, 7, 37), middle);
    assert.deepEqual(segmentContent(moved, { from: 7, to: 37 }).takes, [2]);
  });

  const captions = [
    { startSeconds: 2, endSeconds: 3, lines: ['A'], face: 'sans-bold', baselineY: 9 },
  ] as never;
  const look = { captions, captionLook: {} as never };
  const grade = { ...base.takes[0]!, grade: { size: 2 } as never };
  const changes: [string, Timeline][] = [
    ['moment of the take', edit([slot(0, 0, 2), slot(1, 5.1, 8.1)])],
    ['framing', edit([slot(0, 0, 2), slot(1, 5, 8, { to: { x: 0, y: 0, width: 0.5, height: 0.5 } })])],
    ['transition into it', edit([slot(0, 0, 2), slot(1, 5, 8)], [dissolve(1)])],
    ['size', edit(base.clips, [], { width: 32 })],
    ['frame rate', edit(base.clips, [], { frameRate: { numerator: 10_001, denominator: 1000 } })],
    ['grade', edit(base.clips, [], { takes: [base.takes[0]!, grade, base.takes[2]!] })],
    ['caption', edit(base.clips, [], look)],
  ];
  for (const [what, timeline] of changes)
    test(`changes with the ${what}`, () => assert.notEqual(contentOf(timeline, 20, 50), middle));

  test('ignores captions and grades of other slots', () => {
    const other = edit(base.clips, [], { ...look, takes: [grade, ...base.takes.slice(1)] });
    const early = { ...other, captions: [{ ...other.captions[0]!, startSeconds: 0, endSeconds: 2 }] };
    assert.equal(contentOf(early, 20, 50), middle);
  });
});
