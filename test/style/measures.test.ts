/** Fields of a style, by the formulas of their measures: pacing, dynamics, bass, aspect ratio, strength. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Beat, Shot, Transition, VideoFacts } from '../../src/analysis/facts.ts';
import {
  cutsOnBeat,
  pacingConfidence,
  primaryTransition,
  shotLengths,
  transitionMix,
} from '../../src/style/extract/pacing.ts';
import { aspectRatioOf } from '../../src/style/model/aspect-ratio.ts';
import {
  bassBoost,
  compressionRatio,
  crestOfRatio,
  rangeOfRatio,
} from '../../src/style/model/audio-measures.ts';
import { editShareOf, levelShareOf } from '../../src/style/model/strength.ts';
import { audioFacts } from '../support/clip-facts.ts';

test('every step of strength adds something, from nothing at 0 to all at 1', () => {
  for (const [strength, edit, level] of [
    [-1, 0, 0],
    [0, 0, 0],
    [0.4, 0.64, 0.784],
    [0.8, 0.96, 0.992],
    [0.9, 0.99, 0.999],
    [1, 1, 1],
    [2, 1, 1],
  ] as const) {
    assert.ok(Math.abs(editShareOf(strength) - edit) < 1e-9, `edit at ${strength}`);
    assert.ok(Math.abs(levelShareOf(strength) - level) < 1e-9, `level at ${strength}`);
  }
});

describe('shots and transitions', () => {
  const shotsOf = (...lengths: number[]) =>
    lengths.map((length, at) => ({
      startSeconds: 10 * at,
      endSeconds: 10 * at + length,
    })) as unknown as Shot[];
  const change = (type: Transition['type'], seconds = 0, easing: Transition['easing'] = 'linear') =>
    ({ type, startSeconds: 1, endSeconds: 1 + seconds, easing }) as Transition;
  const times = (count: number, ...made: Transition[]) => Array.from({ length: count }, () => made).flat();

  test('quantiles lie between order statistics', () => {
    assert.deepEqual(shotLengths(shotsOf(5, 1, 4, 2, 3)), {
      p10: 1.4,
      p25: 2,
      p50: 3,
      p75: 4,
      p90: 4.6,
      mean: 3,
    });
    assert.deepEqual(shotLengths(shotsOf(2, 1)), {
      p10: 1.1,
      p25: 1.25,
      p50: 1.5,
      p75: 1.75,
      p90: 1.9,
      mean: 1.5,
    });
    assert.equal(shotLengths([]), null);
  });

  test('a mix is the share of each type', () => {
    assert.deepEqual(transitionMix([change('cut'), change('dissolve'), change('cut')]), {
      cut: 0.6667,
      dissolve: 0.3333,
    });
  });

  for (const [what, transitions, expected] of [
    [
      '15 in 100 are primary',
      [...times(17, change('cut')), ...times(3, change('wipe', 0.5))],
      ['wipe', 500, 'linear'],
    ],
    ['fewer are not', [...times(18, change('cut')), ...times(3, change('wipe', 0.5))], ['cut', 0, 'linear']],
    [
      'the median of an odd number, and the more frequent easing',
      [change('slide', 0.2), change('slide', 1, 'ease_in'), change('slide', 0.4, 'ease_in')],
      ['slide', 400, 'ease_in'],
    ],
    ['of an even number', [change('slide', 0.4), change('slide', 0.6)], ['slide', 500, 'linear']],
    ['ten seconds at most', [change('dissolve', 11)], ['dissolve', 10_000, 'linear']],
    ['the first of equals', [change('zoom', 1), change('circle', 2)], ['zoom', 1000, 'linear']],
  ] as const) {
    test(`primary transition: ${what}`, () => {
      const [type, duration_ms, easing] = expected;
      assert.deepEqual(primaryTransition(transitions), { type, duration_ms, easing });
    });
  }

  const beats = (...seconds: number[]) =>
    seconds.map((timeSeconds) => ({ timeSeconds })) as unknown as Beat[];
  const everySecond = beats(...Array.from({ length: 10 }, (_, second) => second + 0.5));
  const cuts = (...seconds: number[]) => seconds.map((at) => ({ ...change('cut'), endSeconds: at }));
  // Ten beats of ±70 ms in ten seconds: a cut at random meets one in 0.14 of all cases.
  for (const [what, transitions, pulse, seconds, share] of [
    ['all of them, by less than 70 ms', cuts(1.5, 2.569, 3.431), everySecond, 10, 1 - 0.14],
    ['by more', cuts(1.5, 2.571, 3.429), everySecond, 10, 0.333 - 0.14],
    ['three between them', cuts(1, 2, 3), everySecond, 10, 1 - 0.14],
    ['twice as many between them', cuts(1, 2, 3, 4, 5.5, 6.5), everySecond, 10, 0.667 - 0.14],
    ['less than twice as many', cuts(1, 2, 3, 5.5, 6.5), everySecond, 10, 0.4 - 0.14],
    ['two between them only', cuts(1, 2, 3.3), everySecond, 10, -0.14],
    ['beats everywhere', cuts(1, 2, 3), everySecond, 1, 0],
    ['too few cuts', cuts(1.5, 2.5), everySecond, 10, null],
    ['cuts alone count', [...cuts(1.5, 2.5), change('dissolve', 0.5)], everySecond, 10, null],
    ['two beats', cuts(1.5, 2.5, 3), beats(1.5, 2.5), 10, 0.667 - 0.028],
    ['one beat', cuts(1, 2, 3), beats(1), 10, null],
    ['no time', cuts(1, 2, 3), everySecond, 0, null],
  ] as const) {
    test(`cuts on the beat: ${what}`, () => {
      const seen = cutsOnBeat(transitions, pulse, seconds);
      assert.equal(seen, share === null ? null : Number(share.toFixed(3)));
    });
  }

  test('half a minute of shots is believed whole, a quarter of it by half', () => {
    const of = (durationSeconds: number) =>
      pacingConfidence({ durationSeconds, shotConfidence: 0.8 } as VideoFacts);
    assert.deepEqual([of(7.5), of(30), of(120)], [0.4, 0.8, 0.8]);
  });
});

describe('sound', () => {
  const { loudness } = audioFacts();
  for (const [rangeLu, crestDb, durationSeconds, ratio] of [
    [7, 11, 40, 2],
    [3.5, 11, 40, 2.83],
    [3.5, 11, 20, 2.83],
    [3.5, 11, 19.9, 2],
    [3.5, null, 40, 4],
    [null, 7, 40, 4],
    [null, null, 40, 1],
    [20, 25, 40, 1],
    [0.1, 3.1, 40, 20],
    // Below half a unit neither counts further.
    [0.1, 11, 40, 7.48],
    [3.5, 3.1, 40, 11.31],
  ] as const) {
    test(`a range of ${rangeLu} LU and a crest of ${crestDb} dB over ${durationSeconds} s: ${ratio} to 1`, () => {
      const audio = audioFacts({ loudness: { ...loudness, rangeLu }, crestDb, durationSeconds });
      assert.equal(compressionRatio(audio), ratio);
    });
  }

  test('ranges and crests of a ratio are the inverse', () => {
    assert.deepEqual([rangeOfRatio(4), crestOfRatio(4), crestOfRatio(1)], [3.5, 7, 19]);
  });

  test('bass is 40 to 125 Hz over the body from 160 Hz to 4 kHz, less the common value', () => {
    const centresHz = [31.5, 40, 63, 125, 160, 1000, 4000, 5000];
    const boost = (bass: number, body: number, lufs: number | null = -20) => {
      const levelsDb = [0, bass, bass, bass, body, body, body, 0];
      return bassBoost({
        spectrum: { centresHz, levelsDb, quietDb: levelsDb },
        loudness: { ...loudness, integratedLufs: lufs },
      });
    };
    assert.deepEqual([boost(-20, -26), boost(-20, -20), boost(-5, -30), boost(-40, -20)], [3, -3, 12, -12]);
    assert.deepEqual(
      [
        boost(-20, -26, null),
        bassBoost({ loudness, spectrum: { centresHz: [5000], levelsDb: [-9], quietDb: [-9] } }),
      ],
      [0, 0],
    );
    const edges = [-20, -20, -40];
    const spectrum = { centresHz: [63, 160, 1000], levelsDb: edges, quietDb: edges };
    assert.equal(bassBoost({ loudness, spectrum }), 0);
    // Powers are averaged, not decibels.
    const levelsDb = [-20, -30, -30, -30, -30];
    assert.equal(
      bassBoost({ loudness, spectrum: { centresHz: [63, 80, 250, 500, 1000], levelsDb, quietDb: levelsDb } }),
      4.4,
    );
  });
});

test('the nearest common aspect ratio within 1 %, upright and lying, else the fraction', () => {
  for (const [size, ratio] of [
    ['1920×1080', '16:9'],
    ['1080×1920', '9:16'],
    ['640×480', '4:3'],
    ['720×720', '1:1'],
    ['1280×1024', '5:4'],
    ['1080×720', '3:2'],
    ['1600×1000', '16:10'],
    ['2000×1000', '2:1'],
    ['2100×900', '21:9'],
    ['1852×1000', '37:20'],
    ['2352×1000', '47:20'],
    ['2560×1080', '64:27'],
    ['2390×1000', '239:100'],
    ['1000×1009', '1:1'],
    ['1000×1011', '1000:1011'],
    ['500×300', '5:3'],
    ['1200×500', '239:100'],
  ] as const) {
    const [width, height] = size.split('×').map(Number);
    assert.equal(aspectRatioOf(width!, height!), ratio, size);
  }
});
