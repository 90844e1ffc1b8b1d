import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobConfigSchema } from '../../src/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts } from '../support/clip-facts.ts';

test('the output shows no more pixels than the source has, and a small one is said to be small', () => {
  const upright = { video: { width: 1080, height: 1920 } };
  for (const [source, template, quality, size, small] of [
    [{ width: 1920, height: 1080 }, upright, 'medium', [606, 1080], false],
    [{ width: 854, height: 480 }, upright, 'medium', [270, 480], true],
    [{ width: 1920, height: 1080 }, upright, 'low', [480, 852], false],
    // Small without our doing.
    [{ width: 320, height: 240 }, { video: { width: 320, height: 240 } }, 'medium', [320, 240], false],
  ] as const) {
    const facts = clipFacts(template);
    const { timeline, warnings } = planTimeline({
      source: clipFacts({ video: source }),
      style: extractStyle(facts, { createdAt: new Date(0), fingerprint: null }),
      template: facts,
      config: jobConfigSchema.parse({ quality }),
    });
    assert.deepEqual([timeline.width, timeline.height], size);
    const said = warnings.find(({ code }) => code === 'OUTPUT_SMALL');
    assert.equal(said !== undefined, small, `${source.width}×${source.height}`);
    if (small) assert.match(said!.message, /270×480.*854×480/);
  }
});
