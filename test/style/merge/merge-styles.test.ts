import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PRESETS } from '../../../src/presets/presets.ts';
import { mergeStyles } from '../../../src/style/merge/merge-styles.ts';
import type { StyleTemplate } from '../../../src/style/merge/templates.ts';
import { type Style, styleSchema } from '../../../src/style/model/schema.ts';

const SURE = { color: 1, pacing: 1, transitions: 1, motion: 1, audio: 1, subtitles: 1 };
const REST = { temperature: 0, tint: 0, saturation: 0, contrast: 0, highlights: 0, shadows: 0 };
const PLAIN: Style = {
  version: '1.0.0',
  aspect_ratio: '16:9',
  frame_rate: 25,
  cut_frequency: 0.5,
  motion_intensity: 0.4,
  zoom_usage: 0.1,
  use_subtitles: false,
  created_at: '2026-01-01T00:00:00.000Z',
  source_duration_seconds: 30,
  extraction_confidence: 1,
  color_grade: REST,
  confidence: SURE,
};
const STILL: Partial<Style> = {
  source_kind: 'image',
  cut_frequency: 0,
  frame_rate: 30,
  source_duration_seconds: 0,
  confidence: { color: 1, pacing: 0, transitions: 0, motion: 0, subtitles: 0 },
};
const SONG: Partial<Style> = {
  source_kind: 'audio',
  confidence: { color: 0, pacing: 0, transitions: 0, motion: 0, audio: 1, subtitles: 0 },
};
const lengths = (middle: number) => ({
  ...{ p10: middle / 4, p25: middle / 2, p50: middle, p75: 2 * middle, p90: 4 * middle },
  mean: 1.5 * middle,
});
const talk = (p90: number, longest?: number): Partial<Style> => ({
  talk: {
    pauses: { p10: 0.2, p25: 0.3, p50: 0.4, p75: 0.5, p90, ...(longest !== undefined && { longest }) },
    ...{ pauses_per_minute: 20, confidence: 0.9 },
  },
});
const cast = (chroma: number, degrees: number) => ({
  a: chroma * Math.cos((degrees * Math.PI) / 180),
  b: chroma * Math.sin((degrees * Math.PI) / 180),
});
const look = (chroma: number, degrees: number): Partial<Style> => ({
  look: {
    greys: [4, 96].map((level) => ({ in: level, out: level, ...cast(chroma, degrees) })),
    chroma: 1,
  },
});
const colored = (mean_ab: [number, number], covariance_ab: [number, number, number]): Partial<Style> => ({
  ...look(0, 0),
  color_statistics: {
    lightness_percentiles: Array.from({ length: 21 }, (_, at) => 5 * at),
    ...{ mean_ab, covariance_ab },
  },
});
const titles = (line_height: number, color: string): Partial<Style> => ({
  title_style: { position: 'middle', line_height, color, outlined: false },
});
const BOX = { color: '#000000', opacity: 1, confidence: 0.9 };
const boxed = (color: string, opacity: number): Partial<Style> => ({
  title_style: { ...titles(0.1, '#ffffff').title_style!, box: { ...BOX, color, opacity } },
});
const animated = (type: 'fade' | 'pop', duration_ms: number): Partial<Style> => ({
  title_style: {
    ...titles(0.1, '#ffffff').title_style!,
    animation_in: { type, duration_ms, confidence: 0.9 },
  },
});
const captions = (position: 'top' | 'middle' | 'bottom', color: string): Partial<Style> => ({
  use_subtitles: true,
  subtitle_style: { position, line_height: 0.05, color, outlined: true },
});

/** Templates with these differences from `PLAIN`, called a, b, c … */
function merged(...differences: readonly Partial<Style>[]): Style {
  return mergeStyles(templatesOf(...differences));
}

function templatesOf(...differences: readonly Partial<Style>[]): StyleTemplate[] {
  return differences.map((difference, at) => ({
    name: 'abcdefghijk'[at]!,
    style: { ...PLAIN, ...difference },
  }));
}

/** Field as a path, templates, its merged value; undefined: left out. */
const FIELDS: readonly (readonly [string, readonly Partial<Style>[], unknown])[] = [
  ['cut_frequency', [{ cut_frequency: 0.2 }, { cut_frequency: 0.3 }, { cut_frequency: 9 }], 0.3],
  ['cut_frequency', [{ cut_frequency: 0.2 }, { cut_frequency: 0.4 }], 0.3],
  ['cut_frequency', [{ cut_frequency: 0.2 }, STILL, SONG], 0.2],
  ['cut_frequency', [STILL, { ...STILL, aspect_ratio: '9:16' }], 0],
  ['shot_lengths.p50', [1, 2, 6].map((middle) => ({ shot_lengths: lengths(middle) })), 2],
  ['shot_lengths', [{ shot_lengths: lengths(1) }, {}, { zoom_usage: 0 }], undefined],
  [
    'transition_mix',
    [{ transition_mix: { cut: 1 } }, { transition_mix: { cut: 0.5, dissolve: 0.5 } }],
    { cut: 0.75, dissolve: 0.25 },
  ],
  [
    'primary_transition',
    [400, 600, 0].map((duration_ms) => ({
      primary_transition: { type: duration_ms === 0 ? 'cut' : 'dissolve', duration_ms, easing: 'linear' },
    })),
    { type: 'dissolve', duration_ms: 500, easing: 'linear' },
  ],
  [
    'music_genre',
    [{ music_genre: 'rock' }, { music_genre: 'pop' }, { music_genre: 'rock', zoom_usage: 0 }],
    'rock',
  ],
  ['music_genre', [{ music_genre: 'rock' }, { music_genre: 'pop' }], 'pop'],
  ['tempo_bpm', [{ tempo_bpm: 120 }, {}, { zoom_usage: 0 }], undefined],
  ['talk.pauses.longest', [talk(0.6, 1), talk(0.6, 1.4), talk(0.6, 3)], 1.4],
  ['talk.pauses.longest', [talk(0.6), talk(0.6)], undefined],
  ['talk.pauses.longest', [talk(0.9), talk(0.9), talk(0.3, 0.4)], 0.9],
  ['tempo_bpm', [{ tempo_bpm: 120 }, { tempo_bpm: 124 }, { zoom_usage: 0 }], 122],
  ['aspect_ratio', [{ aspect_ratio: '9:16' }, { aspect_ratio: '9:16', zoom_usage: 0 }, {}, SONG], '9:16'],
  ['use_subtitles', [captions('top', '#ffffff'), {}, { zoom_usage: 0 }], false],
  ['subtitle_style', [captions('top', '#ffffff'), {}, { zoom_usage: 0 }], undefined],
  [
    'subtitle_style.position',
    [captions('top', '#ffffff'), captions('bottom', '#ffff00'), captions('bottom', '#ffffff')],
    'bottom',
  ],
  [
    'subtitle_style.color',
    [captions('top', '#ff0000'), captions('top', '#fffff0'), captions('top', '#ffffff')],
    '#fffff0',
  ],
  // The spread of all colors: that within each template, and that of their means.
  ['color_statistics.covariance_ab', [colored([10, 4], [1, 0, 2]), colored([12, 6], [1, 0, 2])], [2, 1, 3]],
  ['title_style', [titles(0.1, '#ffffff'), {}, { zoom_usage: 0 }], undefined],
  [
    'title_style.box',
    [boxed('#000000', 0.8), boxed('#000000', 0.6), boxed('#ff0000', 0.7)],
    { ...BOX, opacity: 0.7 },
  ],
  ['title_style.box', [boxed('#000000', 0.8), titles(0.1, '#ffffff'), titles(0.1, '#ffffff')], undefined],
  [
    'title_style.animation_in',
    [animated('fade', 200), animated('fade', 400), animated('pop', 900)],
    { type: 'fade', duration_ms: 300, confidence: 0.9 },
  ],
  ['title_style.line_height', [0.1, 0.14, 0.3].map((size) => titles(size, '#ffffff')), 0.14],
  ['transition_color', [{ transition_mix: { fade_color: 1 }, transition_color: '#0040FF' }, {}], '#0040ff'],
  ['source_kind', [STILL, { ...STILL, aspect_ratio: '1:1' }], 'image'],
  ['source_kind', [STILL, {}], undefined],
  ['source_duration_seconds', [{}, { source_duration_seconds: 12 }], 42],
  ['created_at', [{}, { zoom_usage: 0, created_at: '2026-02-01T00:00:00.000Z' }], '2026-02-01T00:00:00.000Z'],
  ['fingerprint', [{ fingerprint: 'one' }, { fingerprint: 'two' }], undefined],
  [
    'palette',
    [
      [{ hex: '#ff0000', weight: 1 }],
      [
        { hex: '#fe0000', weight: 0.5 },
        { hex: '#0000ff', weight: 0.5 },
      ],
    ].map((palette) => ({ palette })),
    [
      { hex: '#ff0000', weight: 0.75 },
      { hex: '#0000ff', weight: 0.25 },
    ],
  ],
];

/** Casts of the templates as chroma and hue, and the merged cast. */
const CASTS: readonly (readonly [
  string,
  readonly (readonly [number, number])[],
  readonly [number, number],
])[] = [
  [
    'around 0°',
    [
      [10, 350],
      [10, 10],
    ],
    [9.85, 0],
  ],
  [
    'a strong cast beside weak ones',
    [
      [4, 90],
      [5, 90],
      [30, 90],
    ],
    [5, 90],
  ],
  [
    'opposite',
    [
      [10, 0],
      [10, 180],
    ],
    [0, 0],
  ],
];

describe('a style of several templates', () => {
  for (const [path, templates, expected] of FIELDS) {
    const values = templates
      .map((one) => JSON.stringify(one))
      .join(', ')
      .slice(0, 90);
    test(`${path} of ${values}`, () => assert.deepEqual(at(merged(...templates), path), expected));
  }

  for (const [name, casts, [chroma, hue]] of CASTS)
    test(`hues are circular: ${name}`, () => {
      const found = merged(...casts.map(([one, degrees]) => look(one, degrees))).look!.greys[3]!;
      assert.ok(Math.abs(Math.hypot(found.a, found.b) - chroma) < 0.01, JSON.stringify(found));
      const wanted = cast(chroma, hue);
      assert.ok(Math.hypot(found.a - wanted.a, found.b - wanted.b) < 0.01, JSON.stringify(found));
    });

  test('of one template is its own', () => {
    for (const { style } of PRESETS) assert.equal(mergeStyles([{ name: 'a', style }]), style);
    const [one] = templatesOf({ tempo_bpm: 100 });
    assert.deepEqual(mergeStyles([one!, { ...one!, name: 'copy' }]), one!.style);
  });

  test('of none is refused', () => assert.throws(() => mergeStyles([]), RangeError));

  const three = templatesOf(
    { ...look(8, 80), ...captions('top', '#ffffff'), shot_lengths: lengths(1), cut_frequency: 1 },
    { ...look(6, 60), shot_lengths: lengths(2), cut_frequency: 0.4, music_genre: 'rock' },
    { ...look(4, 300), ...captions('middle', '#ffff00'), shot_lengths: lengths(3), music_genre: 'pop' },
  );

  test('does not depend on the order of the templates', () => {
    const [a, b, c] = three as [StyleTemplate, StyleTemplate, StyleTemplate];
    for (const order of [
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ])
      assert.deepEqual(mergeStyles(order), mergeStyles(three));
  });

  test('a doubled template has twice the weight, and nothing else', () => {
    const doubled = mergeStyles([...three, ...three]);
    const { consensus, ...style } = mergeStyles(three);
    const templates = consensus!.templates.map((one) => ({ ...one, weight: 2 }));
    assert.deepEqual(doubled, { ...style, consensus: { ...consensus, templates } });
    const [a, b] = three as [StyleTemplate, StyleTemplate];
    assert.equal(mergeStyles([a, a, b]).cut_frequency, a.style.cut_frequency);
  });

  test('is a valid style, of presets too', () => {
    const all = PRESETS.map(({ id, style }) => ({ name: id, style }));
    for (const templates of [three, all.slice(0, 3), all, [...all, ...three]])
      styleSchema.parse(mergeStyles(templates));
  });

  test('the sequence of shots is that of the template nearest to all', () => {
    const edit = (seconds: number) => ({ edit: { slots: [{ length_seconds: seconds }] } });
    const style = merged(
      { ...edit(9), cut_frequency: 3, motion_intensity: 1 },
      { ...edit(2), cut_frequency: 0.5 },
      { ...edit(1), cut_frequency: 0.4, motion_intensity: 0.1 },
    );
    assert.equal(style.edit!.slots[0]!.length_seconds, 2);
  });
});

describe('the consensus of templates', () => {
  test('equal fields agree wholly, noticeable differences by half', () => {
    const { agreement } = merged({ zoom_usage: 0 }, { zoom_usage: 0.4 }).consensus!;
    assert.equal(agreement['cut_frequency'], 1);
    assert.equal(agreement['zoom_usage'], 0.5);
  });

  test('spectra of different bands cannot be compared, and those of different lengths neither', () => {
    const of = (centres_hz: number[], levels_db: number[]) => ({ spectrum: { centres_hz, levels_db } });
    for (const other of [of([50, 200], [0, 3]), of([50, 100], [0])]) {
      const style = merged(of([50, 100], [0, 3]), of([50, 100], [0, 3]), other);
      styleSchema.parse(style);
      assert.equal(style.consensus!.agreement['spectrum'], 0.667, JSON.stringify(other));
    }
  });

  test('a template without a field does not agree', () => {
    const { agreement } = merged({ tempo_bpm: 120 }, { tempo_bpm: 120, zoom_usage: 0 }, {}).consensus!;
    assert.equal(agreement['tempo_bpm'], 0.667);
  });

  test('confidence is that of the clearest template, less where they differ', () => {
    const weak = (pacing: number) => ({ confidence: { ...SURE, pacing }, motion_intensity: pacing });
    assert.equal(merged(weak(0.3), weak(0.6)).confidence!.pacing, 0.6);
    const unlike = merged({ cut_frequency: 0.05 }, { cut_frequency: 4 });
    assert.ok(Number(unlike.confidence!.pacing) < 0.3, JSON.stringify(unlike.confidence));
    assert.ok(unlike.extraction_confidence < 0.5);
    assert.equal(unlike.confidence!.color, 1);
  });

  test('names the template that differs while the others agree', () => {
    const fast = { cut_frequency: 6, shot_lengths: lengths(0.1) };
    const calm = (middle: number) => ({ cut_frequency: 1 / middle, shot_lengths: lengths(middle) });
    const outliers = (...all: readonly Partial<Style>[]) =>
      merged(...all).consensus!.templates.map(({ outlier_in: parts }) => parts.join());
    assert.deepEqual(outliers(calm(3), fast, calm(3.2)), ['', 'pacing', '']);
    assert.deepEqual(outliers(calm(3), { ...calm(3.2), ...captions('top', '#ffffff') }, calm(3.4)), [
      '',
      'subtitles',
      '',
    ]);
    // Of two neither is the exception, and three that all differ have none.
    assert.deepEqual(outliers(calm(3), fast), ['', '']);
    assert.deepEqual(outliers(calm(0.1), calm(1), calm(30)), ['', '', '']);
  });

  test('has the range of each number', () => {
    const { spread } = merged(
      { cut_frequency: 0.2, color_grade: { ...REST, tint: -4 } },
      { cut_frequency: 0.7, color_grade: { ...REST, tint: 6 } },
      STILL,
    ).consensus!;
    assert.deepEqual(spread['cut_frequency'], { least: 0.2, most: 0.7 });
    assert.deepEqual(spread['color_grade.tint'], { least: -4, most: 6 });
  });
});

function at(style: Style, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], style);
}
