import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pinPlace } from '../../src/domain/pin-place.ts';
import type { TimeRange } from '../../src/domain/time-range.ts';

interface Row {
  readonly start: number;
  readonly seconds: number;
  readonly take: number;
  readonly ban: TimeRange;
  /** Start of the shot, or the fields at fault. */
  readonly expected: number | readonly string[];
}

const ROWS: Readonly<Record<string, Row>> = {
  'a rounded time behind the end of the take begins before it': {
    ...{ start: 3.4, seconds: 0.36, take: 3.39, ban: [1, 2.31] },
    expected: 3.03,
  },
  'the end of the take is in no banned part before it': {
    ...{ start: 7, seconds: 0, take: 7, ban: [1.3, 3.6] },
    expected: 6.899,
  },
  'a part that is exactly as long as the slot is enough': {
    ...{ start: 7.5, seconds: 1.77, take: 8.1, ban: [4, 6.33] },
    expected: 6.33,
  },
  'a ban behind the end of the take has no effect': {
    ...{ start: 1.1, seconds: 2.38, take: 2.376, ban: [2.4, 2.9] },
    expected: 1.1,
  },
  'the end of a banned end is banned': {
    ...{ start: 3, seconds: 0, take: 3, ban: [2.3, 3] },
    expected: ['edit.pins.0.start_seconds', 'edit.bans.0.range'],
  },
};

for (const [what, { start, seconds, take, ban, expected }] of Object.entries(ROWS))
  test(what, () => {
    const place = pinPlace(
      {
        ...{ path: 'edit.pins.0', slot: 0, startSeconds: start, isPhoto: false, durationSeconds: take },
        forbidden: [{ range: ban, path: 'edit.bans.0.range' }],
      },
      seconds,
    );
    if ('runs' in place) {
      assert.ok(typeof expected === 'number', JSON.stringify(place));
      assert.ok(Math.abs(place.startSeconds! - expected) < 1e-6, `${place.startSeconds}`);
    } else {
      assert.deepEqual(
        place.map(({ path }) => path),
        expected,
      );
      assert.match(place[0]!.message, /\[2\.3, 3\]/);
    }
  });
