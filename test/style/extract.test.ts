import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClipFacts, Transition } from '../../src/analysis/facts.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { aspectRatioOf, outputRatio } from '../../src/style/model/aspect-ratio.ts';
import { type Style, styleSchema } from '../../src/style/model/schema.ts';
import { audioFacts, clipFacts, cutAt, pulse, videoFacts } from '../support/clip-facts.ts';

const OPTIONS = { createdAt: new Date('2026-01-02T03:04:05.678Z'), fingerprint: null };

function styleOf(parts: Parameters<typeof clipFacts>[0]): Style {
  return valid(extractStyle(clipFacts(parts), OPTIONS));
}

/** The style, after the schema and JSON. */
function valid(style: Style): Style {
  assert.deepEqual(styleSchema.parse(style), style);
  assert.deepEqual(JSON.parse(JSON.stringify(style)), style);
  return style;
}

function gradual(
  type: Transition['type'],
  start: number,
  length: number,
  more: Partial<Transition> = {},
): Transition {
  return {
    ...cutAt(start),
    type,
    startFrame: Math.round(start * 25),
    endFrame: Math.round((start + length) * 25),
    startSeconds: start,
    endSeconds: start + length,
    ...more,
  };
}

const RATIOS: readonly [number, number, string][] = [
  [1920, 1080, '16:9'],
  [540, 960, '9:16'],
  [1080, 1350, '4:5'],
  [720, 480, '3:2'],
  [640, 480, '4:3'],
  [1000, 1000, '1:1'],
  [1366, 768, '16:9'],
  [2560, 1080, '64:27'],
  [3026, 1386, '1513:693'],
  [2, 2, '1:1'],
];
for (const [width, height, ratio] of RATIOS) {
  test(`${width}×${height} is ${ratio}`, () => assert.equal(aspectRatioOf(width, height), ratio));
}

for (const [what, ratio, own, wanted] of [
  ['a recorded player in an upright style is upright as phones are', 226 / 426, 16 / 9, 9 / 16],
  ['macroblocks do not make a ratio', 640 / 352, 4 / 3, 16 / 9],
  ['nearly square is square', 1000 / 1050, 16 / 9, 1],
  ['a cinema’s ratio is meant', 1.85, 16 / 9, 1.85],
  ['so is that of a photograph', 1.5, 16 / 9, 1.5],
  ['what is far from all stays', 1513 / 693, 16 / 9, 1513 / 693],
  ['a source that is as odd is not cropped', 226 / 426, 227 / 426, 226 / 426],
] as const)
  test(what, () => assert.equal(outputRatio(ratio, own), wanted));

const ALWAYS = [
  'version',
  'aspect_ratio',
  'frame_rate',
  'cut_frequency',
  'motion_intensity',
  'zoom_usage',
  'use_subtitles',
  'source_duration_seconds',
  'created_at',
  'extraction_confidence',
  'color_grade',
] as const;

test('one static shot without sound: the fields that are always there, and nothing made up', () => {
  const style = styleOf({ audio: null });
  for (const name of ALWAYS) assert.ok(name in style, name);
  for (const name of [
    'tempo_bpm',
    'music_genre',
    'audio_style',
    'detected_beats',
    'loudness_range_lu',
    'true_peak_dbtp',
    'spectrum',
    'primary_transition',
    'transition_mix',
    'shot_lengths',
    'cuts_on_beat',
    'subtitle_style',
    'fingerprint',
  ]) {
    assert.ok(!(name in style), name);
  }
  assert.equal(style.cut_frequency, 0);
  assert.equal(style.created_at, '2026-01-02T03:04:05.678Z');
  assert.equal(style.confidence?.audio, undefined);
});

test('silence has a genre but no audio style', () => {
  const loudness = { integratedLufs: null, rangeLu: null, truePeakDbtp: null, shortTermLufs: [] };
  const silence = { loudness, crestDb: null, genre: { name: 'silence' as const, confidence: 1 } };
  const style = styleOf({
    audio: {
      ...silence,
      spectrum: { centresHz: [100, 1000], levelsDb: [-Infinity, -Infinity], quietDb: [-Infinity, -Infinity] },
    },
  });
  assert.equal(style.music_genre, 'silence');
  assert.ok(!('audio_style' in style) && !('spectrum' in style));
});

test('pacing: frequency, quantiles, edges left out', () => {
  const fades = [
    gradual('fade_black', 0, 1, { edge: 'start' }),
    gradual('fade_black', 39, 1, { edge: 'end' }),
  ];
  const transitions = [fades[0], ...[5, 10, 20, 30].map((time) => cutAt(time)), fades[1]];
  const style = styleOf({ video: { transitions } });
  assert.equal(style.cut_frequency, 0.1);
  assert.deepEqual(style.transition_mix, { cut: 1 });
  assert.deepEqual(style.primary_transition, { type: 'cut', duration_ms: 0, easing: 'linear' });
  assert.equal(style.shot_lengths?.p50, 10);
  assert.equal(style.shot_lengths?.mean, 8);
  const seven = { durationSeconds: 7, transitions: [1, 2, 3].map((time) => cutAt(time)) };
  assert.equal(styleOf({ video: seven }).cut_frequency, 0.4286);
});

const PRIMARY: readonly [string, Transition[], string, number][] = [
  [
    'two dissolves of ten',
    [...cuts(8), gradual('dissolve', 20, 0.4), gradual('dissolve', 30, 0.6)],
    'dissolve',
    500,
  ],
  ['one wipe of ten', [...cuts(9), gradual('wipe', 20, 0.4)], 'cut', 0],
  [
    'the more frequent of two types',
    [gradual('wipe', 4, 1), gradual('slide', 9, 0.5), gradual('slide', 19, 0.5)],
    'slide',
    500,
  ],
];
for (const [name, transitions, type, duration] of PRIMARY) {
  test(`primary transition: ${name}`, () => {
    const style = styleOf({ video: { transitions } });
    assert.equal(style.primary_transition?.type, type);
    assert.equal(style.primary_transition?.duration_ms, duration);
  });
}

test('a clip of nothing but cards has no look to follow', () => {
  const { color } = videoFacts();
  const style = styleOf({ video: { color: { ...color, isCardsOnly: true } } });
  assert.equal(style.confidence?.color, 0);
  assert.ok(Object.values(style.color_grade).every((dial) => dial === 0));
  assert.ok(!('look' in style) && !('palette' in style) && !('color_statistics' in style));
  assert.ok('look' in styleOf({ video: { color } }));
});

test('the color of fades through a color: that which is nearest to all others', () => {
  const fade = (start: number, color: string) => gradual('fade_color', start, 0.5, { color });
  const found = [fade(5, '#c81e1e'), fade(10, '#c61c20'), cutAt(15), fade(20, '#1010ff')];
  const style = styleOf({ video: { transitions: found } });
  assert.equal(style.primary_transition?.type, 'fade_color');
  assert.equal(style.transition_mix?.fade_color, 0.75);
  assert.equal(style.transition_color, '#c61c20');
  assert.ok(styleSchema.safeParse(style).success);
  assert.equal(styleOf({ video: { transitions: [cutAt(15)] } }).transition_color, undefined);
});

function cuts(count: number): Transition[] {
  return Array.from({ length: count }, (_, index) => cutAt(1 + index));
}

test('cuts on the beat, less chance', () => {
  const beats = pulse(60, 40);
  const on = styleOf({ video: { transitions: [4, 9, 17, 30].map((time) => cutAt(time)) }, audio: beats });
  const off = styleOf({
    video: { transitions: [4.4, 9.5, 17.6, 30.4].map((time) => cutAt(time)) },
    audio: beats,
  });
  assert.ok(Math.abs(on.cuts_on_beat! - 0.86) < 0.01, String(on.cuts_on_beat));
  assert.ok(off.cuts_on_beat! < 0);
  assert.equal(styleOf({ video: { transitions: cuts(2) }, audio: beats }).cuts_on_beat, undefined);
  assert.equal(styleOf({ video: { transitions: cuts(9) } }).cuts_on_beat, undefined);
});

test('cuts that all lie on the off-beat count as on the beat; a few strays do not', () => {
  const beats = pulse(60, 40);
  const cutsAt = (times: readonly number[]) =>
    styleOf({ video: { transitions: times.map((time) => cutAt(time)) }, audio: beats }).cuts_on_beat!;
  assert.ok(Math.abs(cutsAt([4.5, 9.5, 17.52, 30.48]) - 0.86) < 0.01);
  assert.ok(cutsAt([4.5, 9.5, 17.3, 30.3]) < 0);
  assert.ok(Math.abs(cutsAt([4, 9, 17, 30, 4.5, 9.5, 17.5].sort((a, b) => a - b)) - (4 / 7 - 0.14)) < 0.01);
});

test('music: tempo, alternatives and beats in milliseconds', () => {
  const style = styleOf({ audio: pulse(120, 40) });
  assert.equal(style.tempo_bpm, 120);
  assert.deepEqual(style.tempo_alternatives, [{ bpm: 240, confidence: 0.3 }]);
  assert.equal(style.detected_beats?.length, 80);
  assert.deepEqual(style.detected_beats?.[3], { timestamp_ms: 1500, confidence: 0.9, frequency: 'low' });
});

test('sound: less dynamics is a higher ratio, more bass a higher boost', () => {
  const { loudness, spectrum } = audioFacts();
  const ratio = (rangeLu: number, crestDb: number) =>
    styleOf({ audio: { loudness: { ...loudness, rangeLu }, crestDb } }).audio_style!.compression_ratio;
  assert.ok(ratio(4, 8) > ratio(8, 14) && ratio(8, 14) > ratio(20, 22));
  assert.equal(ratio(20, 22), 1);
  const boosted = (db: number) => ({
    ...spectrum,
    levelsDb: spectrum.levelsDb.map((level, at) => level + (spectrum.centresHz[at] < 150 ? db : 0)),
  });
  const boost = (db: number) => styleOf({ audio: { spectrum: boosted(db) } }).audio_style!.bass_boost;
  assert.ok(Math.abs(boost(3) - boost(0) - 3) < 0.11);
  const { levels_db: levels } = styleOf({}).spectrum!;
  assert.ok(Math.abs(levels.reduce((sum, level) => sum + level, 0)) < 0.1);
});

test('speech carries the sound from half of it on', () => {
  const speech = (share: number) => ({ speech: { share, spans: [], confidence: 0.9 } });
  assert.equal(styleOf({ audio: speech(0.7) }).audio_style!.enhance_speech, true);
  assert.equal(styleOf({ audio: speech(0.2) }).audio_style!.enhance_speech, false);
});

const CAPTION_STYLE = { position: 'bottom' as const, lineHeight: 0.05, color: '#ffffff', outlined: true };
const BOX = { x: 0.2, y: 0.8, width: 0.6, height: 0.08 };
const CAPTIONS: readonly [string, number, [number, number][], [number, number][], boolean][] = [
  ['half of the running time', 0.5, [[0, 20]], [], true],
  ['a tenth of the running time', 0.1, [[0, 4]], [], false],
  ['a tenth of the running time, all of the speech', 0.1, [[0, 4]], [[0, 4]], true],
  ['a tenth of the running time, a tenth of the speech', 0.1, [[0, 4]], [[2, 38]], false],
];
for (const [name, share, captioned, spoken, used] of CAPTIONS) {
  test(`captions on ${name}: ${used}`, () => {
    const span = ([startSeconds, endSeconds]: [number, number]) => ({ startSeconds, endSeconds });
    const style = styleOf({
      video: {
        captions: {
          share,
          spans: captioned.map((one) => ({ ...span(one), box: BOX })),
          style: CAPTION_STYLE,
          confidence: 1,
        },
      },
      audio: { speech: { share: 0.5, spans: spoken.map(span), confidence: 1 } },
    });
    assert.equal(style.use_subtitles, used);
    assert.equal(style.subtitle_style?.position, used ? 'bottom' : undefined);
  });
}

test('certain titles have a style of their own, whatever the captions', () => {
  const titleStyle = {
    ...({ position: 'middle', anchorY: 0.50255, lineHeight: 0.07289, color: '#ffee00' } as const),
    ...{ outlined: true, strokeWidth: 0.13944 },
    sample: {
      ...{ startSeconds: 1, endSeconds: 4, lineHeight: 0.07289, inkLevel: 230 },
      box: { x: 0.2, y: 0.45, width: 0.6, height: 0.1 },
    },
    box: { color: '#c81428', opacity: 0.70049, confidence: 0.98761 },
    animationIn: { type: 'slide', seconds: 0.4004, side: 'left', distance: 0.20049, confidence: 1.0002 },
    animationOut: { type: 'cut', seconds: 0, confidence: 0.9 },
  } as const;
  const style = styleOf({
    video: { captions: { share: 0, spans: [], style: null, titleStyle, confidence: 1 } },
  });
  assert.deepEqual(style.title_style, {
    ...{ position: 'middle', anchor_y: 0.503, line_height: 0.073, color: '#ffee00' },
    // The even tone around the letters is the box.
    ...{ outlined: false, stroke_width: 0.139 },
    box: { color: '#c81428', opacity: 0.7, confidence: 0.988 },
    animation_in: { type: 'slide', duration_ms: 400, side: 'left', distance: 0.2, confidence: 1 },
    animation_out: { type: 'cut', duration_ms: 0, confidence: 0.9 },
  });
  assert.deepEqual([style.use_subtitles, style.subtitle_style], [false, undefined]);
});

test('captions of a fifth of the time are used, of running time or of at least two seconds of speech', () => {
  const used = (share: number, captioned: [number, number][], spoken: [number, number][]) => {
    const span = ([startSeconds, endSeconds]: [number, number]) => ({ startSeconds, endSeconds });
    const spans = captioned.map((one) => ({ ...span(one), box: BOX }));
    return styleOf({
      video: { captions: { share, spans, style: CAPTION_STYLE, confidence: 1 } },
      audio: { speech: { share: 0.5, spans: spoken.map(span), confidence: 1 } },
    }).use_subtitles;
  };
  for (const [share, captioned, spoken, expected] of [
    [0.2, [], [], true],
    [0.199, [], [], false],
    [0.1, [[30, 32]], [[30, 31.9]], false],
    [0.1, [[30, 32]], [[30, 32]], true],
    // Six seconds of speech: a fifth are 1.2 s.
    [
      0.1,
      [[29, 31.3]],
      [
        [30, 34],
        [36, 38],
      ],
      true,
    ],
    [
      0.1,
      [[29, 31.1]],
      [
        [30, 34],
        [36, 38],
      ],
      false,
    ],
    [
      0.1,
      [
        [29, 30.7],
        [37.4, 39],
      ],
      [
        [30, 34],
        [36, 38],
      ],
      true,
    ],
    [
      0.1,
      [
        [29, 30.5],
        [37.4, 39],
      ],
      [
        [30, 34],
        [36, 38],
      ],
      false,
    ],
  ] as [number, [number, number][], [number, number][], boolean][])
    assert.equal(used(share, captioned, spoken), expected, JSON.stringify([share, captioned, spoken]));
});

test('an image has a look and a ratio, and otherwise only required fields', () => {
  const options = { ...OPTIONS, fingerprint: 'AQAA' };
  // A ramp of greys that all lean to orange.
  const rgb = Buffer.from(
    Array.from({ length: 24 * 14 * 3 }, (_, k) => (((k / 3) | 0) / 336) * [255, 190, 110][k % 3]),
  );
  const moments = {
    ...{ width: 24, height: 14, timesSeconds: [0.5], rgb: rgb.toString('base64') },
    areas: [{ x: 0, y: 0, width: 1, height: 1 }],
  };
  const styleOfImage = (confidence: number) => {
    const video = { isStill: true, color: { ...videoFacts().color, moments, confidence } };
    return valid(extractStyle(clipFacts({ video }), options));
  };
  const { color_grade, palette, color_statistics, look, ...rest } = styleOfImage(0.8);
  assert.deepEqual(rest, {
    ...{ version: rest.version, source_kind: 'image', aspect_ratio: '16:9', frame_rate: 30 },
    ...{ cut_frequency: 0, motion_intensity: 0, zoom_usage: 0, use_subtitles: false },
    ...{ created_at: '2026-01-02T03:04:05.678Z', source_duration_seconds: 0, extraction_confidence: 0.8 },
    confidence: { color: 0.8, pacing: 0, transitions: 0, motion: 0, subtitles: 0 },
  });
  assert.ok(palette !== undefined && color_statistics !== undefined && look !== undefined);
  const unknown = styleOfImage(0);
  assert.deepEqual([unknown.look, unknown.palette], [undefined, undefined]);
  assert.notDeepEqual(color_grade, unknown.color_grade);
  assert.deepEqual(
    unknown.color_grade,
    styleOf({ video: { color: { ...videoFacts().color, confidence: 0 } } }).color_grade,
  );
});

test('each part reduces the whole by its weight', () => {
  const { color, captions } = videoFacts();
  const found = gradual('dissolve', 20, 1, { confidence: 0.5 });
  for (const [name, parts, expected] of [
    ['color', { video: { color: { ...color, confidence: 0.5 } } }, 0.5],
    ['transitions', { video: { transitions: [found] } }, 1 - 0.6 * 0.5],
    ['motion', { motion: { confidence: 0.5 } }, 1 - 0.6 * 0.5],
    ['audio', { audio: { confidence: 0.5 } }, 1 - 0.7 * 0.5],
    ['subtitles', { video: { captions: { ...captions, confidence: 0.2 } } }, 1 - 0.3 * 0.8],
  ] as const) {
    const sure = { video: { durationSeconds: 4000, ...('video' in parts ? parts.video : {}) } };
    const { extraction_confidence } = styleOf({
      audio: { confidence: 1 },
      motion: { confidence: 1 },
      ...parts,
      ...sure,
    });
    assert.ok(Math.abs(extraction_confidence - expected) < 0.0011, `${name}: ${extraction_confidence}`);
  }
});

test('frames a second are rounded to a thousandth, between 1 and 240', () => {
  for (const [numerator, denominator, expected] of [
    [30000, 1001, 29.97],
    [12345678, 1000000, 12.346],
    [3, 2, 1.5],
    [1, 2, 1],
    [239, 1, 239],
    [300, 1, 240],
  ] as const)
    assert.equal(styleOf({ video: { frameRate: { numerator, denominator } } }).frame_rate, expected);
});

test('motion and zoom stay inside 0..1, punch-ins count per cut', () => {
  const motion = (parts: Partial<ClipFacts['motion']>) =>
    styleOf({ video: { transitions: cuts(4) }, motion: parts });
  assert.ok(Math.abs(motion({ medianSpeed: 0.15 }).motion_intensity - 0.632) < 0.001);
  const punchIns = [{ timeSeconds: 1, logScale: 0.15 }];
  assert.equal(motion({ zoomShare: 0.25, punchIns }).zoom_usage, 0.5);
  assert.equal(motion({ zoomShare: 0.9, punchIns: [punchIns[0], punchIns[0]] }).zoom_usage, 1);
});

test('short templates and weak findings lower the confidence', () => {
  const long = styleOf({});
  const short = styleOf({ video: { durationSeconds: 5 } });
  assert.ok(short.confidence!.pacing! < long.confidence!.pacing!);
  assert.ok(short.extraction_confidence < long.extraction_confidence);
  const { color } = videoFacts();
  const black = styleOf({ video: { color: { ...color, confidence: 0 } } });
  assert.equal(black.extraction_confidence, 0);
  assert.equal(black.color_statistics, undefined);
});

test('the fingerprint is handed on', () => {
  const style = valid(extractStyle(clipFacts(), { ...OPTIONS, fingerprint: 'AQAA' }));
  assert.equal(style.fingerprint, 'AQAA');
});
