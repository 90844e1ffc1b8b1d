/** Dials that change a style: each moves its own fields, and plans follow. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AdjustmentName, NO_ADJUSTMENTS } from '../../src/domain/adjustment-names.ts';
import { jobConfigSchema, unknownConfigKeys } from '../../src/domain/job-config.ts';
import { presetNamed } from '../../src/presets/presets.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { pacedSlots } from '../../src/style/model/adjusted-slots.ts';
import { adjustedStyle } from '../../src/style/model/adjusted-style.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { colorKey } from '../../src/style/plan/grade.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt, LEADING_FACE } from '../support/clip-facts.ts';

const TEMPLATE = clipFacts({ video: { transitions: [1, 2, 3, 4].map((at) => cutAt(at)) } });
const MEASURED = extractStyle(TEMPLATE, { createdAt: new Date(0), fingerprint: null });
const NOIR = presetNamed('noir').style;

const dialed = (style: typeof MEASURED, name: AdjustmentName, value: number) =>
  adjustedStyle(style, { ...NO_ADJUSTMENTS, [name]: value });
const midGrey = ({ look }: typeof MEASURED) => look!.greys.find((grey) => grey.in === 50)!;
const quarter = ({ look }: typeof MEASURED) => look!.greys.find((grey) => grey.in === 18)!.out;

test('without dials it is the same style', () => {
  assert.equal(adjustedStyle(MEASURED, NO_ADJUSTMENTS), MEASURED);
});

describe('each dial, both ways, gives a style that is valid', () => {
  for (const style of [MEASURED, NOIR, { ...MEASURED, look: undefined }])
    for (const name of Object.keys(NO_ADJUSTMENTS) as AdjustmentName[])
      for (const value of [-1, 0.5, 1])
        test(`${name} ${value}`, () => {
          styleSchema.parse(JSON.parse(JSON.stringify(dialed(style as typeof MEASURED, name, value))));
        });
});

describe('colors', () => {
  for (const [name, isSame] of [
    ['warmth', false],
    ['contrast', false],
    ['saturation', false],
    ['cuts', true],
    ['zooms', true],
    ['caption_size', true],
  ] as const)
    test(`grades are ${isSame ? 'the same' : 'planned again'} after the dial ${name}`, () => {
      assert.equal(colorKey(dialed(MEASURED, name, 0.5)) === colorKey(MEASURED), isSame);
    });

  test('a full warmth moves a mid-grey by 15 units, and the dial with it', () => {
    const before = midGrey(MEASURED);
    const after = midGrey(dialed(MEASURED, 'warmth', 1));
    assert.ok(Math.abs(Math.hypot(after.a - before.a, after.b - before.b) - 15) < 0.1);
    assert.ok(after.b > before.b);
    const { color_grade: grade } = dialed(MEASURED, 'warmth', 1);
    assert.ok(grade.temperature > MEASURED.color_grade.temperature + 20);
    assert.equal(grade.tint, MEASURED.color_grade.tint);
  });

  test('contrast leaves black, mid-grey and white, and darkens what is dark', () => {
    const [soft, hard] = [dialed(NOIR, 'contrast', -1), dialed(NOIR, 'contrast', 1)];
    assert.ok(quarter(soft) > quarter(NOIR) && quarter(hard) < quarter(NOIR));
    const outs = hard.look!.greys.map((grey) => grey.out);
    assert.deepEqual(
      outs,
      outs.toSorted((one, other) => one - other),
    );
  });

  test('saturation -1 is black and white, 1 twice the chroma; black and white stays it', () => {
    assert.equal(dialed(MEASURED, 'saturation', -1).look!.chroma, 0);
    assert.equal(dialed(MEASURED, 'saturation', 1).look!.chroma, 2 * MEASURED.look!.chroma);
    assert.equal(dialed(NOIR, 'saturation', 1).look!.chroma, 0);
  });
});

describe('cuts', () => {
  const slots = [
    { length_seconds: 2, length_beats: 4, motion_rank: 0 },
    { length_seconds: 1, length_beats: 2, motion_rank: 0.5 },
    { length_seconds: 1, length_beats: 2, motion_rank: 1 },
  ];
  for (const [what, factor, lengths, origins] of [
    ['as they are', 1, [2, 1, 1], [0, 1, 2]],
    [
      'twice as many in the same time, each like the template at its moment',
      2,
      [1, 0.5, 0.5, 1, 0.5, 0.5],
      [0, 0, 0, 1, 2, 2],
    ],
    ['half as many', 0.5, [4], [1]],
    ['on half beats', 1.3, [1.5, 0.75, 0.75, 1.5], [0, 0, 1, 2]],
  ] as const)
    test(what, () => {
      const paced = pacedSlots(slots, factor);
      assert.deepEqual(
        paced.map(({ slot }) => slot.length_seconds),
        lengths,
      );
      assert.deepEqual(
        paced.map(({ origin }) => origin),
        origins,
      );
      for (const { slot } of paced) assert.ok(Number.isInteger(2 * slot.length_beats!));
    });

  test('a plan has more of them, or fewer', () => {
    const source = clipFacts({ video: { faces: [LEADING_FACE] } });
    const countOf = (cuts: number) =>
      planTimeline({
        ...{ source, template: TEMPLATE, style: MEASURED },
        config: jobConfigSchema.parse({ adjust: { cuts }, components: { motion: false } }),
      }).timeline.clips.length;
    const [calm, usual, fast] = [-1, 0, 1].map(countOf) as [number, number, number];
    assert.ok(calm < usual && usual < fast, `${calm}, ${usual}, ${fast}`);
  });
});

test('zooms -1 leaves none, whatever the template has', () => {
  const source = clipFacts({ video: { durationSeconds: 20 } });
  const template = clipFacts({ motion: { ...TEMPLATE.motion, zoomShare: 0.8 } });
  const style = { ...MEASURED, zoom_usage: 0.8 };
  const moving = (zooms: number) =>
    planTimeline({
      ...{ source, template, style },
      config: jobConfigSchema.parse({ adjust: { zooms }, pacing: 'keep' }),
    }).timeline.clips.filter(({ from, to }) => to.width !== from.width).length;
  assert.ok(moving(0) > 0);
  assert.equal(moving(-1), 0);
  assert.equal(dialed(style, 'zooms', 1).zoom_usage, 0.9);
});

test('the size of captions is also that of a look without captions', () => {
  const size = dialed(MEASURED, 'caption_size', 1).subtitle_style!.line_height;
  assert.ok(Math.abs(size / 0.045 - 1.5) < 1e-9);
});

test('the size of captions is also that of the titles of a look', () => {
  const titled = {
    ...MEASURED,
    title_style: { position: 'middle', line_height: 0.1, color: '#ffffff', outlined: false } as const,
  };
  assert.equal(dialed(titled, 'caption_size', 1).title_style!.line_height, 0.1 * 1.5);
});

test('an unknown dial is named, a wrong value refused', () => {
  assert.deepEqual(unknownConfigKeys({ adjust: { warmth: 0, glow: 1 } }), ['adjust.glow']);
  assert.throws(() => jobConfigSchema.parse({ adjust: { warmth: 1.1 } }), /from -1 to 1/);
});
