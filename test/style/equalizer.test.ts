/** The equaliser for the bass alone and for words, and its limits, on third-octave spectra. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { equalizerTowards } from '../../src/style/audio/equalizer.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { bassBoost } from '../../src/style/model/audio-measures.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { audioFacts, clipFacts } from '../support/clip-facts.ts';

const CENTRES_HZ = [
  ...[31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000],
  ...[1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000, 12500, 16000],
];
const flat = CENTRES_HZ.map(() => -30);
const STYLE = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
/** As at strength 1. */
const FULL = { reach: 1, caution: 0 };

/** Bands at one level with pauses 30 dB below; speech throughout or none. */
const sourceOf = (speech: boolean) =>
  audioFacts({
    spectrum: { centresHz: CENTRES_HZ, levelsDb: flat, quietDb: flat.map((level) => level - 30) },
    speech: { share: speech ? 1 : 0, spans: [], confidence: 1 },
  });

function gainsFor(change: Partial<Style>, speech = false): ReadonlyMap<number, number> {
  const gains = equalizerTowards(sourceOf(speech), { ...STYLE, ...change }, FULL);
  return new Map(gains.map(({ hz, gainDb }) => [hz, gainDb]));
}

const spectrumOf = (levelAt: (hz: number) => number) => ({
  spectrum: { centres_hz: CENTRES_HZ, levels_db: CENTRES_HZ.map(levelAt) },
});
const isNear = (seen: number, wanted: number, what: string) =>
  assert.ok(Math.abs(seen - wanted) < 0.02, `${what}: ${seen} dB, not ${wanted}`);
const meanOf = (gains: ReadonlyMap<number, number>, from: number, to: number) => {
  const inside = [...gains].filter(([hz]) => hz >= from && hz <= to).map(([, gain]) => gain);
  return inside.reduce((sum, gain) => sum + gain, 0) / inside.length;
};

test('a style without a spectrum has a bass: all of it below 150 Hz, half of it below 250', () => {
  for (const byDb of [4, -4]) {
    const audio_style = { ...STYLE.audio_style!, bass_boost: bassBoost(sourceOf(false)) + byDb };
    const gains = gainsFor({ spectrum: undefined, audio_style } as Partial<Style>);
    for (const [hz, share] of [
      [31.5, 1],
      [100, 1],
      // A tenth of each neighbour is heard too.
      [125, 0.95],
      [160, 0.55],
      [200, 0.45],
      [250, 0.05],
      [315, 0],
      [16000, 0],
    ] as const)
      isNear(gains.get(hz)!, share * byDb, `${hz} Hz by ${byDb} dB`);
  }
});

describe('words stay clear', () => {
  // Dark by so many decibels from 1.25 kHz on.
  const dark = (byDb: number) => spectrumOf((hz) => (hz >= 1250 ? -byDb : 0));
  const mufflingOf = (gains: ReadonlyMap<number, number>) =>
    meanOf(gains, 125, 500) - meanOf(gains, 1250, 5000);

  test('consonants fall by no more than 3 dB against what masks them', () => {
    for (const byDb of [6, 9]) isNear(mufflingOf(gainsFor(dark(byDb), true)), 3, `dark by ${byDb} dB`);
    assert.ok(mufflingOf(gainsFor(dark(9))) > 8.5, 'music may be as dark as it likes');
    const [spoken, played] = [gainsFor(dark(2), true), gainsFor(dark(2))];
    for (const [hz, gain] of spoken) isNear(gain, played.get(hz)!, `${hz} Hz, less dark`);
  });

  test('by equal parts of raising the one and lowering the other, and evenly between them', () => {
    const [spoken, played] = [gainsFor(dark(7), true), gainsFor(dark(7))];
    const excess = mufflingOf(played) - 3;
    for (const [hz, share] of [
      [125, -0.5],
      [500, -0.5],
      [800, Math.log(1.6) / Math.log(2.5) - 0.5],
      [1250, 0.5],
      [8000, 0.5],
    ] as const)
      isNear(spoken.get(hz)! - played.get(hz)!, share * excess, `${hz} Hz`);
  });

  test('and are raised on request: 1.5 dB from 2 to 5 kHz, 3 dB less below 90 Hz', () => {
    const [plain, enhanced] = [false, true].map((enhance_speech) =>
      gainsFor({ ...spectrumOf(() => 0), audio_style: { ...STYLE.audio_style!, enhance_speech } }, true),
    );
    for (const [hz, gain] of enhanced!) {
      const wanted = hz < 90 ? -3 : hz >= 2000 && hz <= 5000 ? 1.5 : 0;
      isNear(gain - plain!.get(hz)!, wanted, `${hz} Hz`);
    }
  });
});

test('a voice loses 15 dB at most between 90 Hz and 7 kHz, music 18; 30 dB go beyond it, 60 beyond 14 kHz', () => {
  // What carries the sound is lowered less: all but one band lie below it.
  const levelsDb = flat.with(CENTRES_HZ.indexOf(1000), -20);
  const spectrum = { centresHz: CENTRES_HZ, levelsDb, quietDb: levelsDb.map((level) => level - 30) };
  /** The gain of a band of which, and of its neighbours, the template has nothing. */
  const lowered = (hz: number, speech: boolean) => {
    const hole = spectrumOf((other) => (Math.abs(Math.log2(other / hz)) < 0.4 ? -200 : 0));
    const gains = equalizerTowards({ ...sourceOf(speech), spectrum }, { ...STYLE, ...hole }, FULL);
    return gains.find((band) => band.hz === hz)!.gainDb;
  };
  // A tenth of each neighbour counts, whose limits may be others.
  for (const [hz, voice, music] of [
    [80, -28.5, -28.8],
    [100, -15, -18],
    [6300, -15, -18],
    [8000, -28.5, -28.8],
    [12500, -30, -30],
    [16000, -57, -57],
  ] as const) {
    isNear(lowered(hz, true), voice, `voice at ${hz} Hz`);
    isNear(lowered(hz, false), music, `music at ${hz} Hz`);
  }
});
