/** Stretches of voice in made sound with known borders: any level, noise, digital silence, quiet consonants, no pauses. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Span } from '../../src/analysis/facts.ts';
import { Spectra } from '../../src/analysis/spectrum/spectra.ts';
import { pausesOf, talkCertainty } from '../../src/analysis/speech/pauses.ts';
import { findTalk } from '../../src/analysis/speech/talk.ts';
import { type BandLevels, VoiceBandMeter } from '../../src/analysis/speech/voice-bands.ts';
import type { TalkFacts } from '../../src/analysis/talk-facts.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const RATE = 16_000;
const SECONDS = 14;
/** Pauses of .3 to 1.5 s between phrases. */
const PHRASES: readonly Span[] = [
  [0.5, 2.5],
  [3, 5.2],
  [6.7, 8.5],
  [8.8, 10.9],
  [11.9, 13.5],
].map(([startSeconds, endSeconds]) => ({ startSeconds: startSeconds!, endSeconds: endSeconds! }));

interface Scene {
  /** Level of noise below the voice, dB; infinite: digital silence. */
  readonly noiseDb?: number;
  readonly gainDb?: number;
  /** Phrases end with a hiss of .12 s, so much below the voice, dB. */
  readonly hissDb?: number;
  readonly phrases?: readonly Span[];
}

/** A voice of 120 Hz with four syllables a second, which never fall silent. */
function made({ noiseDb = 50, gainDb = 0, hissDb, phrases = PHRASES }: Scene): Float32Array {
  const random = seededRandom(7);
  const noise = () => (random() + random() + random() - 1.5) * 2;
  const samples = new Float32Array(RATE * SECONDS);
  const level = 0.1;
  let past = 0;
  for (let n = 0; n < samples.length; n++) {
    const t = n / RATE;
    samples[n] = level * 10 ** (-noiseDb / 20) * noise();
    const phrase = phrases.find(({ startSeconds, endSeconds }) => t >= startSeconds && t < endSeconds);
    const hissFrom = (phrase?.endSeconds ?? 0) - 0.12;
    const white = noise();
    if (phrase !== undefined && hissDb !== undefined && t >= hissFrom)
      samples[n] += level * 10 ** (-hissDb / 20) * (white - past);
    else if (phrase !== undefined) {
      const swing = 0.65 + 0.35 * Math.sin(2 * Math.PI * 4 * t);
      for (let k = 1; k <= 40; k++) samples[n] += (level * swing * Math.sin(2 * Math.PI * 120 * k * t)) / k;
    }
    past = white;
    samples[n] *= 10 ** (gainDb / 20);
  }
  return samples;
}

function heard(samples: Float32Array): TalkFacts | null {
  let meter: VoiceBandMeter | undefined;
  const spectra = new Spectra(1024, RATE, 100, (power) => meter!.push(power));
  meter = new VoiceBandMeter({ fftSize: 1024, sampleRate: RATE, fullScale: spectra.fullScale });
  spectra.push(samples);
  spectra.finish();
  return findTalk(meter.finish());
}

describe('stretches of voice', () => {
  for (const [name, scene, inside, outside] of [
    ['in a quiet room', {}, 0.03, 0.13],
    ['in noise 15 dB below', { noiseDb: 15 }, 0.03, 0.2],
    ['above digital silence', { noiseDb: Number.POSITIVE_INFINITY }, 0.03, 0.08],
    ['with consonants 42 dB below them at their ends', { hissDb: 42 }, 0.03, 0.13],
    ['with quiet consonants at their ends in noise', { noiseDb: 15, hissDb: 13 }, 0.03, 0.2],
  ] as const)
    test(`${name} are found, without losing an end`, () => {
      const { runs } = heard(made(scene))!;
      assert.equal(runs.length, PHRASES.length, JSON.stringify(runs));
      for (const [at, { startSeconds, endSeconds }] of PHRASES.entries()) {
        const [early, late] = [startSeconds - runs[at].startSeconds, runs[at].endSeconds - endSeconds];
        assert.ok(early > -inside && early < outside, `${name}: begins ${early.toFixed(3)} s early`);
        assert.ok(late > -inside && late < outside, `${name}: ends ${late.toFixed(3)} s late`);
      }
    });

  test('are the same 12 dB softer and louder', () => {
    const usual = heard(made({ noiseDb: 20 }))!;
    for (const gainDb of [-12, 12]) {
      const { runs } = heard(made({ noiseDb: 20, gainDb }))!;
      assert.equal(runs.length, usual.runs.length);
      for (const [at, { startSeconds, endSeconds }] of runs.entries()) {
        assert.ok(Math.abs(startSeconds - usual.runs[at].startSeconds) <= 0.011);
        assert.ok(Math.abs(endSeconds - usual.runs[at].endSeconds) <= 0.011);
      }
    }
  });
});

describe('pauses', () => {
  test('have their lengths, with the margins of uncertain borders', () => {
    const wanted = PHRASES.slice(1).map(({ startSeconds }, at) => startSeconds - PHRASES[at].endSeconds);
    for (const noiseDb of [50, 15]) {
      const lengths = pausesOf(heard(made({ noiseDb }))!).map(({ lengthSeconds }) => lengthSeconds);
      assert.equal(lengths.length, wanted.length);
      for (const [at, length] of lengths.entries())
        assert.ok(Math.abs(length - wanted[at]) < 0.1, `${length} ${wanted[at]}`);
    }
  });

  for (const [name, phrases, noiseDb, isCertain] of [
    ['of clear speech are certain', PHRASES, 50, true],
    ['in noise 15 dB below are certain', PHRASES, 15, true],
    ['in noise as loud as the voice are not', PHRASES, -3, false],
    ['of a sound without any are not', [{ startSeconds: 0, endSeconds: SECONDS }], 50, false],
    ['of noise alone are not', [], 20, false],
  ] as const)
    test(name, () => {
      const talk = heard(made({ phrases, noiseDb }));
      assert.equal(talkCertainty(talk) > 0, isCertain, JSON.stringify(talk?.certainty));
    });

  test('that are all short demand the widest margins of cuts: consonants at their borders cannot be judged', () => {
    const starts = Array.from({ length: 10 }, (_, at) => 1.4 * at);
    const phrases = starts.map((startSeconds) => ({ startSeconds, endSeconds: startSeconds + 1.1 }));
    const { cutMargin, marginSeconds } = heard(made({ phrases }))!;
    assert.ok(Math.abs(cutMargin!.beforeSeconds + cutMargin!.afterSeconds + marginSeconds - 0.15) < 1e-9);
    assert.equal(heard(made({}))!.cutMargin, undefined);
  });

  for (const [separationDb, certainty, isUsed] of [
    [9, 2.3, true],
    [6.1, 2.9, false],
    [6.6, 6, true],
    [20, 2.1, false],
  ] as const)
    test(`${separationDb} dB below a voice with a certainty of ${certainty} are ${isUsed ? '' : 'not '}used`, () => {
      const facts = { separationDb, certainty, marginSeconds: 0, runs: [] };
      assert.equal(talkCertainty(facts) > 0, isUsed);
    });

  for (const [name, samples] of [
    ['a second of sound', made({}).subarray(0, RATE)],
    ['digital silence', new Float32Array(RATE * 5)],
    ['no sound', new Float32Array(0)],
  ] as const)
    test(`of ${name} are not used`, () => assert.equal(talkCertainty(heard(samples)), 0));
});

test('levels of bands count in half decibels from −120 dB', () => {
  const levels: BandLevels = (() => {
    const meter = new VoiceBandMeter({ fftSize: 1024, sampleRate: RATE, fullScale: 1 });
    meter.push(new Float64Array(513));
    meter.push(new Float64Array(513).fill(1));
    return meter.finish();
  })();
  assert.equal(levels.frames, 2);
  assert.equal(levels.at(0, 3), -120);
  assert.ok(levels.at(1, 3) > -1 && levels.at(1, 3) <= 7.5, String(levels.at(1, 3)));
});
