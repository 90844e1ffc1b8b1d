/** The rules of a genre, each limit from both sides, on facts that are drawn. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { guessGenre } from '../../src/analysis/soundtrack/genre.ts';
import { audioFacts, pulse } from '../support/clip-facts.ts';

const { loudness } = audioFacts();
const tempo = (bpm: number) => ({ bpm, confidence: 1, support: 1, alternatives: [] });
const onsets = (perSecond: number) =>
  Array.from({ length: 40 * perSecond }, (_, k) => ({
    timeSeconds: k / perSecond,
    strength: 1,
    band: 'low' as const,
  }));
const spectrum = (bassDb: number) => {
  const centresHz = [50, 100, 140, 160, 1000, 5000];
  const levelsDb = centresHz.map((hz) => (hz < 150 ? bassDb - 40 : -40));
  return { centresHz, levelsDb, quietDb: levelsDb };
};
/** A song of forty seconds of which so many of a hundred beats have a kick. */
const beats = (kicks: number, band: 'low' | 'full' = 'low') =>
  pulse(150, 40).beats.map((beat, k) => ({ ...beat, band: k < kicks ? band : ('high' as const) }));

const DANCE = { tempo: tempo(128), beats: beats(100), spectrum: spectrum(12), crestDb: 14 };
const WALL = { tempo: tempo(170), beats: beats(0), spectrum: spectrum(0), crestDb: 9, onsets: onsets(5) };
const speech = (share: number, confidence = 0.8) => ({ share, spans: [], confidence });

describe('a genre', () => {
  for (const [what, parts, variation, name] of [
    ['machine-made dance music', DANCE, 1, 'electronic'],
    ['as slow as 118', { ...DANCE, tempo: tempo(118) }, 1, 'electronic'],
    ['no slower', { ...DANCE, tempo: tempo(117) }, 1, 'unknown'],
    ['as fast as 150', { ...DANCE, tempo: tempo(150) }, 1, 'electronic'],
    ['no faster', { ...DANCE, tempo: tempo(151) }, 1, 'unknown'],
    ['a kick on more than nine beats of ten', { ...DANCE, beats: beats(91) }, 1, 'electronic'],
    ['on nine is a breakbeat', { ...DANCE, beats: beats(90) }, 1, 'unknown'],
    ['a kick may sound on all bands', { ...DANCE, beats: beats(100, 'full') }, 1, 'electronic'],
    ['bass by more than 9 dB', { ...DANCE, spectrum: spectrum(9.1) }, 1, 'electronic'],
    ['by less it may be anything', { ...DANCE, spectrum: spectrum(8.9) }, 1, 'unknown'],
    ['a wall of guitars', WALL, 0.3, 'rock'],
    ['whose peaks stand out by less than 11 dB', { ...WALL, crestDb: 10.9 }, 0.3, 'rock'],
    ['not by more', { ...WALL, crestDb: 11.1 }, 0.3, 'unknown'],
    ['nor by nobody knows how much', { ...WALL, crestDb: null }, 0.3, 'unknown'],
    ['whose level hardly varies', WALL, 0.49, 'rock'],
    ['not where it varies', WALL, 0.51, 'unknown'],
    ['with more than four onsets a second', { ...WALL, onsets: onsets(4).slice(0, 160) }, 0.3, 'unknown'],
    ['music without a beat', { ...WALL, tempo: null }, 0.3, 'unknown'],
    ['speech', { ...DANCE, speech: speech(0.51) }, 1, 'speech'],
    ['a song with half of it sung', { ...DANCE, speech: speech(0.5) }, 1, 'electronic'],
    [
      'speech in half of what sounds',
      { ...DANCE, speech: speech(0.3), silence: { share: 0.45, spans: [] } },
      1,
      'speech',
    ],
    ['silence but for a click', { ...DANCE, silence: { share: 0.981, spans: [] } }, 1, 'silence'],
    ['a sound in silence', { ...DANCE, silence: { share: 0.98, spans: [] } }, 1, 'electronic'],
    ['nothing that has a level', { ...DANCE, loudness: { ...loudness, integratedLufs: null } }, 1, 'silence'],
  ] as [string, Partial<AudioFacts>, number, string][])
    test(`${what}: ${name}`, () => assert.equal(guessGenre(audioFacts(parts), variation).name, name));

  test('has the confidence of its rules, speech that of its evidence', () => {
    const sureness = (parts: Partial<AudioFacts>, variation = 1) =>
      guessGenre(audioFacts(parts), variation).confidence;
    assert.deepEqual([sureness(DANCE), sureness(WALL, 0.3), sureness({ tempo: null })], [0.6, 0.6, 0]);
    assert.equal(sureness({ silence: { share: 1, spans: [] } }), 1);
    assert.ok(Math.abs(sureness({ speech: speech(0.75) }) - 0.6) < 1e-9);
    assert.equal(sureness({ speech: speech(0.9), silence: { share: 0.5, spans: [] } }), 0.8);
  });
});
