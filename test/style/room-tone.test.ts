import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { loudnessOnly, maxLoudness } from '../../src/style/audio/audio.ts';
import { clipFacts } from '../support/clip-facts.ts';

function audio(integratedLufs: number, quiet: number, change: Partial<AudioFacts> = {}): AudioFacts {
  const known = clipFacts().audio!;
  const shortTermLufs = [quiet, quiet, ...Array.from({ length: 8 }, () => integratedLufs)];
  return {
    ...known,
    loudness: { ...known.loudness, integratedLufs, shortTermLufs },
    tempo: null,
    speech: { share: 0, spans: [], confidence: 1 },
    ...change,
  };
}

test('quiet background is not raised to noise; what carries speech, a beat or a level is', () => {
  const tempo = { bpm: 120, confidence: 0.9, support: 0.9, alternatives: [] };
  const speech = { share: 0.5, spans: [], confidence: 1 };
  const table: [string, AudioFacts, number][] = [
    ['hum', audio(-38, -38), -30],
    ['hum with little in it', audio(-36, -40), -26],
    ['hum that is loud already', audio(-30, -30), -30],
    ['a workshop', audio(-34, -39), -21],
    ['a street, up to −20', audio(-34, -42), -20],
    ['an event in a quiet room', audio(-30, -50), -14],
    ['quiet speech', audio(-38, -38, { speech }), -14],
    ['quiet music', audio(-38, -38, { tempo }), -14],
    ['a loud stream', audio(-20, -20), -14],
  ];
  for (const [what, facts, target] of table) assert.equal(loudnessOnly(facts).targetLufs, target, what);
  assert.equal(maxLoudness(audio(-20, -20)), Number.POSITIVE_INFINITY);
});
