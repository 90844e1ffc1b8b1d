import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { addressFrom } from '../../src/pipeline/stages/report.ts';
import { type OutcomeInput, outcomeRows } from '../../src/report/outcome.ts';

const PICTURE = { width: 1920, height: 1080, frame_rate: 25, duration_seconds: 60 };
const SUMMARY: OutcomeInput['summary'] = {
  text: '14 punch-ins',
  source: PICTURE,
  output: { ...PICTURE, width: 1080, height: 1920, frame_rate: 30 },
  cuts: { of_source: 6, added: 24, on_beat_share: null },
  punch_ins: { count: 14, on_beat: null, median_zoom: 1.2 },
  push_ins: 0,
  transitions: { dissolve: 3 },
  framing: { manner: 'crop', aspect_ratio: '9:16', follows: null },
  stabilised_seconds: 0,
  left_out_seconds: 0,
  captions: 0,
  loudness: { before_lufs: -23, after_lufs: -14.1, change_lu: 8.9 },
  color_strength: 0.8,
  entries: [],
};
const rowsOf = (parts: Partial<OutcomeInput>) =>
  Object.fromEntries(
    outcomeRows({
      template: null,
      source: null as never,
      requested: null,
      sourceStyle: { cut_frequency: 0.1, transition_mix: { cut: 1 } },
      summary: SUMMARY,
      truePeakDbtp: -1.2,
      warnings: [],
      filmstrip: { jpeg: new Uint8Array(), tiles: 12, width: 68, height: 120 },
      outputAddress: null,
      ...parts,
    }).map(({ label, requested, source, output }) => [label, [requested, source, output]]),
  );

describe('requested, had, got', () => {
  const requested = {
    aspect_ratio: '9:16',
    frame_rate: 30,
    cut_frequency: 0.625,
    transition_mix: { cut: 0.8, dissolve: 0.2 },
    color_grade: { temperature: 30, tint: 0, saturation: 0, contrast: 0, highlights: 0, shadows: 0 },
    audio_style: { normalization_level: -14, compression_ratio: 2, bass_boost: 0, enhance_speech: false },
    source_duration_seconds: 17.2,
  };

  test('with a template', () => {
    assert.deepEqual(rowsOf({ requested }), {
      Color: ['warm', null, 'followed at strength 80 %'],
      Pace: [
        'a change every 1.6 s',
        'a change every 10 s',
        'a change every 2 s, 14 punch-ins among 30 changes',
      ],
      Transitions: ['80\u00a0% cuts, 20\u00a0% dissolves', '100\u00a0% cuts', '3 dissolves'],
      Shape: ['9:16', '1920 × 1080 pixels', '1080 × 1920 pixels, 9:16'],
      'Frame rate': ['30 frames/s', '25 frames/s', '30 frames/s'],
      Loudness: ['−14.0 LUFS', '−23.0 LUFS', '−14.1 LUFS, peak −1.2 dBTP'],
      Length: ['17.2 s', '60.0 s', '60.0 s'],
    });
  });

  test('an image has only its look and its shape as targets', () => {
    const still = { ...requested, source_kind: 'image', source_duration_seconds: 0 } as const;
    const { Pace, 'Frame rate': rate, Length, Color } = rowsOf({ requested: still });
    assert.deepEqual([Pace![0], rate![0], Length![0], Color![0]], [null, null, null, 'warm']);
  });

  test('missing measurements are not requested', () => {
    const unsure = { ...requested, confidence: { color: 0, pacing: 0, transitions: 0 } };
    const { Pace, Color, Transitions } = rowsOf({ requested: unsure });
    assert.deepEqual([Pace![0], Color![0], Transitions![0]], [null, null, null]);
  });

  test('no request, no change', () => {
    const summary: OutcomeInput['summary'] = {
      ...SUMMARY,
      cuts: { of_source: 0, added: 0, on_beat_share: null },
      transitions: {},
      loudness: null,
      color_strength: null,
    };
    const { Color, Pace, Transitions, Loudness } = rowsOf({ summary });
    assert.deepEqual(Color, [null, null, 'as it was']);
    assert.deepEqual([Pace![2], Transitions![2], Loudness![2]], ['no cuts', 'none made', 'no sound']);
  });
});

test('a film is played only from the folder of the page or below', () => {
  const page = join('/films', 'out', 'report.html');
  for (const [file, address] of [
    ['/films/out/a clip #1.mp4', 'a%20clip%20%231.mp4'],
    ['/films/out/deep/ä.mp4', 'deep/%C3%A4.mp4'],
    ['/films/clip.mp4', null],
    ['/films/output/clip.mp4', null],
  ] as const)
    assert.equal(addressFrom(page, file), address, file);
});
