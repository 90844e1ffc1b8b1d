/** Onsets halfway between beats are evidence against a tempo, and for the one twice as fast. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { evidenceFor } from '../../src/analysis/beats/evidence.ts';
import { voteOnInterval } from '../../src/analysis/beats/tempo.ts';
import { HarmonicChange } from '../../src/analysis/spectrum/chroma.ts';

const LENGTH = 1000;
const BEAT = 60;

/** The sound repeats after each half beat, by `half` of how much it repeats after each whole one. */
function windowOf(half: number) {
  const correlation = Float64Array.from({ length: LENGTH }, (_, lag) => {
    if (lag % BEAT === 0) return 1;
    return lag % (BEAT / 2) === 0 ? half : 0;
  });
  return { startFrame: 0, endFrame: LENGTH, correlation };
}

describe('votes on a tempo', () => {
  const leader = (half: number) => voteOnInterval([windowOf(half)], BEAT)[0].interval;

  test('go to the faster one if as much repeats after half of a beat', () => {
    assert.equal(leader(1), BEAT / 2);
    assert.equal(leader(0.4), BEAT);
  });

  test('weigh repetitions at half beats by a half, against repetitions on the beat', () => {
    const preference = (bpm: number) => Math.exp(-0.5 * (Math.log2(bpm / 120) / 0.8) ** 2);
    for (const half of [0, 0.4, 0.7, 1]) {
      const votes = voteOnInterval([windowOf(half)], BEAT);
      const weightOf = (interval: number) => votes.find((vote) => vote.interval === interval)!.weight;
      // Four pulses of each train: all on the beat less half of all between; two on the beat and two between.
      const [whole, faster] = [4 - 2 * half, 2 + 2 * half];
      const expected = (whole * preference(100)) / (faster * preference(200));
      assert.ok(Math.abs(weightOf(BEAT) / weightOf(BEAT / 2) - expected) < 1e-9, `${half}`);
    }
  });
});

describe('evidence of a metrical hypothesis', () => {
  const spikes = (step: number, from: number, strength: number) =>
    Float32Array.from({ length: LENGTH }, (_, t) => ((t - from) % step === 0 && t >= from ? strength : 0));
  const evidenceOf = (half: number) => {
    const full = spikes(BEAT, 0, 4).map((level, t) => level + spikes(BEAT, BEAT / 2, half)[t]);
    const beats = Array.from({ length: 16 }, (_, k) => k * BEAT);
    const curve = { full, low: full, mid: full, high: full, kick: full, snare: full };
    return evidenceFor(
      { beats, interval: BEAT },
      { curve, harmony: new HarmonicChange(new Float64Array(12)), windows: [windowOf(half / 4)], votes: [] },
    );
  };

  test('is the share of places between beats with sound', () => {
    assert.equal(evidenceOf(0)['between'], 0);
    assert.ok(evidenceOf(4)['between'] > 0.99);
    // A level of 0.5 against a mean of (4 + 0.5) / 4 over the quarters of the beats.
    assert.ok(Math.abs(evidenceOf(0.5)['between']! - 0.5 / 1.125) < 0.01, `${evidenceOf(0.5)['between']}`);
  });

  test('is the number of beats after which the sound repeats', () => {
    const some = evidenceOf(2);
    assert.ok(Math.abs(some['repeats.half']! - 0.5) < 1e-6 && Math.abs(some['repeats.four']! - 1) < 1e-6);
  });
});
