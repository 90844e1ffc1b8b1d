import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditSlot, Preview } from '../../src/client/api-types.ts';
import type { Clip } from '../../src/style/model/timeline.ts';
import { slotFraming, windowAbout } from '../../web/src/storyboard/slot-framing.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const WINDOW = { x: 0, y: 0.1, width: 0.4, height: 0.5 };
const windowAt = (x: number) => ({ ...WINDOW, x });
/** A still window, one that moves by .5 in four seconds, a padded clip, and one with a track. */
const CLIPS: readonly Clip[] = [
  timelineClip(5, 7, { from: windowAt(0.2), to: windowAt(0.2) }),
  timelineClip(10, 14, { from: windowAt(0), to: windowAt(0.5), easing: 'linear' }),
  timelineClip(0, 1, { fit: 'pad' }),
  timelineClip(20, 22, {
    ...{ from: WINDOW, to: WINDOW },
    track: [
      { timeSeconds: 20, x: 0.1, y: 0 },
      { timeSeconds: 22, x: 0.5, y: 0 },
    ],
  }),
];
const PREVIEW = { plan: { timeline: { clips: CLIPS } } } as unknown as Preview;
const slotOf = (start_seconds: number, end_seconds: number) => ({ start_seconds, end_seconds }) as EditSlot;

test('the part of a take that is shown in the middle of a shot', () => {
  // [shot in the output, x of the window; null: none]
  const rows = [
    ['still', slotOf(0, 2), 0.2],
    ['moving', slotOf(2, 6), 0.25],
    ['a quarter of the move', slotOf(2, 4), 0.125],
    ['where the next one begins', slotOf(1, 3), 0],
    ['padded', slotOf(6, 7), null],
    ['a track, by the time in the take', slotOf(7, 9), 0.3],
    ['beyond the end', slotOf(9, 10), null],
  ] as const;
  for (const [name, slot, x] of rows) {
    const framing = slotFraming(PREVIEW, slot);
    assert.equal(framing === null ? null : Number(framing.x.toFixed(6)), x, name);
  }
  assert.equal(slotFraming(null, slotOf(0, 2)), null);
  assert.equal(slotFraming({ plan: null } as unknown as Preview, slotOf(0, 2)), null);
});

test('a window about a point stays inside the picture', () => {
  // [point, corner of a window of .4 by .5]
  const rows = [
    [{ x: 0.5, y: 0.5 }, [0.3, 0.25]],
    [{ x: 0.1, y: 0.1 }, [0, 0]],
    [{ x: 0.95, y: 0.9 }, [0.6, 0.5]],
  ] as const;
  for (const [point, [x, y]] of rows) {
    const found = windowAbout(WINDOW, point);
    assert.deepEqual([found.width, found.height], [0.4, 0.5]);
    assert.ok(Math.abs(found.x - x) < 1e-9 && Math.abs(found.y - y) < 1e-9, JSON.stringify(found));
  }
});
