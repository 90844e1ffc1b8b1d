import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PRESETS } from '../../../src/presets/presets.ts';
import { median } from '../../../src/signal/statistics.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { templateEditOf } from '../../../src/style/edit/template-edit.ts';
import { extractSoundStyle, extractStyle } from '../../../src/style/extract/extract.ts';
import { styleSchema } from '../../../src/style/model/schema.ts';
import { audioFacts, clipFacts, cutAt, pictureFacts, pulse, videoFacts } from '../../support/clip-facts.ts';
import { madeRequest, makeTakes } from './made-material.ts';

const OPTIONS = { createdAt: new Date(0), fingerprint: null };

/** Shots of 4, 2, 10 and 24 s on a pulse of 120 a minute; the third is bright. */
function cutClip(more: Parameters<typeof videoFacts>[0] = {}) {
  const times = Array.from({ length: 80 }, (_, at) => at / 2);
  const lightness = times.map((time) => (time >= 6 && time < 16 ? 80 : 30));
  return clipFacts({
    video: videoFacts({
      transitions: [cutAt(4), cutAt(6), cutAt(16)],
      picture: pictureFacts({
        timesSeconds: times,
        lightness,
        contrast: times.map(() => 0.2),
        detail: times.map(() => 0.1),
        ...{ sharpness: times.map(() => 1), noise: times.map(() => 0), black: times.map(() => 0) },
        ...{
          white: times.map(() => 0),
          highlight: times.map(() => 200),
          colorSpread: times.map(() => 0.1),
          change: times.map(() => 5),
        },
      }),
      ...more,
    }),
    audio: audioFacts(pulse(120, 40)),
  });
}

describe('the group edit', () => {
  test('holds shots in seconds and beats, and ranks by time', () => {
    const style = extractStyle(cutClip(), OPTIONS);
    const slots = style.edit!.slots;
    assert.deepEqual(
      slots.map(({ length_seconds, length_beats }) => [length_seconds, length_beats]),
      [
        [4, 8],
        [2, 4],
        [10, 20],
        [24, 48],
      ],
    );
    assert.equal(style.edit!.on_beat_share, 1);
    assert.ok(Math.abs(slots[2].lightness! - 80) < 2, `${slots[2].lightness}`);
    // 30 of 40 s are darker; half of its own 10 s counts.
    assert.equal(slots[2].lightness_rank, 0.875);
    assert.deepEqual(styleSchema.parse(style), style);
  });

  test('leaves out missing measurements, and itself for a clip of one shot', () => {
    const dark = extractStyle(cutClip({ picture: pictureFacts() }), OPTIONS);
    assert.equal(dark.edit!.slots[0].lightness, undefined);
    assert.equal(dark.edit!.slots[0].contrast_rank, undefined);
    assert.equal(extractStyle(cutClip({ transitions: [] }), OPTIONS).edit, undefined);
  });

  test('names the first shot that shows the same view', () => {
    // Shots without a picture of their own show no known view.
    const pictures = [0, 1, 2].map((seed) =>
      Array.from({ length: 64 }, (_, cell) => ((cell * (7 + 4 * seed)) % 13) * 15),
    );
    const rows = [
      [
        [0, 1, 2, 0],
        [undefined, undefined, undefined, 0],
      ],
      [
        [0, 1, 1, 1],
        [undefined, undefined, 1, 1],
      ],
      [
        [0, null, 0, null],
        [undefined, undefined, 0, undefined],
      ],
    ] as const;
    const middles = [2, 5, 11, 28];
    for (const [shown, returns] of rows) {
      const seen = shown.flatMap((picture, shot) =>
        picture === null ? [] : [{ picture, time: middles[shot]! }],
      );
      const picture = pictureFacts({
        viewTimesSeconds: seen.map(({ time }) => time),
        views: Buffer.from(seen.flatMap((one) => pictures[one.picture]!)).toString('base64'),
      });
      const style = extractStyle(cutClip({ picture }), OPTIONS);
      assert.deepEqual(
        style.edit!.slots.map(({ returns_to }) => returns_to),
        returns,
      );
      assert.deepEqual(
        templateEditOf(styleSchema.parse(style)).slots.map(({ returnsTo }) => returnsTo ?? undefined),
        returns,
      );
    }
  });

  test('names gradual transitions into a slot', () => {
    const fade = { ...cutAt(6), type: 'dissolve' as const, startSeconds: 5.6, endSeconds: 6.4 };
    const { slots } = extractStyle(cutClip({ transitions: [cutAt(4), fade, cutAt(16)] }), OPTIONS).edit!;
    assert.deepEqual(slots[2].transition, { type: 'dissolve', duration_ms: 800, easing: 'linear' });
    assert.deepEqual(
      templateEditOf(extractStyle(cutClip({ transitions: [cutAt(4), fade] }), OPTIONS)).slots[2].transition,
      { type: 'dissolve', durationSeconds: 0.8, easing: 'linear' },
    );
  });
});

describe('templateEditOf', () => {
  test('a song: all cuts on its beats, as long as the song, at most a minute', () => {
    for (const [seconds, wanted] of [
      [24, 24],
      [200, 60],
    ] as const) {
      const style = styleSchema.parse(
        extractSoundStyle(audioFacts({ ...pulse(120, seconds), durationSeconds: seconds }), OPTIONS),
      );
      const { slots, onBeatShare, tempoBpm } = templateEditOf(style);
      assert.deepEqual([onBeatShare, Math.round(tempoBpm!)], [1, 120]);
      const total = slots.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
      assert.ok(Math.abs(total - wanted) < 1e-6, `${total} s of ${wanted}`);
    }
  });

  test('a style without the group: lengths near its quantiles', () => {
    const { edit: _, ...style } = extractStyle(cutClip(), OPTIONS);
    const quantiles = { p10: 0.6, p25: 0.9, p50: 1.4, p75: 2.2, p90: 3.5, mean: 1.7 };
    const { slots } = templateEditOf({ ...style, shot_lengths: quantiles });
    const lengths = slots.map(({ durationSeconds }) => durationSeconds);
    assert.ok(Math.abs(Math.log(median(lengths) / 1.4)) < 0.15);
    assert.ok(Math.min(...lengths) >= 0.6 && Math.max(...lengths) <= 3.5);
  });

  test('every preset drives an edit', () => {
    for (const { id, style } of PRESETS) {
      const template = templateEditOf(style);
      const plan = planEdit(madeRequest({ takes: makeTakes(10, 20), template }));
      assert.ok(plan.slots.length >= 2, id);
      assert.deepEqual(plan.warnings, [], id);
    }
  });
});
