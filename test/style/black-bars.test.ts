/** Black bars that stay in the picture stay black; without bars a look lifts blacks. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { gradeRgb } from '../../src/style/look/grade.ts';
import { GREY_LEVELS, type Look } from '../../src/style/model/look.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts } from '../support/clip-facts.ts';

const WHOLE = { x: 0, y: 0, width: 1, height: 1 };
const LETTERBOX = { x: 0, y: 0.12, width: 1, height: 0.76 };
/** Lifted, brown blacks. */
const FADED: Look = {
  greys: GREY_LEVELS.map((level) => ({ in: level, out: 14 + 0.86 * level, a: 4, b: 8 })),
  chroma: 0.8,
};

/** The grey, 0..255, that a grey of the source becomes. */
function graded(area: typeof WHOLE, level: number): readonly number[] {
  const source = clipFacts({ video: { activeArea: area, shotAreas: [area] } });
  const template = clipFacts();
  const style = {
    ...extractStyle(template, { createdAt: new Date(0), fingerprint: null }),
    look: { ...FADED, confidence: 1 },
    color_statistics: undefined,
  };
  const config = jobConfigSchema.parse({ components: { aspect_ratio: false } });
  const { timeline } = planTimeline({ source, style, template, config } as never);
  const out = new Float64Array(3);
  gradeRgb(timeline.takes[0].grade as Grade, level / 255, level / 255, level / 255, out);
  return [...out].map((value) => Math.round(255 * value));
}

describe('black', () => {
  test('of bars stays', () => {
    for (const level of [0, 1])
      assert.ok(Math.max(...graded(LETTERBOX, level)) <= 9, `${graded(LETTERBOX, level)}`);
  });
  test('of a picture without bars is lifted', () => {
    assert.ok(Math.min(...graded(WHOLE, 0)) >= 15, `${graded(WHOLE, 0)}`);
  });
  test('beside bars the picture has the look', () => {
    assert.deepEqual(graded(LETTERBOX, 40), graded(WHOLE, 40));
  });
});
