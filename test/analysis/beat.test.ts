import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import {
  beatScore,
  beatTimes,
  blocksOf,
  clicks,
  type DrumPattern,
  drums,
  joined,
  noise,
  ROCK,
  SAMPLE_RATE,
} from '../support/audio.ts';

function analyse(samples: Float32Array) {
  const analysis = new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: 1 });
  for (const block of blocksOf([samples])) analysis.push(block);
  const facts = analysis.finish();
  return { ...facts, times: facts.beats.map((beat) => beat.timeSeconds) };
}

function assertTempo(actual: number | undefined, expected: number): void {
  assert.ok(
    actual !== undefined && Math.abs(actual / expected - 1) < 0.002,
    `${actual} BPM, not ${expected}`,
  );
}

describe('beat tracking', () => {
  for (const bpm of [60, 95, 128, 174]) {
    it(`follows clicks at ${bpm} BPM to 10 ms`, () => {
      const { tempo, times } = analyse(clicks(bpm, 20, 0.3));
      assertTempo(tempo?.bpm, bpm);
      const truth = beatTimes(bpm, 0.3, 20);
      for (const time of truth) {
        assert.ok(
          times.some((beat) => Math.abs(beat - time) < 0.01),
          `no beat at ${time}`,
        );
      }
      assert.ok(times.length <= truth.length + 2);
    });
  }

  const eighths = [0, 2, 4, 6, 8, 10, 12, 14];
  const sixteenths = Array.from({ length: 16 }, (_, i) => i);
  const patterns: [string, number, DrumPattern][] = [
    ['rock', 110, ROCK],
    ['off-beat hats', 124, { kick: [0, 4, 8, 12], snare: [4, 12], hat: [2, 6, 10, 14] }],
    ['four to the floor', 140, { kick: [0, 4, 8, 12], snare: [4, 12], hat: eighths }],
    ['swing', 140, { kick: [0, 8], snare: [4, 12], hat: [0, 4, 6, 8, 12, 14], swing: 1 / 6 }],
    ['a slow backbeat in eighths', 72, { kick: [0, 8], snare: [4, 12], hat: eighths }],
    ['hats off the beat alone', 126, { kick: [0, 4, 8, 12], hat: [2, 6, 10, 14] }],
    ['three to the bar', 100, { length: 12, kick: [0], snare: [4, 8] }],
  ];
  for (const [name, bpm, pattern] of patterns) {
    it(`follows ${name} at ${bpm} BPM`, () => {
      const { tempo, times } = analyse(drums(bpm, 24, pattern));
      assertTempo(tempo?.bpm, bpm);
      const score = beatScore(times, beatTimes(bpm, 0, 24));
      assert.ok(score >= 0.95, `F ${score}`);
    });
  }

  // Sixteenths at one tempo equal eighths at twice the tempo.
  const twofold: [string, number, DrumPattern][] = [
    ['fast drums that can be felt at half the tempo', 174, { kick: [0, 10], snare: [4, 12], hat: eighths }],
    ['a slow song in sixteenths', 66, { kick: [0, 7, 8], snare: [4, 12], hat: sixteenths }],
  ];
  for (const [name, bpm, pattern] of twofold) {
    it(`gives one of two tempi of ${name}, and the other as an alternative`, () => {
      const { tempo } = analyse(drums(bpm, 24, pattern));
      const found = [tempo!.bpm, ...tempo!.alternatives.map((other) => other.bpm)];
      const other = bpm > 120 ? bpm / 2 : bpm * 2;
      assert.ok(
        [bpm, other].some((one) => Math.abs(found[0] / one - 1) < 0.002),
        `${found[0]}`,
      );
      for (const one of [bpm, other])
        assert.ok(
          found.some((tempo) => Math.abs(tempo / one - 1) < 0.01),
          `${found}`,
        );
    });
  }

  it('follows an edit from one song to another', () => {
    const { tempo, times } = analyse(joined(drums(100, 20, ROCK), drums(140, 30, ROCK)));
    assertTempo(tempo?.bpm, 140);
    assert.ok(tempo!.alternatives.some((other) => Math.abs(other.bpm - 100) < 0.5));
    const score = beatScore(times, [...beatTimes(100, 0, 20), ...beatTimes(140, 20, 50)]);
    assert.ok(score >= 0.93, `F ${score}`);
  });

  it('finds the song between stretches of noise', () => {
    const { tempo, times } = analyse(joined(noise(-35, 20), drums(110, 24, ROCK), noise(-35, 20)));
    assertTempo(tempo?.bpm, 110);
    assert.ok(times[0] > 14 && times.at(-1)! < 50, `${times[0]} to ${times.at(-1)}`);
  });

  it('counts no beats through a beginning without a pulse', () => {
    const { times } = analyse(joined(noise(-30, 12), drums(120, 20, ROCK)));
    assert.ok(times[0] > 11.5 && times[0] < 13.1, `${times[0]}`);
  });

  it('keeps beats in order with confidences between 0 and 1', () => {
    const { beats } = analyse(drums(96, 15, ROCK));
    assert.ok(beats.every((beat) => beat.confidence > 0 && beat.confidence <= 1));
    assert.ok(beats.slice(1).every((beat, i) => beat.timeSeconds > beats[i].timeSeconds));
  });
});
