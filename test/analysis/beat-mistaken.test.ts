/** Sounds whose tempo is easily mistaken for another: right, or of low confidence. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import {
  beatScore,
  beatTimes,
  blocksOf,
  type DrumPattern,
  drums,
  joined,
  SAMPLE_RATE,
  tones,
} from '../support/audio.ts';

const CONFIDENT = 0.8;
const SECONDS = 24;

function analyze(samples: Float32Array): AudioFacts {
  const analysis = new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: 1 });
  for (const block of blocksOf([samples])) analysis.push(block);
  return analysis.finish();
}

function assertHonest({ tempo }: AudioFacts, bpm: number): void {
  const isRight = tempo !== null && Math.abs(tempo.bpm / bpm - 1) < 0.04;
  assert.ok(isRight || (tempo?.confidence ?? 0) < CONFIDENT, `${tempo?.bpm} BPM, ${tempo?.confidence}`);
}

const EIGHTHS = [0, 2, 4, 6, 8, 10, 12, 14];
const SIXTEENTHS = Array.from({ length: 16 }, (_, step) => step);

/** Steps of a sixteenth. */
const PATTERNS: readonly (readonly [string, DrumPattern, readonly number[]])[] = [
  ['dembow', { kick: [0, 4, 8, 12], snare: [3, 6, 11, 14] }, [96, 110]],
  ['bossa', { kick: [0, 3, 4, 7, 8, 11, 12, 15], snare: [0, 3, 6, 10, 13], hat: SIXTEENTHS }, [130]],
  ['half time', { kick: [0], snare: [8], hat: EIGHTHS }, [150]],
];

/** Steps of a third of a beat. */
const TRIPLET_PATTERNS: readonly (readonly [string, DrumPattern, readonly number[]])[] = [
  [
    'swing, kick on each beat',
    { kick: [0, 3, 6, 9], snare: [3, 9], hat: [0, 3, 5, 6, 9, 11] },
    [215, 255, 300],
  ],
  ['swing in two', { kick: [0, 6], snare: [3, 9], hat: [0, 3, 5, 6, 9, 11] }, [230, 285]],
  ['slow ballad', { kick: [0, 6], snare: [3, 9], hat: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, [60, 70]],
  ['triplets over a kick', { kick: [0, 6], hat: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, [60, 80]],
];

describe('a rhythm that resembles another tempo', () => {
  for (const [name, pattern, tempi] of PATTERNS)
    for (const bpm of tempi)
      test(`${name}, ${bpm} BPM`, () => {
        assertHonest(analyze(drums(bpm, SECONDS, pattern)), bpm);
      });
  for (const [name, pattern, tempi] of TRIPLET_PATTERNS)
    for (const bpm of tempi)
      test(`${name}, ${bpm} BPM`, () => {
        // A beat of the drum machine has four steps, one of these three.
        assertHonest(analyze(drums((bpm * 3) / 4, SECONDS, { ...pattern, length: 12 })), bpm);
      });
});

/** A note with two overtones at a time (s), in semitones from middle C. */
function pianoNote(at: number, semitones: number, amplitude: number) {
  return [1, 2, 3].map(
    (partial) => [at, 261.6 * partial * 2 ** (semitones / 12), amplitude / partial, 0.35 / partial] as const,
  );
}

describe('a slow song on a piano alone: a bass note on every other beat, broken chords', () => {
  const CHORDS = [
    [0, 4, 7],
    [9, 12, 16],
    [5, 9, 12],
    [7, 11, 14],
  ] as const;
  for (const bpm of [62, 66])
    test(`${bpm} BPM`, () => {
      const beat = 60 / bpm;
      const notes = beatTimes(bpm, 0.3, 30).flatMap((at, k) => {
        const [root, third, fifth] = CHORDS[Math.floor(k / 4) % 4];
        return [
          ...(k % 2 === 0 ? pianoNote(at, root - 24, 0.3) : []),
          ...pianoNote(at, root, 0.1),
          ...pianoNote(at + beat / 4, fifth, 0.05),
          ...pianoNote(at + beat / 2, third, 0.1),
          ...pianoNote(at + (3 * beat) / 4, fifth, 0.05),
          ...pianoNote(at, [root, third, fifth][k % 3] + 12, 0.1),
        ];
      });
      assertHonest(analyze(tones(31, notes)), bpm);
    });
});

describe('fast swing: a ride whose short notes are nearly even, a walking bass on every other beat', () => {
  const WALK = [0, 4, 7, 9, 12, 9, 7, 4];
  for (const bpm of [240, 260])
    test(`${bpm} BPM`, () => {
      const notes = beatTimes(bpm, 0.3, 22).flatMap((at, k) => [
        [at, 7000, 0.25, 0.03] as const,
        ...(k % 2 === 0
          ? [[at, 55 * 2 ** (WALK[(k / 2) % 8] / 12), 0.4, 0.15] as const]
          : [[at + (0.58 * 60) / bpm, 7000, 0.2, 0.03] as const]),
      ]);
      assertHonest(analyze(tones(23, notes)), bpm);
    });
});

describe('clicks alone', () => {
  for (const [bpm, bar, accent, accentHz] of [
    [176, 2, 2, 1500],
    [208, 2, 2, 1500],
    [208, 4, 1, 1600],
    [240, 3, 2, 2000],
    [240, 4, 3, 1500],
  ] as const)
    test(`${bpm} BPM, the first of ${bar} accented ${accent} times, ${accentHz} Hz`, () => {
      const clicks = beatTimes(bpm, 0.77, SECONDS).map((at, k) =>
        k % bar === 0 ? ([at, accentHz, 0.2 * accent, 0.004] as const) : ([at, 1000, 0.2, 0.004] as const),
      );
      assertHonest(analyze(tones(SECONDS, clicks)), bpm);
    });
});

describe('the two sounds of a heart', () => {
  for (const [bpm, secondSound, level] of [
    [48, 0.294, 0.45],
    [48, 0.32, 0.2],
    [55, 0.294, 0.2],
    [68, 0.36, 0.2],
    [85, 0.26, 0.45],
  ] as const)
    test(`${bpm} a minute, the second after ${secondSound} s`, () => {
      const sounds = beatTimes(bpm, 0.2, 29).flatMap((at) => [
        [at, 55, 0.6, 0.03] as const,
        [at + secondSound, 70, level, 0.02] as const,
      ]);
      assertHonest(analyze(tones(30, sounds)), bpm);
    });
});

describe('two songs of one tempo, the second at another phase', () => {
  const BPM = 112;
  const beat = 60 / BPM;
  const first: DrumPattern = { kick: [0, 6, 8], snare: [4, 12], hat: EIGHTHS };
  const house: DrumPattern = { kick: [0, 4, 8, 12], snare: [4, 12], hat: [2, 6, 10, 14] };
  const sixteenths: DrumPattern = { kick: [0, 7, 10], snare: [4, 12], hat: SIXTEENTHS };
  for (const [name, second, shifts] of [
    ['house', house, [0.25, 0.4, 0.5, 0.7]],
    ['sixteenths', sixteenths, [0.25, 0.5, 0.7]],
  ] as const)
    for (const shift of shifts)
      test(`${name}, ${shift} of a beat late: both sides are followed, or the wrong one has low confidence`, () => {
        const end = (36 + shift) * beat;
        const { beats } = analyze(joined(drums(BPM, end, first), drums(BPM, 36 * beat, second)));
        for (const [from, to, phase] of [
          [1, end - 1, 0],
          [end + 1, end + 35 * beat, end],
        ] as const) {
          const own = beats.filter(({ timeSeconds }) => timeSeconds >= from && timeSeconds < to);
          const expected = beatTimes(BPM, phase, to).filter((at) => at >= from);
          const score = beatScore(
            own.map(({ timeSeconds }) => timeSeconds),
            expected,
          );
          const confidence = own.reduce((sum, one) => sum + one.confidence, 0) / Math.max(1, own.length);
          // Beats after a splice have a confidence of .2 to .56 (decision 0278).
          assert.ok(score > 0.9 || confidence < 0.57, `from ${from} s: F ${score}, confidence ${confidence}`);
        }
      });
});
