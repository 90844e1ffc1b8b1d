/** A pulse behind a wall of sound: no part of it repeats clearly, the whole keeps on in time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../bench/generate/random.ts';
import { trackBeats } from '../../src/analysis/beats/beat.ts';
import { ONSET_FRAMES_PER_SECOND as FPS } from '../../src/analysis/beats/onset-curve.ts';
import { HarmonicChange } from '../../src/analysis/spectrum/chroma.ts';
import { quantile } from '../../src/signal/statistics.ts';

const SECONDS = 60;
const BPM = 170;
const BEAT = (60 * FPS) / BPM;

/** Onsets by chance all over, and on the beats of 170 BPM some that are `strength` stronger. */
function heardIn(strength: number) {
  const random = new Random(4);
  const full = Float32Array.from({ length: SECONDS * FPS }, () => 10 * random.next() ** 4);
  for (let k = 0; k * BEAT < full.length; k++) full[Math.round(k * BEAT)] += strength * random.next();
  const curve = { full, low: full, mid: full, high: full, kick: full, snare: full };
  return trackBeats(curve, new HarmonicChange(new Float64Array(12)), quantile(full, 0.99), [], SECONDS);
}

describe('a pulse behind a wall of sound', () => {
  test('is found by its persistence', () => {
    const { tempo, beats } = heardIn(10);
    assert.ok(tempo !== null && Math.abs(tempo.bpm / BPM - 1) < 0.002, `${tempo?.bpm}`);
    assert.ok(Math.abs(beats.length / ((SECONDS * FPS) / BEAT) - 1) < 0.05, `${beats.length}`);
  });

  test('is none if onsets are random', () => {
    assert.equal(heardIn(0).tempo, null);
  });
});
