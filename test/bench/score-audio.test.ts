/** The benchmark's rules for beats that are not even, speech and genre, on findings with known answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreBeatTrack, scoreMadeAudio } from '../../bench/score/audio.ts';
import { beatContinuity } from '../../bench/score/beats.ts';
import type { AudioFacts } from '../../src/analysis/facts.ts';

const every = (step: number, from = 0, count = 20) =>
  Array.from({ length: count }, (_, beat) => from + beat * step);
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

describe('continuity of beats', () => {
  const truth = every(0.5);
  const cases: [string, number[], number, number][] = [
    ['all right', truth, 1, 1],
    ['at twice the tempo', every(0.25, 0, 39), 0, 1],
    ['at half the tempo', every(1, 0, 10), 0, 1],
    ['off the beat', every(0.5, 0.25, 19), 0, 1],
    ['right from the eleventh on', [...every(0.37, 0.2, 10), ...every(0.5, 5, 10)], 9 / 20, 9 / 20],
    ['none', [], 0, 0],
  ];
  for (const [name, found, cmlt, amlt] of cases) {
    it(name, () => {
      const scored = beatContinuity(found, truth);
      near(scored.cmlt, cmlt);
      near(scored.amlt, amlt);
    });
  }
});

describe('scoring generated sound', () => {
  it('accepts a drifting tempo and each of several tempi of the truth', () => {
    const truth = { bpm: 120, beat_times_s: every(0.5) };
    assert.equal(scoreBeatTrack(every(0.5), 124, truth).tempoRight, false);
    assert.equal(scoreBeatTrack(every(0.5), 124, { ...truth, tempo_tolerance: 0.04 }).tempoRight, true);
    assert.equal(scoreBeatTrack(every(0.5), 90, { ...truth, tempi_bpm: [120, 90] }).tempoRight, true);
    near(scoreBeatTrack(every(0.5), 60, truth).octaveError, 0);
    assert.equal(scoreBeatTrack([], null, truth).tempoError, 1);
  });

  it('counts false beats and measures speech by share and overlap', () => {
    const facts = {
      durationSeconds: 30,
      beats: every(0.5).map((timeSeconds) => ({ timeSeconds, confidence: 0.5, band: 'full' })),
      tempo: null,
      speech: { share: 0.2, spans: [{ startSeconds: 2, endSeconds: 8 }], confidence: 1 },
      genre: { name: 'speech', confidence: 0.7 },
    } as unknown as AudioFacts;
    const scored = scoreMadeAudio(facts, { no_beat: true, speech_spans_s: [[4, 13]], genre: 'speech' });
    assert.equal(scored.beats, null);
    near(scored.falseBeatsPerMinute!, 40);
    near(scored.speech!.shareError, -0.1);
    near(scored.speech!.overlap, 4 / 11);
    assert.deepEqual(scored.genre, { wanted: 'speech', found: 'speech' });
    near(scored.confidence.beats, 0.5);
  });
});
