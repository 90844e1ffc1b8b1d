import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { captionLook, firstBaseline, subtitleStyleOf } from '../../src/style/captions/look.ts';
import { titleLook } from '../../src/style/captions/title-look.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { widthEm } from '../../src/style/model/caption-face.ts';
import { clipFacts } from '../support/clip-facts.ts';

const STYLE = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
const BOTTOM = { position: 'bottom', line_height: 0.05, color: '#ffffff', outlined: true } as const;
type Given = Partial<NonNullable<typeof STYLE.subtitle_style>>;
const metricsOf = () => ({ capHeightEm: 0.7, advanceEm: () => 0.5 });
const look = (style: Given | null, size = { width: 1000, height: 1000 }) =>
  captionLook(
    { ...STYLE, subtitle_style: style === null ? undefined : { ...BOTTOM, ...style } },
    size,
    metricsOf,
  );

describe('a type size is the height of the capitals seen, less other letters', () => {
  for (const [what, style, sizePixels, pitchPixels, lineEm] of [
    // Of a line of 50 pixels 0.77 is ink, an outline of 0.12 included; capitals are 0.7 of the size.
    ['outlined', {}, 49, 60, 860 / 49],
    ['without an outline', { outlined: false }, 57, 70, 860 / 57],
    ['about 42 characters a line', { line_height: 0.02 }, 20, 24, 22],
    ['nine ems on a line of lines', { line_height: 0.2 }, 96, 117, 860 / 96],
    ['six on one of words', { line_height: 0.2, timing: 'words' }, 143, 174, 860 / 143],
    ['eight pixels at least', { line_height: 0.001 }, 8, 10, 22],
    ['of a style that does not say', null, 44, 54, 860 / 44],
  ] as const) {
    test(what, () => {
      const seen = look(style);
      assert.deepEqual([seen.sizePixels, seen.pitchPixels], [sizePixels, pitchPixels]);
      assert.ok(Math.abs(seen.lineEm - lineEm) < 1e-9, `${seen.lineEm}`);
    });
  }
});

test('weights go by the width of strokes, where none was measured by the timing', () => {
  for (const [style, face] of [
    [{ stroke_width: 0.133 }, 'inter-medium'],
    [{ stroke_width: 0.135 }, 'inter-semibold'],
    [{ stroke_width: 0.169 }, 'inter-semibold'],
    [{ stroke_width: 0.171 }, 'inter-extrabold'],
    [{}, 'inter-semibold'],
    [{ timing: 'lines' }, 'inter-semibold'],
    [{ timing: 'words' }, 'inter-extrabold'],
  ] as const)
    assert.equal(look(style).face, face, JSON.stringify(style));
});

test('outline of the letters, and their position', () => {
  assert.deepEqual(
    ([{}, { boxed: true }, { outlined: false }, { outlined: false, boxed: true }] as const).map(
      (style) => look(style).ground,
    ),
    ['outline', 'outline', 'shadow', 'box'],
  );
  assert.deepEqual(
    (['top', 'middle', 'bottom'] as const).map((position) => look({ position }).anchorY),
    [0.1, 0.5, 0.9],
  );
  assert.equal(look({ anchor_y: 0.77 }).anchorY, 0.77);
});

test('baselines: by the position, within 4 % of the picture’s edges', () => {
  // A type of 49 pixels: capitals 34.3 above the baseline, 5.88 of descenders below, lines 60 apart.
  for (const [style, lines, baseline] of [
    [{ anchor_y: 0.5 }, 1, 500 - 5.88],
    [{ anchor_y: 0.5 }, 2, 500 - 5.88 - 60],
    [{ position: 'top', anchor_y: 0.5 }, 2, 500 + 34.3],
    [{ position: 'middle', anchor_y: 0.5 }, 1, 500 + 34.3 / 2],
    [{ position: 'middle', anchor_y: 0.5 }, 2, 500 + 34.3 / 2 - 30],
    [{ anchor_y: 1 }, 2, 960 - 5.88 - 60],
    [{ position: 'top', anchor_y: 0 }, 2, 40 + 34.3],
  ] as const)
    assert.equal(firstBaseline(look(style), lines, 0.7, 1000), Math.round(baseline), JSON.stringify(style));
});

describe('type and timing of a clip’s captions', () => {
  const found = { position: 'bottom', lineHeight: 0.05123, color: '#ffffff', outlined: true } as const;
  const of = (spans: readonly { y: number; height?: number; seconds?: number }[], change: object = {}) =>
    subtitleStyleOf({
      share: 1,
      confidence: 1,
      style: { ...found, ...change },
      spans: spans.map(({ y, height = 0.05, seconds = 2 }, at) => ({
        startSeconds: 3 * at,
        endSeconds: 3 * at + seconds,
        box: { x: 0.2, y, width: 0.6, height },
      })),
    })!;

  test('words are six at least, half of them for less than three quarters of a second', () => {
    const times = (count: number, seconds: number) =>
      of(Array.from({ length: count }, () => ({ y: 0.8, seconds }))).timing;
    assert.deepEqual([times(6, 0.74), times(6, 0.76), times(5, 0.5)], ['words', 'lines', 'lines']);
    const mixed = [2, 2, 2, 0.5, 0.5, 0.5, 0.5].map((seconds) => ({ y: 0.8, seconds }));
    assert.equal(of(mixed).timing, 'words');
    assert.equal(of([]).timing, undefined);
  });

  test('their place is the median of their edges', () => {
    assert.equal(of([{ y: 0.85 }, { y: 0.7 }, { y: 0.8 }]).anchor_y, 0.85);
    assert.equal(of([{ y: 0.4, height: 0.2 }], { position: 'middle' }).anchor_y, 0.5);
    assert.equal(of([{ y: 0.1, height: 0.2 }], { position: 'top' }).anchor_y, 0.1);
    assert.equal(of([]).anchor_y, undefined);
  });

  test('figures have three digits', () => {
    const { line_height, stroke_width, boxed } = of([], { strokeWidth: 0.12345, boxed: false });
    assert.deepEqual([line_height, stroke_width, boxed], [0.051, 0.123, false]);
    assert.ok(!('boxed' in of([])) && !('stroke_width' in of([])));
  });
});

test('the width of a text is that of its characters, those that the face lacks aside', () => {
  const widths: Readonly<Record<string, number>> = { a: 0.5, W: 1 };
  const advanceEm = (codePoint: number) => widths[String.fromCodePoint(codePoint)] ?? null;
  assert.equal(widthEm('aWx😀a', { capHeightEm: 0.7, advanceEm }), 2);
});

describe('titles in the look of a template', () => {
  const SIZE = { width: 1000, height: 1000 };
  const TITLES: NonNullable<typeof STYLE.title_style> = {
    ...{ position: 'top', anchor_y: 0.2, line_height: 0.08, color: '#ffee00' },
    ...{ outlined: true, stroke_width: 0.19 },
  };
  const captions = { ...BOTTOM, timing: 'words' } as const;

  test('have size, weight, place, color and outline of its titles', () => {
    const style = { subtitle_style: captions, title_style: TITLES };
    const { sizePixels, face, position, anchorY, color, ground, timing } = titleLook(
      ...([{ style: 'look' }, style, SIZE, metricsOf] as const),
    );
    assert.deepEqual(
      [sizePixels, face, position, anchorY, color, ground, timing],
      [79, 'inter-extrabold', 'top', 0.2, '#ffee00', 'outline', 'lines'],
    );
  });

  test('without an outline have a shadow', () => {
    const style = { title_style: { ...TITLES, outlined: false } };
    assert.equal(titleLook({}, style, SIZE, metricsOf).ground, 'shadow');
  });

  test('without titles are like its captions, as whole lines', () => {
    const { position, anchorY, color, timing } = titleLook(
      ...([{}, { subtitle_style: captions }, SIZE, metricsOf] as const),
    );
    assert.deepEqual([position, anchorY, color, timing], ['bottom', 0.9, '#ffffff', 'lines']);
  });

  test('have the place that a person chose, and other styles are as they are', () => {
    const style = { title_style: TITLES };
    assert.equal(titleLook({ place: { x: 0.5, y: 0.6 } }, style, SIZE, metricsOf).anchorY, 0.6);
    assert.deepEqual(
      titleLook({ style: 'bold' }, style, SIZE, metricsOf),
      titleLook({ style: 'bold' }, {}, SIZE, metricsOf),
    );
  });

  const BOX = { color: '#c81428', opacity: 0.7, confidence: 0.9 };
  const SLIDE = { type: 'slide', duration_ms: 400, side: 'left', distance: 0.2, confidence: 0.9 } as const;
  const CUT = { type: 'cut', duration_ms: 0, confidence: 0.9 } as const;
  const POP = { type: 'pop', duration_ms: 250, confidence: 0.9 } as const;
  const slid = { type: 'slide', seconds: 0.4, side: 'left', distancePixels: 200 };
  const requested = { type: 'slide', seconds: 0.3, side: 'bottom', distancePixels: 60 };
  const titleWith = (more: Partial<typeof TITLES>) => ({ ...TITLES, outlined: false, ...more });
  for (const [name, choices, titles, ground, box, animationIn, animationOut] of [
    ['box', {}, { box: BOX }, 'box', { color: '#c81428', opacity: 0.7 }, undefined, undefined],
    [
      'animation',
      {},
      { animation_in: SLIDE, animation_out: POP },
      'shadow',
      undefined,
      slid,
      { type: 'pop', seconds: 0.25 },
    ],
    ['appearing at once', {}, { animation_in: CUT }, 'shadow', undefined, undefined, undefined],
    ['no box, as chosen', { box: false }, { box: BOX }, 'shadow', undefined, undefined, undefined],
    ['a box, as chosen', { box: true }, {}, 'box', undefined, undefined, undefined],
    [
      'no animation, as chosen',
      { animation: 'none' },
      { animation_in: SLIDE },
      'shadow',
      undefined,
      undefined,
      undefined,
    ],
    [
      'another animation, as chosen',
      { animation: 'slide' },
      { animation_in: POP },
      'shadow',
      undefined,
      requested,
      requested,
    ],
    [
      'a plain style with an animation',
      { style: 'bold', animation: 'fade' },
      { box: BOX },
      'outline',
      undefined,
      { type: 'fade', seconds: 0.3 },
      { type: 'fade', seconds: 0.3 },
    ],
  ] as const)
    test(`box and animation: ${name}`, () => {
      const look = titleLook(choices, { title_style: titleWith(titles) }, SIZE, metricsOf);
      assert.deepEqual(
        [look.ground, look.box, look.animationIn, look.animationOut],
        [ground, box, animationIn, animationOut],
      );
    });
});
