import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { clipFacts } from '../support/clip-facts.ts';

const STYLE = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
const TRANSITION = { type: 'dissolve', duration_ms: 500, easing: 'linear' };
const CAPTIONS = { position: 'bottom', line_height: 0.05, color: '#ffffff', outlined: true };
const SHOTS = { p10: 1, p25: 1, p50: 1, p75: 1, p90: 1, mean: 1 };
const STATISTICS = {
  lightness_percentiles: new Array(21).fill(50),
  mean_ab: [0, 0],
  covariance_ab: [1, 0, 1],
};
const BEAT = { timestamp_ms: 0, confidence: 1, frequency: 'low' };

const accepts = (fields: object) => styleSchema.safeParse({ ...STYLE, ...fields }).success;
const inObject = (name: string, base: object, key: string) => (value: number) => ({
  [name]: { ...base, [key]: value },
});
const field = (name: string) => (value: number) => ({ [name]: value });
const inAudio = (key: string) =>
  inObject(
    'audio_style',
    { normalization_level: -14, compression_ratio: 2, bass_boost: 0, enhance_speech: false },
    key,
  );

/** As in `docs/style-dna.md`; null: no upper limit. */
const RANGES: readonly [string, (value: number) => object, number, number | null][] = [
  ['frame_rate', field('frame_rate'), 1, 240],
  ['cut_frequency', field('cut_frequency'), 0, 60],
  ['motion_intensity', field('motion_intensity'), 0, 1],
  ['zoom_usage', field('zoom_usage'), 0, 1],
  ['extraction_confidence', field('extraction_confidence'), 0, 1],
  ['tempo_bpm', field('tempo_bpm'), 40, 240],
  ['source_duration_seconds', field('source_duration_seconds'), 0, null],
  ['cuts_on_beat', field('cuts_on_beat'), -1, 1],
  ['camera_shake', field('camera_shake'), 0, 10],
  ['loudness_range_lu', field('loudness_range_lu'), 0, 100],
  ['true_peak_dbtp', field('true_peak_dbtp'), -150, 24],
  ['a dial', inObject('color_grade', STYLE.color_grade, 'tint'), -100, 100],
  ['normalization_level', inAudio('normalization_level'), -70, 0],
  ['compression_ratio', inAudio('compression_ratio'), 1, 20],
  ['bass_boost', inAudio('bass_boost'), -12, 12],
  ['duration_ms', inObject('primary_transition', TRANSITION, 'duration_ms'), 0, 10_000],
  ['timestamp_ms', (value) => ({ detected_beats: [{ ...BEAT, timestamp_ms: value }] }), 0, null],
  ['a share of the mix', (value) => ({ transition_mix: { dissolve: value } }), 0, 1],
  ['bpm of an alternative', (bpm) => ({ tempo_alternatives: [{ bpm, confidence: 1 }] }), 20, 480],
  ['line_height', inObject('subtitle_style', CAPTIONS, 'line_height'), 0, 1],
  ['line_height of titles', inObject('title_style', CAPTIONS, 'line_height'), 0, 1],
  [
    "opacity of a title's box",
    (opacity) => ({ title_style: { ...CAPTIONS, box: { color: '#000000', opacity, confidence: 1 } } }),
    0,
    1,
  ],
  [
    "duration of a title's animation",
    (duration_ms) => ({
      title_style: { ...CAPTIONS, animation_in: { type: 'fade', duration_ms, confidence: 1 } },
    }),
    0,
    5000,
  ],
  [
    'a percentile',
    (value) => ({ color_statistics: { ...STATISTICS, lightness_percentiles: new Array(21).fill(value) } }),
    0,
    100,
  ],
  [
    'the first variance',
    (value) => ({ color_statistics: { ...STATISTICS, covariance_ab: [value, 0, 1] } }),
    0,
    null,
  ],
  [
    'the second variance',
    (value) => ({ color_statistics: { ...STATISTICS, covariance_ab: [1, 0, value] } }),
    0,
    null,
  ],
  ...Object.keys(SHOTS).map(
    (key) => [`shot_lengths.${key}`, inObject('shot_lengths', SHOTS, key), 0, null] as const,
  ),
] as [string, (value: number) => object, number, number | null][];
for (const [name, fields, least, most] of RANGES) {
  test(`${name} lies between ${least} and ${most ?? 'anything'}`, () => {
    // Some fields are whole numbers.
    const step = name.endsWith('_ms') ? 1 : 0.01;
    assert.ok(accepts(fields(least)) && !accepts(fields(least - step)), 'from below');
    if (most === null) assert.ok(accepts(fields(1e6)));
    else assert.ok(accepts(fields(most)) && !accepts(fields(most + step)), 'from above');
  });
}

test('fades through a color need that color', () => {
  const primary_transition = { ...TRANSITION, type: 'fade_color' };
  const transition_color = '#0040FF';
  for (const fades of [{ primary_transition }, { transition_mix: { cut: 0.9, fade_color: 0.1 } }]) {
    assert.ok(!accepts(fades));
    assert.ok(accepts({ ...fades, transition_color }));
    for (const wrong of ['blue', '#04f', '0040ff', '#0040ff00'])
      assert.ok(!accepts({ ...fades, transition_color: wrong }), wrong);
  }
  assert.ok(accepts({ transition_mix: { cut: 1, fade_color: 0 } }));
});

const LENGTHS: readonly [string, (length: number) => object, number][] = [
  ['detected_beats', (length) => ({ detected_beats: new Array(length).fill(BEAT) }), 60_000],
  ['palette', (length) => ({ palette: new Array(length).fill({ hex: '#102030', weight: 0.1 }) }), 64],
  [
    'tempo_alternatives',
    (length) => ({ tempo_alternatives: new Array(length).fill({ bpm: 90, confidence: 1 }) }),
    16,
  ],
  ['fingerprint', (length) => ({ fingerprint: 'x'.repeat(length) }), 200_000],
  ['centres_hz', (length) => ({ spectrum: { centres_hz: new Array(length).fill(100), levels_db: [] } }), 40],
  ['levels_db', (length) => ({ spectrum: { centres_hz: [], levels_db: new Array(length).fill(0) } }), 40],
];
for (const [name, fields, most] of LENGTHS) {
  test(`${name}: ${most} at most`, () => {
    assert.ok(accepts(fields(most)) && !accepts(fields(most + 1)));
  });
}

test('21 percentiles, neither more nor fewer', () => {
  for (const length of [20, 21, 22]) {
    const color_statistics = { ...STATISTICS, lightness_percentiles: new Array(length).fill(50) };
    assert.equal(accepts({ color_statistics }), length === 21);
  }
});

test('aspect ratios from 1:10 to 10:1, written as whole numbers', () => {
  for (const text of ['1:10', '10:1', '16:9', '99999:10000'])
    assert.ok(accepts({ aspect_ratio: text }), text);
  for (const text of ['10:101', '101:10', '0:1', '1:0', '16x9', '1.5:1', '100000:10001'])
    assert.ok(!accepts({ aspect_ratio: text }), text);
});
