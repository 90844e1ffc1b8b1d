import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  about,
  ago,
  bytes,
  clock,
  counted,
  took,
  withWholeQuantities,
} from '../../web/src/words/quantity.ts';

const TABLES: readonly (readonly [
  string,
  (value: number) => string,
  readonly (readonly [number, string])[],
])[] = [
  [
    'clock',
    clock,
    [
      [0, '0:00'],
      [59.4, '0:59'],
      [59.6, '1:00'],
      [3599, '59:59'],
      [3725, '1:02:05'],
    ],
  ],
  [
    'about',
    about,
    [
      [3, 'a few seconds'],
      [17, 'about 15 s'],
      [54, 'about 55 s'],
      [55, 'about 1 min'],
      [100, 'about 2 min'],
      [3300, 'about 1 h'],
      [5400, 'about 1.5 h'],
    ],
  ],
  [
    'took',
    took,
    [
      [3.42, '3.4 s'],
      [12.4, '12 s'],
      [125, '2 min 5 s'],
      [3725, '1 h 2 min'],
    ],
  ],
  [
    'bytes',
    bytes,
    [
      [0, '0 bytes'],
      [999, '999 bytes'],
      [1000, '1.0 kB'],
      [999_600, '1.0 MB'],
      [1_440_000, '1.4 MB'],
      [250_000_000, '250 MB'],
      [5_368_709_120, '5.4 GB'],
    ],
  ],
  [
    'counted',
    (count) => counted(count, 'cut'),
    [
      [0, '0 cuts'],
      [1, '1 cut'],
      [2, '2 cuts'],
    ],
  ],
];

describe('quantities as people read them', () => {
  for (const [name, words, rows] of TABLES) {
    test(name, () => {
      for (const [value, expected] of rows) assert.equal(words(value), expected);
    });
  }

  test('no line ends between a number and its unit', () => {
    for (const [text, expected] of [
      ['at least 30 s.', 'at least 30_s.'],
      ['The sound to 100 % for −14 LUFS', 'The sound to 100_% for −14_LUFS'],
      ['2 of 3 shots, 4 seconds', '2 of 3 shots, 4 seconds'],
      ['up to 12 MB and 5 sounds', 'up to 12_MB and 5 sounds'],
    ] as const)
      assert.equal(withWholeQuantities(text).replaceAll('\u00A0', '_'), expected);
  });

  test('ago', () => {
    const now = Date.parse('2026-01-10T12:00:00Z');
    for (const [time, expected] of [
      ['2026-01-10T11:59:40Z', 'just now'],
      ['2026-01-10T11:50:00Z', '10 minutes ago'],
      ['2026-01-10T09:00:00Z', '3 hours ago'],
      ['2026-01-09T11:00:00Z', 'yesterday'],
    ] as const)
      assert.equal(ago(time, now), expected);
  });
});
