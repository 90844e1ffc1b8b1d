/** Bars, phrases and sections of songs with known ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AudioFacts } from '../../../src/analysis/facts.ts';
import { songOf } from '../../../src/analysis/music/song-of.ts';
import { audioFacts, pulse } from '../../support/clip-facts.ts';
import { noiseSource } from '../../support/moving-picture.ts';

const STEP_SECONDS = 0.5;
const BEAT_SECONDS = 0.5;

/** A song at 120 BPM: chords change on first beats, and levels from section to section. */
function song(
  beatsPerBar: number,
  phase: number,
  sections: readonly { bars: number; levelDb: number }[],
): AudioFacts {
  const bars = sections.reduce((sum, section) => sum + section.bars, 0);
  const count = bars * beatsPerBar + phase;
  const random = noiseSource(5);
  const loudness = sections.flatMap(({ bars: own, levelDb }) =>
    new Array<number>(own * beatsPerBar).fill(levelDb),
  );
  const barOf = (beat: number) => Math.floor((beat - phase) / beatsPerBar);
  const isFirst = (beat: number) => (beat - phase + beatsPerBar) % beatsPerBar === 0;
  const each = <Value>(of: (beat: number) => Value) => Array.from({ length: count }, (_, beat) => of(beat));
  const levels = each((beat) => (loudness[Math.max(0, beat - phase)] ?? -30) + random());
  const chord = (bar: number) => [0, 5, 7, 9][((bar % 4) + 4) % 4];
  return audioFacts({
    durationSeconds: count * BEAT_SECONDS,
    ...pulse(120, count * BEAT_SECONDS),
    music: {
      levelStepSeconds: STEP_SECONDS,
      levelsDb: { low: levels, mid: levels, high: levels },
      beats: {
        low: each((beat) => (isFirst(beat) ? 0.9 : 0.5) + 0.2 * random()),
        kick: each(() => 0.5 + 0.2 * random()),
        snare: each(() => 0.5 + 0.2 * random()),
        full: each(() => 0.8 + 0.1 * random()),
        chroma: each((beat) =>
          Array.from({ length: 12 }, (_, pitch) => (pitch === chord(barOf(beat)) ? 1 : 0)),
        ),
      },
    },
  });
}

const SECTIONS = [
  { bars: 8, levelDb: -24 },
  { bars: 8, levelDb: -12 },
  { bars: 8, levelDb: -24 },
];

describe('the end of the sound', () => {
  const levels = (tailDb: number) => [
    ...new Array<number>(20).fill(-14),
    ...new Array<number>(4).fill(tailDb),
  ];
  for (const [what, tailDb, spans, seconds] of [
    ['a tail that is heard', -50, [], 12],
    ['the noise of an encoder', -57, [], 10],
    ['digital silence', -120, [{ startSeconds: 10.2, endSeconds: 12 }], 10],
    ['silence within the last half second', -14, [{ startSeconds: 11.7, endSeconds: 12 }], 11.7],
    ['silence in the middle', -14, [{ startSeconds: 4, endSeconds: 5 }], 12],
  ] as const)
    test(`${what}: ${seconds} s`, () => {
      const low = levels(tailDb);
      const { music } = song(4, 0, SECTIONS);
      const facts = audioFacts({
        durationSeconds: 12,
        silence: { share: 0, spans },
        music: { ...music!, levelsDb: { low, mid: low, high: low } },
      });
      assert.equal(songOf(facts).soundEndSeconds, seconds);
    });
});

describe('bars', () => {
  for (const [beatsPerBar, phase] of [
    [4, 0],
    [4, 3],
    [3, 1],
  ] as const) {
    test(`of ${beatsPerBar}, the first at beat ${phase}`, () => {
      const found = songOf(song(beatsPerBar, phase, SECTIONS));
      assert.equal(found.beatsPerBar, beatsPerBar);
      const downbeats = found.beats.flatMap(({ isDownbeat }, beat) => (isDownbeat ? [beat] : []));
      assert.deepEqual(downbeats.slice(0, 3), [phase, phase + beatsPerBar, phase + 2 * beatsPerBar]);
    });
  }
  test('are not claimed without marks', () => {
    const facts = song(4, 0, SECTIONS);
    const random = noiseSource(9);
    const flat = facts.beats.map(() => 0.5 + 0.2 * random());
    const chroma = facts.beats.map(() => Array.from({ length: 12 }, () => 0.3 + 0.1 * random()));
    const beats = { low: flat, kick: flat, snare: flat, full: flat, chroma };
    const found = songOf({ ...facts, music: { ...facts.music!, beats } });
    assert.equal(found.beatsPerBar, 1);
    assert.ok(found.beats.every(({ isDownbeat }) => isDownbeat));
  });
});

test('sections begin at changes of level, and are in order without gaps', () => {
  const { sections, durationSeconds } = songOf(song(4, 0, SECTIONS));
  assert.deepEqual(
    sections.map(({ startSeconds }) => startSeconds),
    [0, 16, 32],
  );
  assert.equal(sections.at(-1)!.endSeconds, durationSeconds);
  assert.ok(sections[1].energy === 1 && sections[0].energy < 0.4);
});

test('each section begins a phrase', () => {
  const { beats } = songOf(song(4, 0, SECTIONS));
  const phrases = beats.filter(({ isPhraseStart }) => isPhraseStart).map(({ timeSeconds }) => timeSeconds);
  assert.ok(phrases.includes(16) && phrases.includes(32));
  for (const time of phrases) assert.equal(time % 8, 0);
});

test('the sound ends before trailing silence', () => {
  const silence = { share: 0.1, spans: [{ startSeconds: 36, endSeconds: 40 }] };
  assert.equal(songOf(audioFacts({ silence })).soundEndSeconds, 36);
});

test('sound without a beat has one section and no beats', () => {
  const found = songOf(audioFacts());
  assert.deepEqual([found.beats, found.beatsPerBar, found.sections.length], [[], 1, 1]);
});
