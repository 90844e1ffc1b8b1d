/** Framings of one shot stay long enough to be watched, and none begins while the camera moves. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CameraLabel, ClipFacts } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { Clip } from '../../src/style/model/timeline.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt, LEADING_FACE, motionFacts, pulse } from '../support/clip-facts.ts';

const cutsEvery = (step: number) =>
  Array.from({ length: Math.ceil(40 / step) - 1 }, (_, index) => cutAt((index + 1) * step));

/** A source of 40 s in the pace of a template with four cuts a second. */
function clipsOf(source: ClipFacts, config: object = {}): readonly Clip[] {
  const template = clipFacts({ video: { transitions: cutsEvery(0.24) } });
  const style = extractStyle(template, { createdAt: new Date(0), fingerprint: null });
  return planTimeline({ source, style, template, config: jobConfigSchema.parse(config) }).timeline.clips;
}

const secondsOf = ({ sourceStartSeconds, sourceEndSeconds }: Clip) => sourceEndSeconds - sourceStartSeconds;

describe('framings of one shot', () => {
  for (const [what, step, config, least, mean] of [
    ['an uncut source: 1.8 s, 3 s in the mean', 40, {}, 1.8, 3],
    ['shots of 8 s have two', 8, {}, 1.8, 4],
    ['shots of 2.5 s are parted once', 2.5, {}, 1.2, 1.25],
  ] as const) {
    test(what, () => {
      const clips = clipsOf(
        clipFacts({ video: { transitions: cutsEvery(step), faces: [LEADING_FACE] } }),
        config,
      );
      assert.ok(clips.length > 40 / step, 'there are changes');
      assert.ok(Math.min(...clips.map(secondsOf)) >= least - 0.041, `${Math.min(...clips.map(secondsOf))}`);
      assert.ok(40 / clips.length >= mean - 0.041, `${clips.length} framings`);
    });
  }

  test('shots under 2.4 s are not parted', () => {
    const source = clipFacts({ video: { transitions: cutsEvery(2.2), faces: [LEADING_FACE] } });
    assert.ok(clipsOf(source).every(({ reason }) => reason !== 'punch_in'));
  });

  test('no four in a row are shorter than 3 s in the mean', () => {
    for (const bpm of [92, 126, 140]) {
      const clips = clipsOf(clipFacts({ video: { faces: [LEADING_FACE] }, audio: pulse(bpm, 40) }));
      const starts = clips.slice(1).map(({ sourceStartSeconds }) => sourceStartSeconds);
      for (const [at, start] of starts.slice(4).entries())
        assert.ok(start - starts[at] >= 12 - 0.041, `${start - starts[at]} at ${bpm}`);
    }
  });

  test('at strength 1 the template’s pace is followed', () => {
    assert.ok(clipsOf(clipFacts(), { style_strength: 1 }).length > 60);
  });
});

describe('a change of framing within a movement of the camera', () => {
  const labelled = (label: CameraLabel) =>
    clipFacts({
      video: { transitions: [cutAt(20)], faces: [LEADING_FACE] },
      motion: motionFacts({
        shots: (['static', label] as const).map((one) => ({ label: one, confidence: 1, shake: 0, zoom: 0 })),
      }),
    });
  for (const [label, isChanged] of [
    ['pan', false],
    ['tilt', false],
    ['zoom_in', false],
    ['zoom_out', false],
    ['static', true],
    ['handheld', true],
  ] as const) {
    test(label, () => {
      const clips = clipsOf(labelled(label));
      const inside = clips.filter(({ sourceStartSeconds }) => sourceStartSeconds > 20.1);
      assert.equal(inside.length > 0, isChanged);
      assert.ok(
        clips.some(({ reason, sourceStartSeconds }) => reason === 'punch_in' && sourceStartSeconds < 20),
      );
    });
  }
});
