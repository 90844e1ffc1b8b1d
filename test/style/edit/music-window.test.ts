import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Song } from '../../../src/analysis/music/song.ts';
import { barSeconds, chooseWindow, playableSeconds } from '../../../src/style/edit/music-window.ts';

/** A minute at 120 beats a minute in bars of four; `phrases`: numbers of the beats that begin one. */
function song(phrases: readonly number[]): Song {
  return {
    durationSeconds: 60,
    beats: Array.from({ length: 120 }, (_, beat) => ({
      timeSeconds: beat / 2,
      isDownbeat: beat % 4 === 0,
      isPhraseStart: phrases.includes(beat),
    })),
    beatsPerBar: 4,
    confidence: 1,
    sections: [{ startSeconds: 0, endSeconds: 60, energy: 1 }],
    energyStepSeconds: 1,
    energy: Array.from({ length: 60 }, (_, second) => second / 60),
    soundEndSeconds: 60,
  };
}

test('a phrase that begins too late for the requested length is no start: a bar is', () => {
  const { startSeconds, endSeconds } = chooseWindow(song([96]), 28, null);
  assert.equal(startSeconds % 2, 0);
  assert.ok(Math.abs(endSeconds - startSeconds - 28) <= 0.045 * 28);
});

test('the window starts on the loudest phrase from which it is long enough', () => {
  assert.equal(chooseWindow(song([0, 32, 64, 96]), 28, null).startSeconds, 32);
});

test('a song that is too short is played from its first beat', () => {
  assert.deepEqual(chooseWindow(song([96]), 90, null), { startSeconds: 0, endSeconds: 60 });
});

test('without a meter the length of a bar is not known', () => {
  const four = song([96]);
  assert.equal(barSeconds(four), 2 * barSeconds({ ...four, beatsPerBar: 2 })!);
  assert.equal(barSeconds({ ...four, beatsPerBar: 1 }), null);
});

/** The song without the beats of some spans, and with sections of given energies, each [from, to, energy]. */
function changed(
  base: Song,
  silent: readonly (readonly [number, number])[],
  sections: readonly (readonly [number, number, number])[] = [[0, 60, 1]],
): Song {
  return {
    ...base,
    beats: base.beats.filter(({ timeSeconds }) =>
      silent.every(([from, to]) => timeSeconds < from || timeSeconds >= to),
    ),
    sections: sections.map(([startSeconds, endSeconds, energy]) => ({ startSeconds, endSeconds, energy })),
    energy: base.energy.map(() => 0.5),
  };
}

const EIGHT_BARS = song([0, 16, 32, 48, 64, 80, 96, 112]);

test('the window has beats throughout, holds the strongest section, and begins and ends on a phrase', () => {
  // Phrases begin every 8 s. [name, song, seconds, start, end]
  const rows: readonly (readonly [string, Song, number, number, number])[] = [
    ['a beatless opening is left out', changed(EIGHT_BARS, [[0, 20]]), 16, 24, 40],
    [
      'a break without beats',
      changed(
        EIGHT_BARS,
        [[20, 32]],
        [
          [0, 30, 1],
          [30, 60, 0.7],
        ],
      ),
      16,
      0,
      16,
    ],
    [
      'missed beats are no break',
      changed(
        EIGHT_BARS,
        [[17, 18.5]],
        [
          [8, 24, 1],
          [24, 60, 0.2],
        ],
      ),
      16,
      8,
      24,
    ],
    [
      'the strongest section',
      changed(
        EIGHT_BARS,
        [],
        [
          [0, 32, 0.6],
          [32, 40, 1],
          [40, 60, 0.6],
        ],
      ),
      8,
      32,
      40,
    ],
    [
      'within a longer section',
      changed(
        EIGHT_BARS,
        [],
        [
          [0, 24, 0.3],
          [24, 56, 1],
          [56, 60, 0.2],
        ],
      ),
      16,
      24,
      40,
    ],
  ];
  for (const [name, one, seconds, start, end] of rows)
    assert.deepEqual(chooseWindow(one, seconds, null), { startSeconds: start, endSeconds: end }, name);
});

test('a beatless opening is chosen by a person only', () => {
  const late = changed(EIGHT_BARS, [[0, 20]]);
  assert.equal(chooseWindow(late, 16, 3).startSeconds, 3);
  assert.equal(playableSeconds(late, null), 40);
  assert.equal(playableSeconds(late, 3), 57);
  assert.deepEqual(chooseWindow(late, 60, null), { startSeconds: 20, endSeconds: 60 });
});

test('a song whose parts with beats are all too short is played over its breaks', () => {
  const broken = changed(EIGHT_BARS, [[20, 32]]);
  const { startSeconds, endSeconds } = chooseWindow(broken, 48, null);
  assert.ok(endSeconds - startSeconds >= 0.95 * 48, `${startSeconds} to ${endSeconds}`);
});
