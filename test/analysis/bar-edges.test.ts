/** Each limit of the search for bars, from both sides: a picture just within it and one just beyond. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BarEnd, findBarEdges } from '../../src/analysis/bars/bar-edges.ts';

const HEIGHT = 100;
/** Every fourth pixel of a line counts: 300 of them. */
const WIDTH = 1200;
const BAR = 20;

interface Row {
  readonly level: number;
  /** The part of the row, from the left, that has another level. */
  readonly share?: number;
  readonly other?: number;
}

/** The upper end of a letterbox picture whose first rows are `rows`. */
function topOf(rows: (y: number) => Row | undefined, bottom: Row = { level: 0 }): BarEnd {
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    const usual = y < BAR ? { level: 0 } : y >= HEIGHT - BAR ? bottom : { level: 200 };
    const { level, share = 0, other = 0 }: Row = rows(y) ?? usual;
    data.fill(level, y * WIDTH, (y + 1) * WIDTH);
    data.fill(other, y * WIDTH, y * WIDTH + Math.round(share * WIDTH));
  }
  return findBarEdges({ width: WIDTH, height: HEIGHT, channels: 1, data }).top;
}

const within = (y: number, from: number, to: number) => y >= from && y < to;
const isBar = (y: number) => !within(y, BAR, HEIGHT - BAR);

/** One property of a picture, with a value to each side of its limit. */
interface Limit {
  readonly what: string;
  readonly found: (value: number) => BarEnd;
  readonly values: readonly [number, number];
  readonly ends: readonly [BarEnd, BarEnd];
}

const AT_BAR: BarEnd = { depth: BAR, edge: BAR };
const NO_EDGE: BarEnd = { depth: BAR, edge: null };
const OPEN: BarEnd = { depth: 0, edge: null };

const LIMITS: readonly Limit[] = [
  {
    what: 'how bright a bar can be',
    found: (level) => topOf((y) => (isBar(y) ? { level } : undefined)),
    values: [30, 35],
    ends: [AT_BAR, OPEN],
  },
  {
    what: 'how dark a white bar can be',
    found: (level) => topOf((y) => (isBar(y) ? { level } : { level: 90 }), { level }),
    values: [231, 228],
    ends: [AT_BAR, OPEN],
  },
  {
    what: 'how far pixels of a bar stray from its tone',
    found: (other) => topOf((y) => (isBar(y) ? { level: 0, share: 0.4, other } : undefined)),
    values: [11, 13],
    ends: [AT_BAR, NO_EDGE],
  },
  {
    what: 'how far the tones of two bars lie apart',
    // Up to there two fifths of the lighter bar are off the tone between both; beyond, all of it is off the darker one's.
    found: (tone) => topOf((y) => (y < BAR ? { level: tone, share: 0.4, other: tone + 5 } : undefined)),
    values: [11, 13],
    ends: [AT_BAR, { depth: 0, edge: null }],
  },
  {
    what: 'how much of a line is off the tone where the picture begins',
    found: (share) => topOf((y) => (within(y, BAR, BAR + 4) ? { level: 0, share, other: 200 } : undefined)),
    values: [0.46, 0.54],
    ends: [
      { depth: BAR + 4, edge: null },
      { depth: BAR, edge: BAR },
    ],
  },
  {
    what: 'how much shows in the empty lines below the box of a caption',
    found: (share) =>
      topOf((y) =>
        within(y, 8, 12) ? { level: 200 } : within(y, 12, BAR) ? { level: 0, share, other: 200 } : undefined,
      ),
    values: [0.017, 0.0231],
    ends: [AT_BAR, { depth: 8, edge: 8 }],
  },
  {
    what: 'how much shows just before the edge',
    found: (share) => topOf((y) => (within(y, BAR - 3, BAR) ? { level: 0, share, other: 200 } : undefined)),
    values: [0.33, 0.37],
    ends: [AT_BAR, NO_EDGE],
  },
  {
    what: 'how much shows just behind the edge',
    found: (share) => topOf((y) => (isBar(y) ? undefined : { level: 0, share, other: 200 })),
    values: [0.53, 0.47],
    ends: [AT_BAR, { depth: null, edge: null }],
  },
  {
    what: 'how much brighter than the bar the picture is',
    found: (level) => topOf((y) => (isBar(y) ? undefined : { level })),
    values: [30, 27],
    ends: [AT_BAR, NO_EDGE],
  },
  {
    what: 'over how many lines coding rings into the bar',
    found: (lines) => topOf((y) => (within(y, BAR - lines, BAR) ? { level: 20 } : undefined)),
    values: [8, 9],
    // So much ringing fills the bar: where the picture may begin is known, where the bar ends is not.
    ends: [NO_EDGE, { depth: BAR - 9, edge: null }],
  },
  {
    what: 'how loud it rings',
    found: (level) => topOf((y) => (within(y, BAR - 4, BAR) ? { level } : undefined)),
    values: [38, 42],
    ends: [AT_BAR, { depth: BAR - 4, edge: BAR - 4 }],
  },
  {
    what: 'over how many lines the edge is soft',
    found: (lines) =>
      topOf((y) =>
        within(y, BAR, BAR + lines) ? { level: (200 * (y - BAR + 1)) / (lines + 1) } : undefined,
      ),
    values: [2, 3],
    ends: [
      { depth: BAR, edge: BAR + 2 },
      { depth: BAR, edge: BAR + 2 },
    ],
  },
  {
    what: 'how much of a bar a logo fills',
    found: (share) => topOf((y) => (y < BAR - 2 ? { level: 0, share, other: 200 } : undefined)),
    values: [0.36, 0.42],
    ends: [AT_BAR, NO_EDGE],
  },
  {
    what: 'how bright the first line of the picture is against the next',
    found: (level) => topOf((y) => (y === BAR ? { level } : undefined)),
    values: [164, 156],
    ends: [AT_BAR, { depth: BAR, edge: BAR + 1 }],
  },
  {
    what: 'how much of the side the bars leave',
    found: (rows) => topOf((y) => (within(y, BAR, BAR + rows) ? undefined : { level: 0 })),
    values: [24, 20],
    ends: [AT_BAR, { depth: null, edge: null }],
  },
];

describe('the end of a bar depends on', () => {
  for (const { what, found, values, ends } of LIMITS) {
    test(what, () => {
      for (const side of [0, 1] as const)
        assert.deepEqual(found(values[side]), ends[side], `at ${values[side]}`);
    });
  }
});
