/** The benchmarks' own rules of scoring, on findings with known answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TrueTransition, Truth } from '../../bench/lib/truth.ts';
import { scoreBeats } from '../../bench/score/audio.ts';
import { type Hits, scoreTransitions } from '../../bench/score/transitions.ts';
import type { AudioFacts, Transition, VideoFacts } from '../../src/analysis/facts.ts';

const RATE = 25;

function found(type: Transition['type'], startSeconds: number, endSeconds: number): Transition {
  const frame = (seconds: number) => Math.round(seconds * RATE);
  return {
    type,
    startFrame: frame(startSeconds),
    endFrame: frame(endSeconds),
    startSeconds,
    endSeconds,
    easing: 'linear',
    confidence: 1,
  };
}

const cut = (seconds: number) => found('cut', seconds - 1 / RATE, seconds);

function wanted(
  type: TrueTransition['type'],
  startSeconds: number,
  endSeconds: number,
  marks: Partial<TrueTransition> = {},
): TrueTransition {
  return { type, startSeconds, endSeconds, optional: false, loose: false, ...marks };
}

function score(transitions: readonly Transition[], truth: Partial<Truth>) {
  const facts = {
    transitions,
    durationSeconds: 60,
    frameRate: { numerator: RATE, denominator: 1 },
  } as unknown as VideoFacts;
  const none = { cutsSeconds: [], optionalCutsSeconds: [], transitions: [] };
  return scoreTransitions(facts, { ...none, ...truth } as unknown as Truth);
}

const hits = (right: number, wrong: number, missed: number): Hits => ({ right, wrong, missed });

describe('scoring transitions', () => {
  const cases: [string, Transition[], Partial<Truth>, Hits, Hits][] = [
    ['a frame off is right', [cut(2.04)], { cutsSeconds: [2] }, hits(1, 0, 0), hits(0, 0, 0)],
    ['two frames off is wrong', [cut(2.08)], { cutsSeconds: [2] }, hits(0, 1, 1), hits(0, 0, 0)],
    ['one cut answers one', [cut(2)], { cutsSeconds: [2, 2.02] }, hits(1, 0, 1), hits(0, 0, 0)],
    ['an optional cut may be found', [cut(2)], { optionalCutsSeconds: [2] }, hits(0, 0, 0), hits(0, 0, 0)],
    [
      'a cut within an optional transition is tolerated',
      [cut(2.5)],
      { transitions: [wanted(null, 2, 3, { optional: true })] },
      hits(0, 0, 0),
      hits(0, 0, 0),
    ],
    [
      'half of the union is enough',
      [found('dissolve', 2, 3)],
      { transitions: [wanted('dissolve', 2, 3.9)] },
      hits(0, 0, 0),
      hits(1, 0, 0),
    ],
    [
      'less is not',
      [found('dissolve', 2, 3)],
      { transitions: [wanted('dissolve', 2, 4.2)] },
      hits(0, 0, 0),
      hits(0, 1, 1),
    ],
    [
      'but for a loose one',
      [found('dissolve', 2, 3)],
      { transitions: [wanted('dissolve', 2, 4.2, { loose: true })] },
      hits(0, 0, 0),
      hits(1, 0, 0),
    ],
    [
      'a cut in a wanted transition is a false cut',
      [cut(2.5)],
      { transitions: [wanted('wipe', 2, 3)] },
      hits(0, 1, 0),
      hits(0, 0, 1),
    ],
  ];
  for (const [name, transitions, truth, cuts, gradual] of cases) {
    it(name, () => {
      const scored = score(transitions, truth);
      assert.deepEqual({ cuts: scored.cuts, gradual: scored.gradual }, { cuts, gradual });
    });
  }

  it('another name counts against both types, and the length is still scored', () => {
    const { types, durationErrorsFrames } = score([found('dissolve', 2, 3.2)], {
      transitions: [wanted('wipe', 2, 3)],
    });
    assert.deepEqual(types, { dissolve: hits(0, 1, 0), wipe: hits(0, 0, 1) });
    assert.deepEqual(
      durationErrorsFrames.map((error) => Math.round(error)),
      [5],
    );
  });
});

describe('scoring beats', () => {
  const every = (step: number, from = 0) => Array.from({ length: 20 }, (_, beat) => from + beat * step);
  const beats = { bpm: 120, offsetSeconds: 0, phaseFree: false };
  const cases: [string, number[], number, typeof beats, number, number, number][] = [
    ['on the beat', every(0.5), 120, beats, 1, 0, 0],
    ['off by 60 ms', every(0.5, 0.06), 120, beats, 1, 0, 0],
    ['on the off-beat', every(0.5, 0.25), 120, beats, 0, 0, 0],
    ['on an off-beat that is as good', every(0.5, 0.25), 120, { ...beats, phaseFree: true }, 1, 0, 0],
    ['at half the tempo', every(1).slice(0, 10), 60, beats, 2 / 3, 0.5, 0],
  ];
  for (const [name, times, bpm, truth, beatF, tempoError, octaveError] of cases) {
    it(name, () => {
      const facts = {
        durationSeconds: 10,
        beats: times.map((timeSeconds) => ({ timeSeconds, confidence: 1, band: 'full' })),
        tempo: { bpm, confidence: 1, support: 1, alternatives: [] },
      } as unknown as AudioFacts;
      const scored = scoreBeats(facts, truth);
      assert.ok(Math.abs(scored.beatF - beatF) < 1e-9, `F ${scored.beatF}`);
      assert.deepEqual([scored.tempoError, scored.octaveError], [tempoError, octaveError]);
    });
  }
});
