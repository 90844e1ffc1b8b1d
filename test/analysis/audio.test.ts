import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { blocksOf, clicks, drums, joined, noise, ROCK, SAMPLE_RATE, sine } from '../support/audio.ts';

function analyse(
  channels: readonly Float32Array[],
  options: { blockLength?: number; startSeconds?: number } = {},
) {
  const analysis = new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: channels.length });
  for (const block of blocksOf(channels, options)) analysis.push(block);
  return analysis.finish();
}

describe('sound analysis', () => {
  it('finds nothing in silence, with confidence 0', () => {
    const facts = analyse([new Float32Array(SAMPLE_RATE * 5)]);
    assert.equal(facts.durationSeconds, 5);
    assert.equal(facts.loudness.integratedLufs, null);
    assert.equal(facts.crestDb, null);
    assert.equal(facts.tempo, null);
    assert.deepEqual(
      [facts.beats, facts.onsets, facts.spectrum.levelsDb, facts.speech.spans],
      [[], [], [], []],
    );
    assert.deepEqual(facts.silence, { share: 1, spans: [{ startSeconds: 0, endSeconds: 5 }] });
    assert.equal(facts.genre.name, 'silence');
    assert.equal(facts.confidence, 0);
  });

  it('takes an empty stream', () => {
    const facts = new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: 2 }).finish();
    assert.equal(facts.durationSeconds, 0);
    assert.equal(facts.tempo, null);
  });

  for (const [name, samples] of [
    ['white noise', noise(-20, 20)],
    ['a pure tone', sine(440, -10, 20)],
  ] as const) {
    it(`finds no pulse and no speech in ${name}`, () => {
      const facts = analyse([samples]);
      assert.equal(facts.tempo, null);
      assert.equal(facts.beats.length, 0);
      assert.equal(facts.speech.share, 0);
      assert.equal(facts.silence.share, 0);
    });
  }

  it('places onsets within 10 ms', () => {
    const { onsets } = analyse([clicks(75, 8, 0.4)]);
    assert.equal(onsets.length, 10);
    onsets.forEach((onset, i) => {
      assert.ok(Math.abs(onset.timeSeconds - (0.4 + 0.8 * i)) < 0.01, `${onset.timeSeconds}`);
    });
  });

  it('marks silence and keeps beats out of it', () => {
    const music = drums(110, 12, ROCK);
    const facts = analyse([joined(music, new Float32Array(6 * SAMPLE_RATE), music)]);
    assert.equal(facts.silence.spans.length, 1);
    // The last drum decays before its part ends.
    assert.ok(Math.abs(facts.silence.spans[0].startSeconds - 11.9) < 0.2);
    assert.ok(Math.abs(facts.silence.spans[0].endSeconds - 18) < 0.02);
    assert.equal(facts.beats.filter((beat) => beat.timeSeconds > 12.2 && beat.timeSeconds < 17.8).length, 0);
    assert.ok(facts.beats.some((beat) => beat.timeSeconds > 20));
  });

  it('does not depend on how the stream is cut into blocks', () => {
    const music = [drums(120, 6, ROCK), drums(120, 6, ROCK)];
    const expected = analyse(music);
    for (const blockLength of [1009, 44100 * 6]) assert.deepEqual(analyse(music, { blockLength }), expected);
  });

  it('counts a late start as silence', () => {
    const facts = analyse([drums(120, 8, ROCK)], { startSeconds: 2 });
    assert.ok(Math.abs(facts.durationSeconds - 10) < 0.01);
    assert.deepEqual(facts.silence.spans[0].startSeconds, 0);
    assert.ok(facts.beats[0].timeSeconds > 1.9);
  });

  it('takes samples that are no number for 0', () => {
    const damaged = sine(1000, -20, 3);
    damaged[1000] = Number.NaN;
    damaged[50000] = Number.POSITIVE_INFINITY;
    const facts = analyse([damaged]);
    assert.ok(Math.abs(facts.loudness.integratedLufs! + 23) < 0.2, `${facts.loudness.integratedLufs}`);
    assert.ok(facts.spectrum.levelsDb.every(Number.isFinite));
  });

  it('keeps its channel count when the stream changes its own', () => {
    const analysis = new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: 2 });
    const tone = sine(1000, -20, 1);
    const counts = [2, 1, 3, 2];
    counts.forEach((count, second) => {
      const channels = Array.from({ length: count }, () => tone);
      analysis.push({ startSeconds: second, sampleRate: SAMPLE_RATE, channels });
    });
    const facts = analysis.finish();
    assert.deepEqual([facts.channels, facts.durationSeconds], [2, 4]);
  });

  it('puts the level of a tone into its third of an octave', () => {
    const { spectrum } = analyse([sine(1000, -20, 5)]);
    const at = (hz: number) => spectrum.levelsDb[spectrum.centresHz.indexOf(hz)];
    assert.ok(Math.abs(at(1000) + 20) < 0.2, `${at(1000)}`);
    // The abrupt ends splatter a little.
    assert.ok(at(500) < -50 && at(2000) < -50, `${at(500)}, ${at(2000)}`);
  });

  it('names the band of an onset', () => {
    const bass = Array.from({ length: 10 }, () => joined(sine(60, -6, 0.2), new Float32Array(13230)));
    const hats = Array.from({ length: 10 }, () => joined(sine(8000, -20, 0.05), new Float32Array(19845)));
    const { onsets } = analyse([joined(...bass, ...hats)]);
    const bands = onsets.filter((onset) => onset.timeSeconds > 5.2 && onset.strength > 0.3);
    assert.ok(bands.length > 0 && bands.every((onset) => onset.band !== 'low'), JSON.stringify(bands));
  });
});
