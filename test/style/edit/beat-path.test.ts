/** Paths over a song whose cheapest one is known. A beat lasts .5 s. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  beatPath,
  type GridPoint,
  type PathOptions,
  type PathSlot,
} from '../../../src/style/edit/beat-path.ts';

interface Made {
  /** Wanted lengths in beats. */
  readonly slots: readonly (number | Partial<PathSlot>)[];
  /** Of the song, in beats. */
  readonly beats: number;
  readonly perBeat?: number;
  readonly changes?: Readonly<Record<number, Partial<GridPoint>>>;
  readonly options?: Partial<PathOptions>;
}

/** Numbers of the slots, and the beats on which they begin; null: no path. */
function pathOf({
  slots,
  beats,
  perBeat = 1,
  changes = {},
  options = {},
}: Made): [number[], number[]] | null {
  const points = Array.from({ length: beats * perBeat + 1 }, (_, at): GridPoint => {
    const position = at / perBeat;
    return {
      ...{ seconds: position / 2, position, isBeat: position % 1 === 0 },
      ...{ maxBeats: Number.POSITIVE_INFINITY, third: 1, ...changes[at] },
    };
  });
  const wanted = slots.map((slot): PathSlot => {
    const made = typeof slot === 'number' ? { beats: slot } : slot;
    return { beats: 1, maxBeats: Number.POSITIVE_INFINITY, startsOnBeat: true, ...made };
  });
  const defaults = {
    minSeconds: 0.3,
    minStartSeconds: 0.3,
    minEndSeconds: 0.3,
    phaseCost: 0.3,
    energyShifts: null,
  };
  const steps = beatPath(points, wanted, { ...defaults, ...options });
  if (steps === null) return null;
  return [steps.map(({ slot }) => slot), steps.map(({ point }) => points[point]!.position)];
}

/** The song turns loud at a beat. */
const turnAt = (beat: number, last: number) =>
  Object.fromEntries(Array.from({ length: last + 1 }, (_, at) => [at, { third: at < beat ? 0 : 2 }]));
const EVEN = [2, 2, 2, 2];
const NO_SHIFTS = { energyShifts: [0, 0, 0] };

const ROWS: readonly (readonly [string, Made, readonly number[], readonly number[]])[] = [
  ['lengths that fit', { slots: [4, 2, 3], beats: 9 }, [0, 1, 2], [0, 4, 6]],
  ['all are stretched', { slots: [4, 4], beats: 10 }, [0, 1], [0, 5]],
  ['an inserted slot lies before the ending', { slots: EVEN, beats: 10 }, [0, 1, 2, 2, 3], [0, 2, 4, 6, 8]],
  [
    'or where the music turns',
    { slots: EVEN, beats: 10, changes: turnAt(4, 10), options: NO_SHIFTS },
    [0, 1, 1, 2, 3],
    [0, 2, 4, 6, 8],
  ],
  [
    'unless its energy is not known',
    { slots: EVEN, beats: 10, changes: turnAt(4, 10) },
    [0, 1, 2, 2, 3],
    [0, 2, 4, 6, 8],
  ],
  ['a short song has the first and the last', { slots: EVEN, beats: 4 }, [0, 3], [0, 2]],
  // A jump costs less than two distorted lengths, and another last slot costs more than a jump.
  ['a jump before a long slot', { slots: [3, 6, 3], beats: 8 }, [0, 2], [0, 4]],
  ['a jump before a long ending', { slots: [3, 2, 6], beats: 8 }, [0, 2], [0, 3]],
  ['a jump to the ending', { slots: [3, 2, 2], beats: 4 }, [0, 2], [0, 2]],
  ['the ending instead of the first alone', { slots: [4, 4], beats: 6 }, [0, 1], [0, 3]],
  ['the first alone where it fits', { slots: [3, 1, 1], beats: 3 }, [0], [0]],
  ['one slot is repeated', { slots: [2], beats: 6 }, [0, 0, 0], [0, 2, 4]],
  [
    'off the beat where the slot is so',
    { slots: [1, { beats: 2, startsOnBeat: false }, 1], beats: 4, perBeat: 2, options: { phaseCost: 2 } },
    [0, 1, 2],
    [0, 1.5, 3],
  ],
  [
    'unless that costs less than the lengths',
    { slots: [1, { beats: 2, startsOnBeat: false }, 1], beats: 4, perBeat: 2, options: { phaseCost: 1 } },
    [0, 1, 2],
    [0, 1, 3],
  ],
  [
    'no slot below the shortest',
    { slots: [1, 1, 1], beats: 6, options: { minSeconds: 0.6 } },
    [0, 1, 2],
    [0, 2, 4],
  ],
  [
    'nor a shorter first one',
    { slots: [0.5, 2, 2], beats: 5, perBeat: 2, options: { minSeconds: 0.2, minStartSeconds: 0.4 } },
    [0, 1, 2],
    [0, 1, 3],
  ],
  [
    'nor a shorter last one',
    { slots: [2, 3, 1.5], beats: 6, options: { minEndSeconds: 1 } },
    [0, 1, 2],
    [0, 2, 4],
  ],
  [
    'a last slot that has to be longer than its longest',
    { slots: [1, { beats: 1, maxBeats: 1 }], beats: 5, options: { minEndSeconds: 2 } },
    [0, 1],
    [0, 1],
  ],
  [
    'a song below the last slot’s least',
    { slots: [2, 2], beats: 1, options: { minEndSeconds: 1 } },
    [0],
    [0],
  ],
  ['a slot’s longest', { slots: [{ beats: 4, maxBeats: 3 }, 4], beats: 8 }, [0, 1], [0, 3]],
  ['the longest from a place', { slots: [4, 4], beats: 8, changes: { 0: { maxBeats: 3 } } }, [0, 1], [0, 3]],
  ['a longest below the grid’s step', { slots: [{ beats: 4, maxBeats: 0.5 }, 7], beats: 8 }, [0, 1], [0, 1]],
  [
    'longer where the template is so in quiet music',
    {
      ...{ slots: [3, 3], beats: 6, perBeat: 8, changes: turnAt(1, 48) },
      options: { phaseCost: 0, energyShifts: [0.7, 0, -0.7] },
    },
    [0, 1],
    [0, 3.125],
  ],
];

test('the cheapest path', () => {
  for (const [name, made, slots, beats] of ROWS) assert.deepEqual(pathOf(made), [slots, beats], name);
  assert.equal(pathOf({ slots: [2], beats: 2, options: { minSeconds: 2 } }), null, 'too short for any');
});
