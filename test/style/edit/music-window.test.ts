import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Song } from '../../../src/analysis/music/song.ts';
import { barSeconds, chooseWindow } from '../../../src/style/edit/music-window.ts';

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
