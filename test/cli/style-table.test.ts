import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedText } from '../../src/cli/compare.ts';
import { comparedRows, findingsTable } from '../../src/cli/style-table.ts';
import { PRESETS } from '../../src/presets/presets.ts';

const dials = { temperature: -12.4, tint: 3, saturation: 0, contrast: 18, highlights: 0, shadows: -7 };
const FOUND = {
  ...{ aspect_ratio: '16:9', frame_rate: 29.97, cut_frequency: 0.5, duration_seconds: 30.16, cuts: [2, 4] },
  ...{ color_grade: dials, cuts_on_beat: 0.42, use_subtitles: false, motion_intensity: 0.2, zoom_usage: 0 },
  transition_mix: { cut: 0.9, dissolve: 0.1, wipe: 0.001 },
  primary_transition: { type: 'dissolve', duration_ms: 480, easing: 'linear' },
  audio_style: { normalization_level: -14, compression_ratio: 2, bass_boost: 0, enhance_speech: false },
} as const;

test('each finding has its row and its unit', () => {
  const rows = findingsTable(FOUND).split('\n');
  for (const row of [
    /^ {2}Length +30\.2 s$/,
    /^ {2}Frame rate +29\.97 frames\/s$/,
    /^ {2}Cuts +2$/,
    /^ {2}Pace +30 changes\/min$/,
    /^ {2}On the beat +42 % of cuts more than by chance$/,
    /^ {2}Transitions +90 % cuts, 10 % dissolves of 480 ms$/,
    /^ {2}Temperature +−12 of 100$/,
    /^ {2}Captions +none$/,
    /^ {2}Loudness +−14 LUFS$/,
  ])
    assert.ok(
      rows.some((line) => row.test(line)),
      `${row}\n${rows.join('\n')}`,
    );
  assert.ok(!rows.some((line) => /Tempo|Palette|Peak/.test(line)), 'what was not found is left out');
});

test('uncertain values are marked, missing ones left out', () => {
  const doubtful = findingsTable({ ...FOUND, confidence: { pacing: 0.49, color: 0.5, motion: 0 } });
  assert.match(doubtful, /^ {2}Pace +30 changes\/min {2}\(doubtful: confidence 0\.49\)$/m);
  assert.match(doubtful, /^ {2}Contrast +18 of 100$/m);
  assert.doesNotMatch(doubtful, /Movement|Zooms/);
});

test('two styles side by side, with their differences', () => {
  const second = { ...FOUND, frame_rate: 25, color_grade: { ...dials, contrast: 10 }, aspect_ratio: '9:16' };
  const rows = comparedRows(FOUND, second);
  const row = (name: string) => rows.find((one) => one.name === name);
  assert.deepEqual(row('Frame rate'), {
    name: 'Frame rate',
    first: '29.97 frames/s',
    second: '25 frames/s',
    difference: -4.97,
    unit: 'frames/s',
  });
  assert.equal(row('Length'), undefined);
  const text = comparedText(rows);
  assert.match(text, /^Frame rate +29\.97 frames\/s +25 frames\/s +−4\.97 frames\/s$/m);
  assert.match(text, /^Contrast +18 of 100 +10 of 100 +−8$/m);
  assert.match(text, /^Shape +16:9 +9:16 +differs$/m);
  assert.match(text, /^Pace +30 changes\/min +30 changes\/min$/m);
});

test('every preset has a table', () => {
  for (const { id, style } of PRESETS) assert.match(findingsTable(style), /^ {2}Shape +\d+:\d+$/m, id);
});
