import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  banned,
  earlyTakes,
  focused,
  followedLook,
  innerExclusions,
  lengthened,
  moved,
  NO_EDIT,
  pinned,
  plannedAgain,
  type Take,
  trimmed,
  trimOf,
  withoutRefused,
  withoutTake,
} from '../../web/src/state/edit-parts.ts';

const TAKE: Take = { id: 1, source: { kind: 'video', videoId: 'a' }, exclude: [[4, 5]], mustUse: false };

test('an edit without a look follows its song', () => {
  const song = { source: { kind: 'video', videoId: 's' }, startSeconds: null } as const;
  const look = { kind: 'preset', presetId: 'noir' } as const;
  assert.deepEqual(followedLook({ look, song }), look);
  assert.deepEqual(followedLook({ look: null, song }), song.source);
  assert.equal(followedLook({ look: null, song: null }), null);
  assert.equal(followedLook({ look: null, song, lostLook: 'mine.json' }), null);
});

describe('takes of an edit', () => {
  test('a trim excludes both ends and keeps exclusions between them', () => {
    const take = trimmed(TAKE, [1.5, 8.2], 10);
    assert.deepEqual(trimOf(take, 10), [1.5, 8.2]);
    assert.deepEqual(innerExclusions(take, 10), [[4, 5]]);
    const again = trimmed(take, [0, 10], 10);
    assert.deepEqual([trimOf(again, 10), again.exclude], [[0, 10], [[4, 5]]]);
  });

  test('the service’s tenth of a second at the end counts as the end', () => {
    assert.deepEqual(trimOf({ exclude: [[8, 9.96]] }, 10.04), [0, 8]);
  });

  test('a take that moves leaves the others in their order', () => {
    assert.deepEqual(moved(['a', 'b', 'c', 'd'], 0, 2), ['b', 'c', 'a', 'd']);
    assert.deepEqual(moved(['a', 'b', 'c', 'd'], 3, 0), ['d', 'a', 'b', 'c']);
  });

  test('removing a take removes its pins and bans', () => {
    const parts = {
      ...NO_EDIT,
      takes: [TAKE],
      pins: [
        { slot: 0, videoId: 'a', startSeconds: 1 },
        { slot: 1, videoId: 'b', startSeconds: 1 },
      ],
      bans: [{ videoId: 'a', range: [0, 1] as const }],
    };
    const { takes, pins, bans } = withoutTake(parts, 1);
    assert.deepEqual([takes, pins.map(({ videoId }) => videoId), bans], [[], ['b'], []]);
  });

  test('a slot is pinned once, and a ban takes its pin', () => {
    const choice = { video_id: 'a', source_start_seconds: 1.2345, source_end_seconds: 2.5 };
    const first = pinned([], 3, choice);
    assert.deepEqual(first, [{ slot: 3, videoId: 'a', startSeconds: 1.23 }]);
    const second = pinned(first, 3, { ...choice, source_start_seconds: 4 });
    assert.deepEqual(second, [{ slot: 3, videoId: 'a', startSeconds: 4 }]);
    const after = banned({ pins: second, bans: [] }, 3, choice);
    assert.deepEqual(after, { pins: [], bans: [{ videoId: 'a', range: [1.23, 2.5] }] });
  });

  test('a focus pins its slot, stays within the take, and goes with another or by itself', () => {
    const choice = { video_id: 'a', source_start_seconds: 1.2345, source_end_seconds: 2.5 };
    const first = focused([], 3, choice, { x: 0.333333, y: 1 });
    assert.deepEqual(first, [{ slot: 3, videoId: 'a', startSeconds: 1.23, focus: { x: 0.33, y: 1 } }]);
    const slipped = pinned(first, 3, { ...choice, source_start_seconds: 4 });
    assert.deepEqual(slipped[0]?.focus, { x: 0.33, y: 1 });
    const other = { slot: 3, videoId: 'b', startSeconds: 1.23 };
    assert.deepEqual(pinned(first, 3, { ...choice, video_id: 'b' }), [other]);
    assert.deepEqual(focused(first, 3, choice, null), [{ slot: 3, videoId: 'a', startSeconds: 1.23 }]);
  });

  test('a slot has one length; slots that stay as planned matter only beside others', () => {
    const first = lengthened([], 4, 1);
    assert.deepEqual(first, [{ slot: 4, beats: 1 }]);
    const second = lengthened(first, 2, 0);
    assert.deepEqual(second, [
      { slot: 2, beats: 0 },
      { slot: 4, beats: 1 },
    ]);
    assert.deepEqual(lengthened(second, 4, 0), []);
  });

  test('the ban of a photo, which has no time, is also a range', () => {
    const photo = { video_id: 'p', source_start_seconds: 0, source_end_seconds: 0 };
    assert.deepEqual(banned(NO_EDIT, 0, photo).bans, [{ videoId: 'p', range: [0, 0.01] }]);
  });
});

describe('takes of a first plan, while others are measured', () => {
  const takes = ['a', 'b', 'c', 'd', 'e'].map(
    (videoId, id): Take => ({ id, source: { kind: 'video', videoId }, exclude: [], mustUse: false }),
  );
  const rows: readonly (readonly [measured: string, planned: string])[] = [
    ['', ''],
    ['c', ''],
    ['ca', 'ac'],
    ['cae', 'ac'],
    ['caeb', 'abce'],
    ['caebd', 'abce'],
  ];
  for (const [measured, planned] of rows)
    test(`${measured || 'none'} measured: ${planned || 'none'}`, () => {
      const early = earlyTakes(takes, [...measured]);
      assert.equal(early.map(({ id }) => 'abcde'[id]).join(''), planned);
    });
});

test('refused files are left out, others stay in their order', () => {
  const of = (id: number, source: Take['source']): Take => ({ id, source, exclude: [], mustUse: false });
  const takes = [
    of(1, { kind: 'upload', uploadId: 7 }),
    of(2, { kind: 'video', videoId: 'a' }),
    of(3, { kind: 'upload', uploadId: 8 }),
  ];
  const song = { source: { kind: 'upload', uploadId: 9 }, startSeconds: null } as const;
  const without = (...ids: number[]) => withoutRefused({ takes, song }, (id) => ids.includes(id));
  assert.deepEqual(without(), { takes, song });
  assert.deepEqual(
    without(8).takes.map(({ id }) => id),
    [1, 2],
  );
  assert.equal(without(9).song, null);
});

test('a whole new plan excludes what was refused, each from its own take', () => {
  const takes = [TAKE, { ...TAKE, id: 2, source: { kind: 'video', videoId: 'b' } as const }];
  const bans = [
    { videoId: 'a', range: [1, 2] as const },
    { videoId: 'a', range: [7, 8] as const },
  ];
  const next = plannedAgain({ takes, bans });
  assert.deepEqual(
    next.takes.map(({ exclude }) => exclude),
    [
      [
        [4, 5],
        [1, 2],
        [7, 8],
      ],
      [[4, 5]],
    ],
  );
  assert.deepEqual(next.bans, []);
});
