/** Delays with known answers, after changes of sound and picture as in an edit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audioDelay, likenessOf, videoDelay } from '../../bench/score/sync.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const RATE = 16_000;
const random = seededRandom(4);
const noise = Float32Array.from({ length: 3 * RATE }, () => random() - 0.5);
const words = noise.map((value, n) => value * Math.max(0, Math.sin((2 * Math.PI * 4 * n) / RATE)) ** 2);
const window = (audio: Float32Array, late: number) => audio.subarray(RATE - late, 2.5 * RATE - late);

/** Duller by 6 dB an octave, with half its dynamics. */
function changed(audio: Float32Array): Float32Array {
  let held = 0;
  return audio.map((value) => {
    held += 0.2 * (value - held);
    return Math.sign(held) * Math.sqrt(Math.abs(held));
  });
}

const SOUNDS: readonly [string, Float32Array, Float32Array, number | null][] = [
  ['the same', words, words, 0],
  ['late by 40 ms', words, words, 640],
  ['early by 100 ms', words, words, -1600],
  ['late, duller and compressed', words, changed(words), 480],
  ['other sound', words, noise.map(() => random() - 0.5), null],
  ['silence', words, new Float32Array(3 * RATE), null],
  [
    'a tone',
    ...twice(Float32Array.from({ length: 3 * RATE }, (_, n) => Math.sin((2 * Math.PI * 440 * n) / RATE))),
    null,
  ],
];
for (const [name, before, after, late] of SOUNDS) {
  test(`sound: ${name}`, () => {
    const found = audioDelay(window(before, 0), window(after, late ?? 0), RATE);
    if (late === null) assert.equal(found, null);
    else assert.ok(found !== null && Math.abs(found - late / RATE) < 0.0011, `${found}`);
  });
}

function twice<T>(value: T): [T, T] {
  return [value, value];
}

test('picture: the moment that is most alike, when moments differ', () => {
  const lags = [-1, 0, 1, 2];
  assert.equal(videoDelay(lags, [0.9, 0.93, 0.97, 0.92]), 1);
  assert.equal(videoDelay(lags, [0.97, 0.9705, 0.9703, 0.97]), null);
  assert.equal(videoDelay(lags, [0.1, 0.3, 0.2, 0]), null);
});

test('pictures are as alike in another grade', () => {
  const one = Float32Array.from({ length: 100 }, random);
  assert.ok(
    likenessOf(
      one,
      one.map((value) => 0.6 * value + 20),
    ) > 0.9999,
  );
  assert.ok(Math.abs(likenessOf(one, Float32Array.from({ length: 100 }, random))) < 0.4);
  assert.equal(likenessOf(one, new Float32Array(100)), 0);
});
