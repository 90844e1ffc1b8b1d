import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRESETS } from '../../src/presets/presets.ts';
import { lengthQuantile, minShotSeconds } from '../../src/style/plan/pacing.ts';
import { trim } from '../../src/style/plan/trim.ts';
import { clipFacts, pulse } from '../support/clip-facts.ts';

const RATE = 25;
const SECONDS = 60;

test('of a shot that is too long the liveliest parts stay', () => {
  const style = { ...PRESETS[0].style, cut_frequency: 0.5 };
  const grid = { rate: { numerator: RATE, denominator: 1 }, frameCount: SECONDS * RATE };
  for (const lively of [4, 21, 38, 55]) {
    const activity = Array.from({ length: SECONDS }, (_, second) => (second === lively ? 1 : 0));
    const source = clipFacts({ video: { durationSeconds: SECONDS }, motion: { activity }, audio: null });
    const whole = { startFrame: 0, endFrame: SECONDS * RATE };
    const pieces = trim(source, [whole], grid, style, { reach: 1, seed: 3 });
    const kept = pieces.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
    assert.ok(pieces.length > 1 && kept < 0.8 * SECONDS * RATE, `${kept} frames kept`);
    const [from, to] = [lively * RATE, (lively + 1) * RATE];
    const seen = pieces.reduce(
      (sum, { startFrame, endFrame }) =>
        sum + Math.max(0, Math.min(endFrame, to) - Math.max(startFrame, from)),
      0,
    );
    assert.ok(seen > 0.5 * RATE, `${seen} frames of second ${lively} in ${JSON.stringify(pieces)}`);
  }
});

const STYLE = { ...PRESETS[0].style, cut_frequency: 0.5 };
const TYPICAL = Math.max(minShotSeconds(STYLE), lengthQuantile(STYLE, 0.5));

/** Remaining frames of one shot. */
function keptOf(seconds: number, parts: Parameters<typeof clipFacts>[0] = {}, seed = 3, reach = 1) {
  const frameCount = Math.round(seconds * RATE);
  const grid = { rate: { numerator: RATE, denominator: 1 }, frameCount };
  const source = clipFacts({ audio: null, ...parts, video: { durationSeconds: seconds, ...parts?.video } });
  return trim(source, [{ startFrame: 0, endFrame: frameCount }], grid, STYLE, { reach, seed });
}

test('a shot is left alone up to a quarter more than the typical length', () => {
  for (const [times, isWhole] of [
    [1.2, true],
    [1.31, false],
  ] as const) {
    const seconds = TYPICAL * times;
    const kept = keptOf(seconds).reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
    assert.equal(kept === Math.round(seconds * RATE), isWhole, `${times} times: ${kept} frames`);
  }
});

test('gaps between pieces are not too short, and joined pieces have no gap', () => {
  let [least, joined] = [Number.POSITIVE_INFINITY, 0];
  for (let seed = 0; seed < 40; seed++) {
    const pieces = keptOf(SECONDS, {}, seed, 0.5);
    const wanted = Math.round(SECONDS / (TYPICAL * 1.5));
    joined += wanted - pieces.length;
    for (const [index, { startFrame }] of pieces.slice(1).entries()) {
      const gap = startFrame - pieces[index].endFrame;
      assert.ok(gap >= 15, `${gap} frames left out (seed ${seed})`);
      least = Math.min(least, gap);
    }
  }
  // Over so many seeds some gap is near the shortest allowed one, .6 s.
  assert.ok(least <= 17 && joined > 0, `${least} frames, ${joined} joined`);
});

test('where the source has a pulse, lengths are whole beats', () => {
  // 100 beats a minute.
  const frames = 15;
  // One stretch: nothing is joined. One that is too short for this many beats stays whole.
  const stretch = Math.round(TYPICAL * 1.9 * RATE);
  const lengths = Array.from({ length: 40 }, (_, seed) =>
    keptOf(TYPICAL * 1.9, { audio: pulse(100, SECONDS) }, seed),
  )
    .flat()
    .map(({ startFrame, endFrame }) => endFrame - startFrame)
    .filter((length) => length < stretch);
  assert.ok(lengths.length > 10);
  assert.deepEqual(new Set(lengths.map((length) => length % frames)), new Set([0]));
});

test('nothing starts or ends inside speech, in any order of spans', () => {
  // Each within two frames of the next, so that leaving one leads into another.
  const spans = Array.from({ length: 200 }, (_, k) => k)
    .filter((k) => k % 10 < 7)
    .map((k) => ({ startSeconds: k * 0.3, endSeconds: k * 0.3 + 0.27 }));
  const speech = { share: 0.6, spans, confidence: 0.9 };
  const ends = keptOf(SECONDS, { audio: { speech } }).flatMap(({ startFrame, endFrame }) => [
    startFrame,
    endFrame,
  ]);
  for (const frame of ends.filter((one) => one > 0 && one < SECONDS * RATE)) {
    const inside = spans.find(
      ({ startSeconds, endSeconds }) => startSeconds * RATE < frame && frame < endSeconds * RATE,
    );
    assert.equal(inside, undefined, `frame ${frame} in ${JSON.stringify(inside)}`);
  }
});

test('loud parts stay too, for a whole second', () => {
  const quiet = Array.from({ length: SECONDS }, () => -40);
  for (const loud of [5, 22, 39]) {
    const shortTermLufs = quiet.with(loud, -14);
    const loudness = { integratedLufs: -20, rangeLu: 8, truePeakDbtp: -2, shortTermLufs };
    const pieces = keptOf(SECONDS, { audio: { loudness } });
    const inside = pieces.some(
      ({ startFrame, endFrame }) => startFrame <= (loud + 0.2) * RATE && endFrame >= (loud + 0.8) * RATE,
    );
    assert.ok(inside, `second ${loud} in ${JSON.stringify(pieces)}`);
  }
});
