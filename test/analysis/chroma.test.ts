/** Change of harmony in spectra that are drawn: pitches that appear and disappear. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChromaMeter } from '../../src/analysis/spectrum/chroma.ts';

/** A bin for each hertz. */
const RATE = 8000;

/** Powers at frequencies. */
type Sound = Readonly<Record<number, number>>;
const A = { 440: 1 } as const;

/** So many frames of each, ten a second. */
function harmonyOf(...parts: readonly (readonly [frames: number, sound: Sound])[]) {
  const meter = new ChromaMeter(RATE, RATE);
  for (const [frames, sound] of parts) {
    const power = new Float64Array(RATE / 2 + 1);
    for (const [hz, value] of Object.entries(sound)) power[Number(hz)] = value;
    for (let frame = 0; frame < frames; frame++) meter.push(power);
  }
  return meter.finish();
}

const isNear = (observed: number, expected: number) =>
  assert.ok(Math.abs(observed - expected) < 1e-6, `${observed}, not ${expected}`);

describe('between two sounds harmony changes by the cosine distance of their pitch classes:', () => {
  for (const [what, before, after, expected] of [
    ['the same again', A, A, 0],
    ['louder', A, { 440: 9 }, 0],
    ['its octaves', A, { 110: 1, 220: 1, 880: 1, 1760: 1 }, 0],
    ['a semitone higher', A, { 466: 1 }, 1],
    ['less than half a semitone off', A, { 450: 1 }, 0],
    ['more than that', A, { 454: 1 }, 1],
    ['a third joins in', A, { 440: 1, 554: 1 }, 1 - Math.SQRT1_2],
    ['one of three times its magnitude', A, { 440: 1, 554: 9 }, 1 - 1 / Math.sqrt(10)],
    ['one goes, one stays, one comes', { 440: 1, 554: 1 }, { 554: 1, 659: 1 }, 0.5],
    ['something below 60 Hz joins in', A, { 440: 1, 59: 1 }, 0],
    ['something at 60 Hz', A, { 440: 1, 60: 1 }, 1 - Math.SQRT1_2],
    ['something at 2 kHz', A, { 440: 1, 2000: 1 }, 1 - Math.SQRT1_2],
    ['something above it', A, { 440: 1, 2001: 1 }, 0],
    ['silence', A, {}, 0],
  ] as [string, Sound, Sound, number][])
    test(what, () => isNear(harmonyOf([20, before], [20, after]).at(1.95, 0.5), expected));

  test('each of the twelve pitch classes is another', () => {
    const pitch = (semitone: number): Sound => ({ [Math.round(220 * 2 ** (semitone / 12))]: 1 });
    for (let semitone = 0; semitone < 12; semitone++)
      for (let other = 0; other <= 12; other++) {
        const isSame = semitone === other % 12;
        isNear(harmonyOf([9, pitch(semitone)], [9, pitch(other)]).at(0.85, 0.5), isSame ? 0 : 1);
      }
  });
});

describe('harmony at a time', () => {
  const change = harmonyOf([20, A], [20, { 554: 1 }]);

  test('is that of its surroundings: parts of a frame are weighted by their share', () => {
    // Half a second before it lie 4.8 frames of A and .2 of the other.
    isNear(change.at(1.97, 0.5), 1 - 0.2 / Math.hypot(4.8, 0.2));
    isNear(change.at(1.93, 0.5), 1 - 0.2 / Math.hypot(4.8, 0.2));
    isNear(change.at(1.95, 0.33), 1);
    isNear(change.at(1.2, 0.5), 0);
    isNear(change.at(2.7, 0.5), 0);
  });

  test('needs sound on both sides', () => {
    const early = harmonyOf([2, A], [20, { 554: 1 }]);
    assert.deepEqual([early.at(0.15, 0.2), early.at(0.15, 0.21)], [1, 0]);
    const late = harmonyOf([20, A], [2, { 554: 1 }]);
    assert.deepEqual([late.at(1.95, 0.2), late.at(1.95, 0.21)], [1, 0]);
  });

  test('goes by a clock that begins later', () => {
    isNear(change.from(1).at(0.95, 0.5), 1);
    isNear(change.from(0.5).from(0.75).at(0.7, 0.5), 1);
  });
});
