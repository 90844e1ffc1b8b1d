/** Phrases said again, in made levels of bands: other speed, voice, level and noise; broken off; and phrases that only begin alike. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import type { Span } from '../../src/analysis/facts.ts';
import { findRepeats } from '../../src/analysis/speech/repeats.ts';
import { BANDS } from '../../src/analysis/speech/voice-bands.ts';
import { warpedEnds } from '../../src/analysis/speech/warping.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

/** Frames of a syllable, and of the pauses between phrases. */
const SYLLABLE = 12;
const PAUSE = 60;

interface Saying {
  /** Equal words have equal syllables. */
  readonly words: readonly number[];
  readonly speed?: number;
  readonly gainDb?: number;
  /** Deviation of each band in each frame, dB. */
  readonly deviationDb?: number;
}

/** Levels of phrases with pauses between them, in steps of half a decibel. */
function said(phrases: readonly Saying[]) {
  const random = seededRandom(3);
  const frames: number[][] = [];
  const runs: Span[] = [];
  const pause = () => {
    for (let t = 0; t < PAUSE; t++) frames.push(Array.from({ length: BANDS }, () => 60 + 4 * random()));
  };
  pause();
  for (const { words, speed = 1, gainDb = 0, deviationDb = 1 } of phrases) {
    const startSeconds = frames.length / 100;
    for (const word of words) {
      const voice = seededRandom(1000 + word);
      for (let syllable = 0; syllable < 2; syllable++) {
        const profile = Array.from({ length: BANDS }, () => 100 + 70 * voice());
        for (let t = 0; t < Math.round(SYLLABLE / speed); t++)
          frames.push(profile.map((step) => step + 2 * gainDb + 4 * deviationDb * (random() - 0.5)));
      }
    }
    runs.push({ startSeconds, endSeconds: frames.length / 100 });
    pause();
  }
  const steps = Uint8Array.from(frames.flat());
  return { levels: { frames: frames.length, steps, at: () => 0 }, runs };
}

/** Phrases of eight words that nothing else shares. */
const other = (from: number): Saying => ({ words: Array.from({ length: 8 }, (_, at) => from + at) });
const phrase = [1, 2, 3, 4, 5, 6, 7, 8];

function found(first: Saying, ...then: readonly Saying[]) {
  const { levels, runs } = said([other(100), other(200), first, ...then, other(300), other(400)]);
  return findRepeats(levels, runs).map(({ firstSeconds, secondSeconds, ratio }) => ({
    first: runs.findIndex(({ startSeconds }) => startSeconds === firstSeconds),
    second: runs.findIndex(({ startSeconds }) => startSeconds === secondSeconds),
    ratio,
  }));
}

describe('a phrase said again', () => {
  for (const [name, first] of [
    ['as it was', { words: phrase }],
    ['a tenth slower', { words: phrase, speed: 1.1 }],
    ['a fifth faster', { words: phrase, speed: 0.83 }],
    ['louder', { words: phrase, gainDb: -6 }],
    ['in noise', { words: phrase, deviationDb: 6 }],
    ['after it was broken off', { words: phrase.slice(0, 5) }],
  ] as const)
    test(name, () => {
      const [repeat, ...more] = found(first, { words: phrase });
      assert.deepEqual(more, []);
      assert.deepEqual([repeat.first, repeat.second], [2, 3]);
      assert.ok(repeat.ratio < 0.5, String(repeat.ratio));
    });

  test('twice: each attempt is the next one', () => {
    const again = { words: phrase };
    const repeats = found(again, { ...again, speed: 1.05 }, { ...again, gainDb: -3 });
    assert.deepEqual(
      repeats.map(({ second }) => second),
      [3, 4],
    );
    assert.ok(repeats.every(({ ratio }) => ratio < 0.6));
  });
});

test('a phrase said again in a whole sound is among its facts', () => {
  const rate = 16_000;
  const random = seededRandom(5);
  const samples: number[] = [];
  const pause = () => {
    for (let n = 0; n < 0.6 * rate; n++) samples.push(0.0005 * (random() - 0.5));
  };
  const say = (phrase: number) => {
    const voice = seededRandom(phrase);
    for (let syllable = 0; syllable < 9; syllable++) {
      const weights = Array.from({ length: 30 }, () => voice() ** 4 / 10);
      for (let n = 0; n < 0.16 * rate; n++) {
        const swell = Math.sin((Math.PI * n) / (0.16 * rate));
        const tone = weights.reduce(
          (sum, weight, k) => sum + weight * Math.sin((2 * Math.PI * 120 * (k + 1) * n) / rate),
          0,
        );
        samples.push(0.3 * swell * tone + 0.0005 * (random() - 0.5));
      }
    }
    pause();
  };
  pause();
  for (const phrase of [11, 12, 13, 14, 14, 15, 16, 17]) say(phrase);
  const analysis = new AudioAnalysis({ sampleRate: rate, channels: 1 });
  analysis.push({ startSeconds: 0, sampleRate: rate, channels: [Float32Array.from(samples)] });
  const [repeat, ...more] = analysis.finish().speech.talk?.repeats ?? [];
  assert.deepEqual(more, []);
  // Each phrase lasts 1.44 s, with its pause 2.04 s; a window of 64 ms hears it before it begins.
  assert.ok(Math.abs(repeat.firstSeconds - 6.72) < 0.15, String(repeat.firstSeconds));
  assert.ok(Math.abs(repeat.secondSeconds - 8.76) < 0.15, String(repeat.secondSeconds));
});

describe('no repeat', () => {
  for (const [name, first, ...then] of [
    ['of unlike phrases', other(500), other(600)],
    ['if only the beginning is alike', { words: [...phrase.slice(0, 4), 21, 22, 23, 24] }, { words: phrase }],
    [
      'if more than 8 s are between',
      { words: phrase },
      other(500),
      other(600),
      other(700),
      { words: phrase },
    ],
  ] as readonly (readonly [string, Saying, ...Saying[]])[])
    test(name, () => {
      const certain = found(first, ...then).filter(({ ratio }) => ratio < 0.6);
      assert.deepEqual(certain, []);
    });

  test('of less than two phrases', () => {
    const { levels, runs } = said([other(1)]);
    assert.deepEqual(findRepeats(levels, runs), []);
    assert.deepEqual(findRepeats(levels, []), []);
  });
});

describe('warped distance', () => {
  const sequence = [1, 5, 2, 8, 3];
  for (const [name, columns, cost, start] of [
    ['is 0 for the same', sequence, 0, 0],
    ['is 0 at half the speed', [1, 1, 5, 5, 2, 2, 8, 8, 3, 3], 0, 1],
    ['finds a part', [9, 9, 9, ...sequence, 9], 0, 3],
    ['counts a difference once', [1, 5, 2, 8, 8], 1, 0],
  ] as const)
    test(name, () => {
      const size = { rows: sequence.length, columns: columns.length, startsBefore: columns.length };
      const ends = warpedEnds(size, (row, to) => {
        to.set(columns.map((value) => Math.abs(sequence[row] - value)));
      });
      const best = ends.costs.indexOf(Math.min(...ends.costs));
      assert.deepEqual([ends.costs[best], ends.starts[best]], [cost, start]);
    });
});
