import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StandstillWatch } from '../../src/render/verify/standstill.ts';

const RATE = 30;
const FRAMES = 60;
/** 80 samples of frame n. */
type Picture = (frame: number, sample: number) => number;

const moving: Picture = (n, i) => 40 + ((n * 7 + i * 13) % 150);
const still: Picture = (_, i) => 40 + ((i * 13) % 150);
const noisy: Picture = (n, i) => 100 + (((n * 31 + i * 17) * 7919) % 5) - 2;
const black: Picture = () => 16;
const dark: Picture = (n, i) => 16 + ((n * 3 + i * 5) % 20);
const white: Picture = () => 235;
const freezesAt =
  (picture: Picture, first: number, end: number): Picture =>
  (n, i) =>
    picture(n >= first && n < end ? first : n, i);
const during =
  (picture: Picture, other: Picture, first: number, end: number): Picture =>
  (n, i) =>
    (n >= first && n < end ? other : picture)(n, i);
/** One in twelve samples moves: a caption, word by word. */
const captioned =
  (picture: Picture): Picture =>
  (n, i) =>
    i % 12 === 0 ? moving(n, i) : picture(n, i);

const alike = (samples: Uint8Array) => ({ points: samples, means: samples });
const samples = (picture: Picture, n: number) =>
  alike(Uint8Array.from({ length: 80 }, (_, i) => picture(n, i)));

function faultOf(expected: Picture, shown: Picture): string | null {
  const watch = new StandstillWatch(RATE);
  for (let n = 0; n < FRAMES; n++) watch.push(samples(expected, n), samples(shown, n));
  return watch.fault;
}

describe('StandstillWatch', () => {
  for (const [name, expected, shown] of [
    ['a picture that moves as it should', moving, moving],
    ['one that is frozen like its source', still, still],
    ['noise that the codec took away', noisy, () => 100],
    ['black as it should be', black, black],
    ['dark scenes that the grade sinks', dark, black],
    ['a standstill of a fifth of a second', moving, freezesAt(moving, 20, 26)],
    ['a single black frame', moving, during(moving, black, 20, 21)],
    ['brightness turned', moving, (n: number, i: number) => 0.7 * moving(n, i) + 30],
  ] as const) {
    test(`${name} is right`, () => assert.equal(faultOf(expected, shown), null));
  }

  for (const [name, word, expected, shown] of [
    ['a picture that stops for half a second', 'frozen', moving, freezesAt(moving, 20, 36)],
    ['one that stops for good', 'frozen', moving, freezesAt(moving, 20, FRAMES)],
    ['one that freezes under a changing caption', 'frozen', moving, captioned(freezesAt(moving, 20, FRAMES))],
    ['nothing but white', 'frozen', moving, white],
    ['black in the middle', 'black', moving, during(moving, black, 20, 30)],
    ['black throughout, under a caption', 'black', still, captioned(black)],
  ] as const) {
    test(`${name} is ${word}`, () =>
      assert.match(faultOf(expected, shown) ?? '', new RegExp(`^it is ${word}`)));
  }

  describe('limits, from both sides', () => {
    /** Of 80 samples the first `count` show one thing, the others another. */
    const partly =
      (count: number, first: Picture, others: Picture): Picture =>
      (n, i) =>
        (i < count ? first : others)(n, i);
    const at =
      (level: number): Picture =>
      () =>
        level;
    /** From frame 20 on so many levels higher. */
    const rises =
      (by: number): Picture =>
      (n) =>
        n < 20 ? 100 : 100 + by;
    for (const [what, expected, shown, fault] of [
      ['a quarter of the source is lit', partly(20, at(60), at(30)), black, true],
      ['less of it is', partly(19, at(60), at(30)), black, false],
      ['as much is, but darker', partly(20, at(59), at(30)), black, false],
      ['a tenth of what is shown is not black', white, partly(8, at(21), black), false],
      ['less of it is not', white, partly(7, at(21), black), true],
      ['as much is nearly', white, partly(8, at(20), black), true],
      ['a quarter moves by 12 levels', partly(20, rises(12), at(100)), at(100), true],
      ['less of it does', partly(19, rises(12), at(100)), at(100), false],
      ['as much moves by 11', partly(20, rises(11), at(100)), at(100), false],
      ['it moves in shadows', partly(20, (n) => (n < 20 ? 16 : 51), at(100)), at(100), false],
      ['it moves out of them', partly(20, (n) => (n < 20 ? 16 : 52), at(100)), at(100), true],
      ['it moves in highlights', partly(20, (n) => (n < 20 ? 235 : 209), at(100)), at(100), false],
      ['it moves out of them', partly(20, (n) => (n < 20 ? 235 : 208), at(100)), at(100), true],
      ['a tenth of what is shown moves', moving, partly(8, (n) => 100 + 2 * (n % 2), at(100)), true],
      ['more of it does', moving, partly(9, (n) => 100 + 2 * (n % 2), at(100)), false],
      ['more of it does, by one level', moving, partly(9, (n) => 100 + (n % 2), at(100)), true],
      ['black for a fifth of a second', moving, during(moving, black, 20, 26), true],
      ['black for less', moving, during(moving, black, 20, 25), false],
      ['frozen for three tenths', moving, freezesAt(moving, 20, 31), true],
      ['frozen for less', moving, freezesAt(moving, 20, 30), false],
    ] as const) {
      test(what, () => assert.equal(faultOf(expected, shown) !== null, fault));
    }

    test('two frames at least, however few there are in a second; the time is that of the last', () => {
      const watch = new StandstillWatch(5);
      const samples = (level: number) => alike(new Uint8Array(80).fill(level));
      watch.push(samples(100), samples(16));
      assert.equal(watch.fault, null);
      watch.push(samples(100), samples(16));
      assert.equal(watch.fault, 'it is black before 0.4 s, where the source is not');
      watch.push(samples(200), samples(16));
      assert.equal(watch.fault, 'it is black before 0.4 s, where the source is not', 'what was found first');
    });
  });

  test('where nothing is known, nothing is wrong', () => {
    const watch = new StandstillWatch(RATE);
    for (let n = 0; n < FRAMES; n++)
      watch.push(
        n % 5 === 0 ? null : alike(new Uint8Array(80).fill(200 - n)),
        alike(new Uint8Array(80).fill(16)),
      );
    assert.equal(watch.fault, null);
  });
});
