/** Speech by its evidence, on curves that are drawn: what makes it, what takes it away, and where it begins and ends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findSpeech, withoutPlayedSpans } from '../../src/analysis/speech/speech.ts';
import { VOICE_FRAMES_PER_SECOND as FPS, type VoiceCurves } from '../../src/analysis/speech/voice.ts';

const SECONDS = 12;

interface Drawn {
  /** Power of loud frames. */
  readonly power?: number;
  /** Syllables a second, and how deep the level falls between them, 0..1. */
  readonly syllables?: number;
  readonly depth?: number;
  /** Semitones from a voiced frame to the next. */
  readonly glide?: number;
  /** Harmonicity of voiced frames. */
  readonly voiced?: number;
  /** No sound from … to, seconds. */
  readonly pauses?: readonly (readonly [number, number])[];
}

/** A voice: level by syllables, voiced where it is loud, its pitch up and down. */
function curves({
  power = 1,
  syllables = 4,
  depth = 0.9,
  glide = 0.5,
  voiced = 0.8,
  pauses = [],
}: Drawn = {}): VoiceCurves {
  const count = SECONDS * FPS;
  const out = {
    speechPower: new Float32Array(count),
    brightnessDb: new Float32Array(count),
    harmonicity: new Float32Array(count),
    pitchHz: new Float32Array(count),
  };
  for (let t = 0; t < count; t++) {
    const seconds = t / FPS;
    const phase = 0.5 + 0.5 * Math.cos(2 * Math.PI * syllables * seconds);
    const level = 1 - depth + depth * phase;
    const isLoud = phase > 0.5;
    const isPause = pauses.some(([from, to]) => t >= Math.round(from * FPS) && t < Math.round(to * FPS));
    out.speechPower[t] = isPause ? 0 : power * level * level;
    out.harmonicity[t] = isLoud ? voiced : 0.2;
    out.brightnessDb[t] = isLoud ? -25 : -5;
    out.pitchHz[t] = 150 * 2 ** ((glide * (t % 2)) / 12);
  }
  return out;
}

describe('speech', () => {
  for (const [what, drawn, isSpeech] of [
    ['a voice', {}, true],
    ['three syllables a second', { syllables: 3 }, true],
    ['a steady level whose pitch stays', { depth: 0, glide: 0 }, false],
    ['a pitch that stays, as of music', { glide: 0 }, false],
    ['one that moves by less than .05 semitones', { glide: 0.04 }, false],
    ['by just more', { glide: 0.06 }, true],
    ['by less than two semitones', { glide: 1.75 }, true],
    ['one that leaps as a melody does', { glide: 2.1 }, false],
    ['no clear pitch', { voiced: 0.2 }, false],
    ['next to no sound', { power: 0.1 }, false],
    ['a little more of it', { power: 0.4 }, true],
  ] as [string, Drawn, boolean][])
    test(`${what}: ${isSpeech ? 'is' : 'is none'}`, () => {
      const { share } = findSpeech(curves(drawn), SECONDS);
      assert.ok(isSpeech ? share > 0.8 : share === 0, `${share}`);
    });

  const spansOf = (pauses: Drawn['pauses']) =>
    findSpeech(curves({ pauses: pauses!, depth: 0.6 }), SECONDS).spans;

  test('is parted by pauses of more than .3 s', () => {
    // At 25 frames a second .28 and .36 s are 7 and 9 frames.
    assert.equal(spansOf([[6, 6.28]]).length, 1);
    const [first, second, ...others] = spansOf([[6, 6.36]]);
    assert.deepEqual(others, []);
    assert.deepEqual([first!.startSeconds, first!.endSeconds, second!.startSeconds], [0, 6, 6.36]);
  });

  test('of less than .3 s between pauses is none', () => {
    const between = (seconds: number) =>
      spansOf([
        [4, 5],
        [5 + seconds, 6 + seconds],
      ]).length;
    assert.deepEqual([between(0.28), between(0.36)], [2, 3]);
  });

  test('its share is that of the running time, its confidence that of clear windows', () => {
    assert.ok(Math.abs(findSpeech(curves(), 2 * SECONDS).share - 0.5) < 0.05);
    assert.equal(findSpeech(curves(), 1).share, 1);
    assert.equal(findSpeech(curves(), 0).share, 0);
    assert.ok(findSpeech(curves(), SECONDS).confidence > 0.8);
    const none = { ...curves(), speechPower: new Float32Array(SECONDS * FPS) };
    assert.deepEqual(findSpeech(none, SECONDS), { share: 0, spans: [], confidence: 1 });
  });
});

describe('speech that is played', () => {
  // A beat every half second.
  const beats = Array.from({ length: 40 }, (_, k) => ({
    ...{ timeSeconds: k / 2, confidence: 1, band: 'low' as const },
  }));
  const speech = { share: 0.5, spans: [{ startSeconds: 2, endSeconds: 8 }], confidence: 0.9 };
  /** Whether a span remains whose onsets have this delay after beats, seconds, each with a strength. */
  const stays = (onsets: readonly (readonly [number, number])[]) => {
    const found = onsets.map(([offset, strength], k) => ({
      ...{ timeSeconds: 3 + k / 2 + offset, strength, band: 'low' as const },
    }));
    const left = withoutPlayedSpans(speech, found, beats, 12);
    assert.equal(left.share, left.spans.length === 0 ? 0 : 0.5);
    return left.spans.length === 1;
  };
  const all = (offset: number, count = 5) => Array.from({ length: count }, () => [offset, 1] as const);

  for (const [what, onsets, expected] of [
    ['on beats', all(0), false],
    ['two onsets do not tell', all(0, 2), true],
    ['three do', all(0, 3), false],
    ['at quarters', all(0.125), false],
    ['at thirds', all(1 / 6), false],
    ['at halves', all(0.25), false],
    ['at two thirds', all(1 / 3), false],
    ['at three quarters', all(0.375), false],
    ['.024 s behind beats', all(0.024), false],
    ['.026 s behind', all(0.026), true],
    ['.024 s before them', all(0.476), false],
    ['.026 s before', all(0.474), true],
    ['all but a hundredth of their strength', [...all(0, 4), [0.07, 4 / 99] as const], true],
    ['all but a four hundredth', [...all(0, 4), [0.07, 4 / 399] as const], false],
  ] as const)
    test(`${what}: ${expected ? 'stays' : 'goes'}`, () => assert.equal(stays(onsets), expected));

  test('onsets outside of it, and without beats nearby, have no effect', () => {
    const at = (times: readonly number[]) =>
      times.map((timeSeconds) => ({ timeSeconds, strength: 1, band: 'low' as const }));
    const left = (times: readonly number[], known = beats) =>
      withoutPlayedSpans(speech, at(times), known, 12).spans.length;
    assert.equal(left([1, 1.5, 8, 8.5]), 1);
    assert.equal(left([2, 2.5, 7.5]), 0);
    assert.equal(left([3, 3.5, 4], beats.slice(0, 3)), 1);
    assert.equal(left([3, 3.5, 4], beats.slice(20)), 1);
  });
});
