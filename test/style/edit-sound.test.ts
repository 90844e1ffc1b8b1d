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
type Spans = readonly (readonly [number, number])[];
const speech = (...spans: Spans): AudioFacts['speech'] => ({
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

  test('its end and its fades', () => {
    // [name, changes, end, fade in, fade out]; the edit has 8 s, the song 60 s.
    const rows: readonly (readonly [string, Partial<EditSoundRequest>, number, number, number])[] = [
      ['from its beginning', { musicStartSeconds: 0 }, 8, 0, 2],
      ['of unknown bars', { barSeconds: null }, 8, 0.03, 1.5],
      ['of bars longer than a quarter of the edit', { barSeconds: 2.5 }, 8, 0.03, 2],
      [
        'of long bars in a long edit',
        { barSeconds: 4, slots: [{ ...SLOTS[0]!, endSeconds: 20 }] },
        20,
        0.03,
        3,
      ],
      ['that ends with the edit keeps its tail', { musicStartSeconds: 52 }, 8, 0.03, 0.03],
      ['that ends .7 s after the edit', { musicStartSeconds: 51.3 }, 8, 0.03, 0.03],
      ['that ends .8 s after the edit', { musicStartSeconds: 51.2 }, 8, 0.03, 2],
      ['that ends before the edit', { musicStartSeconds: 54.5 }, 5.5, 0.03, 0.03],
    ];
    for (const [name, change, end, fadeIn, fadeOut] of rows) {
      const [song] = planned({ sound: 'music', ...change })!.spans;
      assert.deepEqual(
        [song!.endSeconds, song!.fadeInSeconds, song!.fadeOutSeconds],
        [end, fadeIn, fadeOut],
        name,
      );
    }
  });

  test('that stops at its usual level fades over a bar', () => {
    // The last half second, in steps of a tenth: `count` steps have another level.
    const fades = (count: number, endDb: number, band: 'low' | 'mid' | 'high' = 'mid') => {
      const levels = Array.from({ length: 600 }, (_, step) => (step < 600 - count ? -20 : endDb));
      const silent = levels.map(() => -100);
      const levelsDb = { ...{ low: silent, mid: silent, high: silent }, [band]: levels };
      const beats = { low: [], kick: [], snare: [], full: [], chroma: [] };
      const music = facts(-14, { music: { levelStepSeconds: 0.1, levelsDb, beats } });
      return planned({ sound: 'music', music, musicStartSeconds: 52 })!.spans[0]!.fadeOutSeconds === 2;
    };
    const rows = [fades(5, -29), fades(5, -31), fades(4, -60), fades(5, -60, 'low'), fades(5, -60, 'high')];
    assert.deepEqual(rows, [true, false, true, false, false]);
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

  test('a phrase that crosses a cut is heard over a silent neighbor, for at most a second', () => {
    // Slots of take 0, 1 and 0: seconds 0, 4 and 8 of the output are seconds 10, .5 and 30 of their takes.
    const slots = [
      SLOTS[0]!,
      { ...SLOTS[1]!, sourceStartSeconds: 20 },
      { take: 2, sourceStartSeconds: 30, startSeconds: 8, endSeconds: 12 },
    ];
    const near = [slots[0]!, { ...slots[1]!, sourceStartSeconds: 0.5 }, slots[2]!];
    const spoken = (...spans: Spans) => facts(-14, { speech: speech(...spans) });
    const mute = facts(-14, { speech: speech() });
    // [name, slots, phrases of the take in the middle, takes beside it, start, end, start in the take]
    type Row = readonly [
      string,
      typeof slots,
      Spans,
      readonly [AudioFacts | null, AudioFacts | null],
      number[],
    ];
    const rows: readonly Row[] = [
      ['within its slot', slots, [[21, 22]], [null, null], [4, 8, 20]],
      ['to its end (L cut)', slots, [[22, 24.5]], [null, mute], [4, 8.53, 20]],
      ['a second of it', slots, [[22, 29]], [null, null], [4, 9, 20]],
      [
        'the last of two',
        slots,
        [
          [20.5, 21],
          [23, 24.2],
        ],
        [null, null],
        [4, 8.23, 20],
      ],
      ['not over speech', slots, [[22, 29]], [null, spoken([31, 32])], [4, 8, 20]],
      ['over speech elsewhere in the take', slots, [[22, 29]], [null, spoken([34.1, 36])], [4, 9, 20]],
      ['from its begin (J cut)', slots, [[19.5, 22]], [mute, null], [3.47, 8, 19.47]],
      ['a second of it before', slots, [[15, 22]], [null, null], [3, 8, 19]],
      ['from the start of the take', near, [[0, 2]], [null, null], [3.5, 8, 0]],
      [
        'the first of two',
        slots,
        [
          [19.8, 21],
          [22, 23],
        ],
        [null, null],
        [3.77, 8, 19.77],
      ],
      ['not over speech before it', slots, [[19.5, 22]], [spoken([11, 12]), null], [4, 8, 20]],
    ];
    for (const [name, places, phrases, [before, after], expected] of rows) {
      const { spans } = planned({ slots: places, takes: [before, spoken(...phrases), after] })!;
      const { startSeconds, endSeconds, sourceStartSeconds } = spans.find(({ source }) => source === 1)!;
      const found = [startSeconds, endSeconds, sourceStartSeconds];
      assert.deepEqual(
        found.map((value) => Number(value.toFixed(9))),
        expected,
        name,
      );
    }
  });

  test('the song is lowered once for phrases that follow within .85 s', () => {
    // [phrases of take 0 from second 10 of it, times of the gain]
    const rows: readonly (readonly [Spans, number[]])[] = [
      [
        [
          [11, 12],
          [12.84, 13.5],
        ],
        [0.85, 1, 3.5, 4.2],
      ],
      [
        [
          [11, 12],
          [12.86, 13.5],
        ],
        [0.85, 1, 2, 2.7, 2.71, 2.86, 3.5, 4.2],
      ],
      [
        [
          [11, 13.5],
          [11.5, 12],
        ],
        [0.85, 1, 3.5, 4.2],
      ],
      [
        [
          [12, 13],
          [11, 11.5],
        ],
        [0.85, 1, 3, 3.7],
      ],
      // The parts in the slot, which has no neighbor before it.
      [[[9, 11]], [-0.15, 0, 1, 1.7]],
      [[[13, 19]], [2.85, 3, 5, 5.7]],
      // Too short in the slot to be speech.
      [[[13.75, 15]], []],
      [[[13.65, 13.9]], []],
      [[[12, 12.31]], [1.85, 2, 2.31, 3.01]],
    ];
    for (const [phrases, times] of rows) {
      const { musicGain } = planned({ takes: [facts(-20, { speech: speech(...phrases) }), null] })!;
      const found = musicGain.map(({ timeSeconds }) => Number(timeSeconds.toFixed(6)));
      assert.deepEqual(found, times, JSON.stringify(phrases));
      assert.deepEqual(
        musicGain.map(({ gainDb }) => gainDb),
        times.map((_, at) => [0, -12, -12, 0][at % 4]),
      );
    }
  });

  test('gains are limited, and fades avoid clicks', () => {
    const spoken = (lufs: number) => facts(lufs, { speech: speech([11, 12], [21, 22]) });
    const { spans } = planned({ takes: [spoken(-30), spoken(10)] })!;
    assert.deepEqual(
      spans.map(({ gainDb, fadeInSeconds, fadeOutSeconds }) => [gainDb, fadeInSeconds, fadeOutSeconds]),
      [
        [0, 0.03, 2],
        [12, 0.03, 0.03],
        [-18, 0.03, 0.03],
      ],
    );
  });

  test('a take without speech lies 12 LU below the song; one of unknown loudness or with music is silent', () => {
    const quiet = { share: 0.29, confidence: 1, spans: [] };
    const tempo = { bpm: 120, confidence: 0.1, support: 0.6, alternatives: [] };
    // [first take, spans beside the song]
    const rows: readonly (readonly [AudioFacts, number])[] = [
      [facts(-20, { speech: quiet }), 1],
      [facts(-20, { speech: quiet, tempo }), 0],
      [facts(-20, { speech: quiet, tempo: { ...tempo, support: 0.59 } }), 1],
      [facts(-20, { speech: { ...quiet, share: 0.3 }, tempo }), 1],
      [facts(-20, { speech: quiet, loudness: { ...LOUDNESS, integratedLufs: null } }), 0],
    ];
    for (const [take, count] of rows) {
      const { spans, musicGain } = planned({ takes: [take, null] })!;
      assert.deepEqual(
        spans.slice(1).map(({ startSeconds, endSeconds, gainDb }) => [startSeconds, endSeconds, gainDb]),
        count === 0 ? [] : [[0, 4, -6]],
      );
      assert.deepEqual(musicGain, []);
    }
  });
});

test('takes alone follow each other with crossfades, at the loudness in their middle', () => {
  const slots = [
    { take: 0, sourceStartSeconds: 0, startSeconds: 0, endSeconds: 4 },
    { take: 1, sourceStartSeconds: 0.02, startSeconds: 4, endSeconds: 8 },
    { take: 2, sourceStartSeconds: 5, startSeconds: 8, endSeconds: 10 },
    { take: 3, sourceStartSeconds: 5, startSeconds: 10, endSeconds: 12 },
    { take: 4, sourceStartSeconds: 5, startSeconds: 12, endSeconds: 14 },
  ];
  const unknown = facts(0, { loudness: { ...LOUDNESS, integratedLufs: null } });
  const takes = [facts(-20), facts(-14), null, unknown, facts(-13)];
  for (const request of [{ music: null }, { sound: 'takes' }] as const) {
    const { spans, musicGain } = planned({ slots, takes, ...request })!;
    assert.deepEqual(musicGain, []);
    assert.deepEqual(
      spans.map((span) => [
        span.source,
        span.sourceStartSeconds,
        span.startSeconds,
        span.endSeconds,
        ...[span.gainDb, span.fadeInSeconds, span.fadeOutSeconds],
      ]),
      [
        [0, 0, 0, 4.05, 6, 0.03, 0.1],
        [1, 0, 3.98, 8.05, 0, 0.1, 0.1],
        [3, 4.95, 9.95, 12.05, 0, 0.1, 0.1],
        [4, 4.95, 11.95, 14, -1, 0.1, 0.1],
      ],
    );
  }
});
