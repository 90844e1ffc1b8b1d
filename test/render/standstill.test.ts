import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StandstillWatch } from '../../src/render/standstill.ts';

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

function faultOf(expected: Picture, shown: Picture): string | null {
  const watch = new StandstillWatch(RATE);
  const samples = (picture: Picture, n: number) => Uint8Array.from({ length: 80 }, (_, i) => picture(n, i));
  for (let n = 0; n < FRAMES; n++) watch.push(samples(expected, n), samples(shown, n));
  return watch.fault;
}

describe('StandstillWatch', () => {
  for (const [name, expected, shown] of [
    ['a picture that moves as it should', moving, moving],
    ['one that stands still as it should', still, still],
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
    [
      'one that stops under a caption that goes on',
      'frozen',
      moving,
      captioned(freezesAt(moving, 20, FRAMES)),
    ],
    ['nothing but white', 'frozen', moving, white],
    ['black in the middle', 'black', moving, during(moving, black, 20, 30)],
    ['black throughout, under a caption', 'black', still, captioned(black)],
  ] as const) {
    test(`${name} is ${word}`, () =>
      assert.match(faultOf(expected, shown) ?? '', new RegExp(`^it is ${word}`)));
  }

  test('where nothing is known, nothing is wrong', () => {
    const watch = new StandstillWatch(RATE);
    for (let n = 0; n < FRAMES; n++)
      watch.push(n % 5 === 0 ? null : new Uint8Array(80).fill(200 - n), new Uint8Array(80).fill(16));
    assert.equal(watch.fault, null);
  });
});
