/** Limits of the warnings for a picture that is cut, scaled up, or small. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pictureWarnings } from '../../src/style/plan/picture-warnings.ts';
import { clipFacts } from '../support/clip-facts.ts';

const FULL_HD = { width: 1920, height: 1080 };
const CONFIG = { quality: 'medium', resolution: 'source' } as const;
type Asked = Parameters<typeof pictureWarnings>;

const told = (
  result: Partial<Asked[0]>,
  {
    source = FULL_HD,
    cutShare = 0,
    config = CONFIG,
  }: { source?: typeof FULL_HD; cutShare?: number; config?: Asked[3] } = {},
) =>
  pictureWarnings(
    { size: FULL_HD, cappedFromLines: null, enlargement: 1, ...result },
    { shown: FULL_HD, cutShare },
    clipFacts({ video: { durationSeconds: 40, ...source } }).video,
    config,
  );

describe('a warning', () => {
  const upright = (lines: number) => ({ size: { width: lines, height: 2 * lines } });
  for (const [what, seen, codes] of [
    ['none', told({}), []],
    ['none of a pixel or two', told({ enlargement: 1.019 }), []],
    ['of a picture that is scaled up by more', told({ enlargement: 1.021 }), ['UPSCALED']],
    ['of a crop with less than 480 lines', told(upright(478)), ['OUTPUT_SMALL']],
    ['not with 480', told(upright(480)), []],
    ['not where the source has hardly more', told(upright(438), { source: { width: 854, height: 480 } }), []],
    ['but with a tenth more', told(upright(426), { source: { width: 854, height: 480 } }), ['OUTPUT_SMALL']],
    ['nor where a size was asked for', told(upright(270), { config: { ...CONFIG, resolution: 'auto' } }), []],
    [
      'of a cap alone where the quality made it small',
      told({ ...upright(470), cappedFromLines: 720 }),
      ['SIZE_CAPPED'],
    ],
    ['of a crop that cuts', told({}, { cutShare: 0.01 }), ['CROP_CUTS']],
  ] as const)
    test(`${what}: ${codes.join() || 'none'}`, () =>
      assert.deepEqual(
        seen.map(({ code }) => code),
        codes,
      ));

  test('of a crop contains the time of its cuts', () => {
    assert.match(told({}, { cutShare: 0.125 })[0].message, /^The crop cuts off .* for 5\.0 of 40\.0 s/);
  });

  test('of a cap names the quality that has no such cap', () => {
    const named = (lines: number) =>
      /Set quality to "(\w+)" for the full size\.$/.exec(
        told({ cappedFromLines: lines }, { config: { ...CONFIG, quality: 'low' } })[0].message,
      )![1];
    assert.deepEqual([named(481), named(1080), named(1081)], ['medium', 'medium', 'high']);
  });
});
