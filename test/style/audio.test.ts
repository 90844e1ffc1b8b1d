import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planAudio } from '../../src/style/audio/audio.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { AudioPlan } from '../../src/style/model/timeline.ts';
import { audioFacts, clipFacts } from '../support/clip-facts.ts';

const SOURCE = audioFacts();
const { spectrum, loudness } = SOURCE;

function planned(template: Parameters<typeof audioFacts>[0], strength = 1, source = SOURCE): AudioPlan {
  const facts = clipFacts({ audio: audioFacts(template) });
  return planAudio(source, extractStyle(facts, { createdAt: new Date(0), fingerprint: null }), strength);
}

test('a source under its own style: nothing to equalise, its own dynamics and loudness', () => {
  const plan = planned({});
  for (const { gainDb } of plan.equalizer) assert.ok(Math.abs(gainDb) < 0.05, String(gainDb));
  assert.deepEqual(plan.compressor, { rangeLu: 8, crestDb: 18 });
  assert.equal(plan.targetLufs, -20);
});

const tilted = (perBand: number) => ({
  spectrum: { ...spectrum, levelsDb: spectrum.levelsDb.map((level, at) => level + perBand * at) },
});
/** Of bands from 90 Hz to 7 kHz. */
const inVoice = (gains: readonly number[]) =>
  gains.filter((_, at) => spectrum.centresHz[at] >= 90 && spectrum.centresHz[at] <= 7000);
const gainsOf = (plan: AudioPlan) => plan.equalizer.map(({ gainDb }) => gainDb);

test('the equaliser leans towards the style, smoothly, within its limits, at the configured strength', () => {
  const gains = (perBand: number, strength: number) => gainsOf(planned(tilted(perBand), strength));
  const mild = gains(0.6, 1);
  for (let at = 1; at < mild.length; at++) assert.ok(mild[at] >= mild[at - 1]);
  assert.ok(Math.abs(mild.reduce((sum, gain) => sum + gain, 0)) < 1, 'no change of loudness');
  for (const perBand of [8, -8])
    assert.ok(Math.max(...gains(perBand, 1)) <= 12 && Math.max(...gains(perBand, 1)) > 11.5);
  const dull = gains(-8, 1);
  assert.equal(dull[8], -30, 'beyond the voice');
  assert.equal(gains(-14, 1)[9], -0.9 * 60 - 0.1 * 30, 'what hardly anybody hears, smoothed');
  assert.equal(Math.min(...inVoice(dull)), -18);
  // The source falls by 3 dB an octave: its first three bands lie within 6 dB of the loudest.
  const thin = gains(11, 1);
  assert.equal(Math.min(...thin.slice(0, 3)), -15, 'what the sound consists of');
  assert.ok(thin[3] < -15, 'the band after it is not');
  assert.ok(Math.abs(gains(0.6, 0.4)[0]) < Math.abs(mild[0]));
});

/** Sound whose bands exceed their pauses by this much. */
const clearBy = (clearDb: number) => ({
  spectrum: { ...spectrum, quietDb: spectrum.levelsDb.map((level) => level - clearDb) },
});
for (const [what, share, clearDb, raised, raisedDeep] of [
  ['music near its pauses', 0, 20, 9, 6],
  ['music half clear of them', 0, 22.5, 10.5, 7.5],
  ['music clear of them', 0, 25, 12, 9],
  // Words stay clear as well: low bands fall under a dull template.
  ['speech near its pauses', 0.9, 20, 6, null],
  ['speech clear of them', 0.9, 25, 9, null],
] as const)
  test(`how far is raised: ${what}`, () => {
    const source = audioFacts({ ...clearBy(clearDb), speech: { share, spans: [], confidence: 0.9 } });
    assert.equal(Math.max(...gainsOf(planned(tilted(8), 1, source))), raised);
    const deep = planned(tilted(-8), 1, source).equalizer.filter(({ hz }) => hz < 60);
    if (raisedDeep !== null) assert.equal(Math.max(...deep.map(({ gainDb }) => gainDb)), raisedDeep);
  });

const GUARDED: readonly [string, Parameters<typeof audioFacts>[0], (gains: readonly number[]) => boolean][] =
  [
    [
      'what lies below the noise is not brought up',
      { spectrum: { ...spectrum, levelsDb: spectrum.levelsDb.map((level, at) => (at > 7 ? -120 : level)) } },
      (gains) => gains.slice(8).every((gain) => gain === 0),
    ],
    [
      'nor is noise that stays when all else pauses',
      {
        spectrum: {
          ...spectrum,
          quietDb: spectrum.quietDb.map((level, at) => (at > 7 ? level + 28 : level)),
        },
      },
      (gains) => gains.slice(8).every((gain) => gain <= 0) && gains[7] > 1,
    ],
    [
      'speech is raised and lowered by less',
      { speech: { share: 0.9, spans: [], confidence: 0.9 } },
      (gains) => Math.max(...gains) === 9 && Math.min(...gains) === -15,
    ],
  ];
for (const [name, parts, holds] of GUARDED) {
  test(name, () => {
    const gains = gainsOf(planned(tilted(4), 1, audioFacts(parts)));
    assert.ok(holds(gains), gains.join(' '));
  });
}

test('words stay clear under the dullest template', () => {
  const speech = { share: 0.9, spans: [], confidence: 0.9 };
  const { equalizer } = planned(tilted(-4), 1, audioFacts({ speech }));
  const mean = (from: number, to: number) => {
    const gains = equalizer.filter(({ hz }) => hz >= from && hz <= to).map(({ gainDb }) => gainDb);
    return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  };
  assert.ok(mean(125, 500) - mean(1250, 5000) <= 3.1);
});

const RANGES: readonly [string, number, number, number][] = [
  ['narrower', 4, 0, 4],
  ['wider', 12, 0, 12],
  ['as wide', 8.2, 0, 8.2],
  ['next to none', 0, 0, 1],
  ['wider, for speech, whose quiet words are words', 12, 0.9, 8],
];
for (const [name, rangeLu, share, wanted] of RANGES) {
  test(`a style's loudness range: ${name}`, () => {
    const source = audioFacts({ speech: { share, spans: [], confidence: 0.9 } });
    const { compressor } = planned({ loudness: { ...loudness, rangeLu } }, 1, source);
    assert.equal(compressor!.rangeLu, wanted);
  });
}

test("peaks may exceed the loudness as far as the style's do", () => {
  const of = (truePeakDbtp: number) =>
    planned({ loudness: { ...loudness, truePeakDbtp } }).compressor!.crestDb;
  assert.equal(of(-8), 12);
  assert.equal(of(-2), 18);
  assert.equal(of(-19), 6);
});

test('of a written style the ratio determines range and peaks', () => {
  const {
    spectrum: _,
    loudness_range_lu: __,
    true_peak_dbtp: ___,
    ...style
  } = extractStyle(clipFacts({ audio: audioFacts() }), {
    createdAt: new Date(0),
    fingerprint: null,
  });
  const ratio = (compression_ratio: number) =>
    planAudio(SOURCE, { ...style, audio_style: { ...style.audio_style!, compression_ratio } }, 1).compressor!;
  assert.equal(ratio(4).rangeLu, 3.5);
  assert.equal(ratio(4).crestDb, 7);
  assert.equal(ratio(1).rangeLu, 8);
});

const LOUDNESS: readonly [number, number, number][] = [
  [-10, 1, -10],
  [-10, 0.4, -10.86],
  [-2, 1, -7],
];
for (const [level, strength, target] of LOUDNESS) {
  test(`a style at ${level} LUFS, strength ${strength}: ${target} LUFS`, () => {
    // A calmer source would not become so loud.
    const source = audioFacts({ loudness: { ...loudness, integratedLufs: -10 } });
    const style = { loudness: { ...loudness, integratedLufs: level } };
    assert.equal(planned(style, strength, source).targetLufs, target);
  });
}

const HELD: readonly [string, Parameters<typeof audioFacts>[0], number][] = [
  [
    'speech is made no louder than its syllables bear',
    { speech: { share: 0.9, spans: [], confidence: 0.9 } },
    -14,
  ],
  [
    'a click in silence is left alone',
    { loudness: { ...loudness, integratedLufs: -45 }, silence: { share: 0.97, spans: [] } },
    -45,
  ],
];
for (const [name, parts, target] of HELD) {
  test(name, () => {
    const style = { loudness: { ...loudness, integratedLufs: -8 } };
    assert.equal(planned(style, 1, audioFacts(parts)).targetLufs, target);
  });
}

test('a style measured on next to no sound is none: common loudness, nothing else', () => {
  const plan = planned({ loudness: { ...loudness, integratedLufs: -45 } });
  assert.deepEqual(plan, { equalizer: [], compressor: null, targetLufs: -14, truePeakDbtp: -1 });
});

test('silence stays silence', () => {
  const silent = { integratedLufs: null, rangeLu: null, truePeakDbtp: null, shortTermLufs: [] };
  assert.equal(planned({}, 1, audioFacts({ loudness: silent })).targetLufs, null);
});
