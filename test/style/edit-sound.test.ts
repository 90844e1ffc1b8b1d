import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { type EditSoundRequest, planEditSound } from '../../src/style/plan/edit-sound.ts';
import { audioFacts } from '../support/clip-facts.ts';

const LOUDNESS = { rangeLu: 5, truePeakDbtp: -1, shortTermLufs: [] };
const facts = (integratedLufs: number, parts: Partial<AudioFacts> = {}) =>
  audioFacts({
    durationSeconds: 60,
    loudness: { ...LOUDNESS, integratedLufs },
    tempo: null,
    beats: [],
    ...parts,
  });
const speech = (...spans: readonly (readonly [number, number])[]): AudioFacts['speech'] => ({
  share: 0.8,
  confidence: 1,
  spans: spans.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds })),
});
const SONG = facts(-14);
/** Two slots of four seconds: take 0 from second 10, take 1 from second 20. */
const SLOTS = [
  { take: 0, sourceStartSeconds: 10, startSeconds: 0, endSeconds: 4 },
  { take: 1, sourceStartSeconds: 20, startSeconds: 4, endSeconds: 8 },
];
const planned = (change: Partial<EditSoundRequest>) =>
  planEditSound({
    slots: SLOTS,
    takes: [facts(-20), facts(-20)],
    music: SONG,
    musicStartSeconds: 5,
    barSeconds: 2,
    sound: 'mix',
    ...change,
  });

describe('the song alone', () => {
  test('begins at the planned time, and ends with a fade of a bar', () => {
    const { spans, musicGain } = planned({ sound: 'music' })!;
    assert.deepEqual(spans, [
      {
        ...{ source: 'music', sourceStartSeconds: 5, startSeconds: 0, endSeconds: 8 },
        ...{ gainDb: 0, fadeInSeconds: 0.03, fadeOutSeconds: 2 },
      },
    ]);
    assert.deepEqual(musicGain, []);
  });

  test('that ends with the edit keeps its tail', () => {
    const [song] = planned({ sound: 'music', musicStartSeconds: 52 })!.spans;
    assert.deepEqual([song!.endSeconds, song!.fadeOutSeconds], [8, 0.03]);
  });

  test('that stops at its usual level fades over a bar', () => {
    const endingAt = (endDb: number) => {
      const levels = Array.from({ length: 120 }, (_, step) => (step < 118 ? -20 : endDb));
      const beats = { low: [], kick: [], snare: [], full: [], chroma: [] };
      const music = { levelStepSeconds: 0.5, levelsDb: { low: levels, mid: levels, high: levels }, beats };
      const song = facts(-14, { music });
      return planned({ sound: 'music', music: song, musicStartSeconds: 52 })!.spans[0]!.fadeOutSeconds;
    };
    assert.deepEqual([endingAt(-25), endingAt(-45)], [2, 0.03]);
  });

  test('takes without sound and no song: nothing is heard', () => {
    assert.equal(planned({ music: null, takes: [null, null] }), null);
  });
});

describe('takes over the song', () => {
  test('speech is brought to the loudness of the song, which is ducked under it', () => {
    const { spans, musicGain } = planned({ takes: [facts(-20, { speech: speech([11, 12]) }), null] })!;
    assert.deepEqual(
      spans.map(({ source, gainDb }) => [source, gainDb]),
      [
        ['music', 0],
        [0, 6],
      ],
    );
    assert.deepEqual(musicGain, [
      { timeSeconds: 0.85, gainDb: 0 },
      { timeSeconds: 1, gainDb: -12 },
      { timeSeconds: 2, gainDb: -12 },
      { timeSeconds: 2.7, gainDb: 0 },
    ]);
  });

  test('a phrase that runs over the cut is heard to its end over a take that is silent (L cut)', () => {
    const [, take] = planned({ takes: [facts(-14, { speech: speech([12, 14.5]) }), null] })!.spans;
    assert.deepEqual([take!.startSeconds, take!.endSeconds], [0, 4.53]);
  });

  test('it is heard for at most a second longer, and not over a take that speaks itself', () => {
    const long = facts(-14, { speech: speech([12, 19]) });
    assert.equal(planned({ takes: [long, null] })!.spans[1]!.endSeconds, 5);
    const both = planned({ takes: [long, facts(-14, { speech: speech([21, 22]) })] })!;
    assert.equal(both.spans[1]!.endSeconds, 4);
  });

  test('a phrase that begins before its slot is heard over the slot before (J cut)', () => {
    const { spans } = planned({ takes: [null, facts(-14, { speech: speech([19.5, 22]) })] })!;
    assert.deepEqual([spans[1]!.startSeconds, spans[1]!.sourceStartSeconds], [3.47, 19.47]);
  });

  test('a take without speech lies 12 LU below the song; one with music of its own is silent', () => {
    const music = facts(-10, {
      tempo: { bpm: 120, confidence: 0.1, support: 0.9, alternatives: [] },
      speech: { share: 0, confidence: 1, spans: [] },
    });
    const { spans, musicGain } = planned({
      takes: [facts(-20, { speech: { share: 0, confidence: 1, spans: [] } }), music],
    })!;
    assert.deepEqual(
      spans.map(({ source, gainDb }) => [source, gainDb]),
      [
        ['music', 0],
        [0, -6],
      ],
    );
    assert.deepEqual(musicGain, []);
  });
});

test('takes alone follow each other with crossfades, at one loudness', () => {
  const { spans } = planned({ music: null, takes: [facts(-20), facts(-14)] })!;
  assert.deepEqual(
    spans.map(({ startSeconds, endSeconds, gainDb }) => [startSeconds, endSeconds, gainDb]),
    [
      [0, 4.05, 6],
      [3.95, 8, 0],
    ],
  );
});
