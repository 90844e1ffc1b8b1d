/** Silence, speech and the rest, each limit from both sides, on facts that are drawn. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { genreOf } from '../../src/analysis/soundtrack/genre.ts';
import { audioFacts } from '../support/clip-facts.ts';

const { loudness } = audioFacts();
const speech = (share: number) => ({ share, spans: [], confidence: 0.8 });
const silence = (share: number) => ({ share, spans: [] });

describe('a genre', () => {
  for (const [what, parts, name, confidence] of [
    ['music', {}, 'unknown', 0],
    ['speech', { speech: speech(0.75) }, 'speech', 0.6],
    ['a song with half of it sung', { speech: speech(0.5) }, 'unknown', 0],
    ['speech in half of what sounds', { speech: speech(0.3), silence: silence(0.5) }, 'speech', 0.48],
    ['speech in all that sounds', { speech: speech(0.9), silence: silence(0.5) }, 'speech', 0.8],
    ['silence but for a click', { silence: silence(0.981) }, 'silence', 1],
    ['a sound in silence', { silence: silence(0.98) }, 'unknown', 0],
    ['nothing that has a level', { loudness: { ...loudness, integratedLufs: null } }, 'silence', 1],
  ] as [string, Partial<AudioFacts>, string, number][])
    test(`${what}: ${name}`, () => {
      const found = genreOf(audioFacts(parts));
      assert.equal(found.name, name);
      assert.ok(Math.abs(found.confidence - confidence) < 1e-9, `${found.confidence}`);
    });
});
