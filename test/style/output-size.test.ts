import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { largestOutput, outputSize, type SizeConfig } from '../../src/style/plan/output-size.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts } from '../support/clip-facts.ts';

const FULL_HD = [1920, 1080] as const;
const UPRIGHT = [1080, 1920] as const;
const UHD = [3840, 2160] as const;
const HD = [1280, 720] as const;
const SD = [854, 480] as const;
const CIF = [352, 288] as const;
const TINY = [320, 240] as const;
const SCOPE = [1920, 816] as const;

type Pair = readonly [number, number];
const size = ([width, height]: Pair) => ({ width, height });

interface Config extends Partial<SizeConfig> {
  readonly style_strength?: number;
  readonly components?: object;
}

/** Always follows the template's ratio. */
function planned(source: Pair, template: Pair | null, config: Config) {
  const facts = template === null ? null : clipFacts({ video: size(template) });
  const { timeline, warnings } = planTimeline({
    source: clipFacts({ video: size(source) }),
    style: facts === null ? null : extractStyle(facts, { createdAt: new Date(0), fingerprint: null }),
    template: facts,
    config: jobConfigSchema.parse({
      ...config,
      components: { aspect_ratio: true, ...config.components },
    }),
  });
  const said = warnings.filter(({ code }) =>
    /^(RATIO_PUBLISHED|UPSCALED|SIZE_CAPPED|OUTPUT_SMALL|TONE_MAPPED)$/.test(code),
  );
  return { size: [timeline.width, timeline.height], codes: said.map(({ code }) => code), said };
}

describe('the size of an output', () => {
  for (const [source, template, config, wanted, codes] of [
    // The contract's example.
    [FULL_HD, UPRIGHT, {}, [1080, 1920], ['UPSCALED']],
    [FULL_HD, UPRIGHT, { quality: 'high' }, [1080, 1920], ['UPSCALED']],
    [FULL_HD, UPRIGHT, { quality: 'ultra' }, [1080, 1920], ['UPSCALED']],
    [FULL_HD, UPRIGHT, { quality: 'low' }, [480, 852], ['SIZE_CAPPED']],
    [FULL_HD, UPRIGHT, { resolution: 'source' }, [606, 1080], []],
    [FULL_HD, UPRIGHT, { resolution: 'source', quality: 'low' }, [480, 852], ['SIZE_CAPPED']],
    [FULL_HD, UPRIGHT, { resolution: '720p' }, [720, 1280], ['UPSCALED']],
    [FULL_HD, UPRIGHT, { resolution: '1080p' }, [1080, 1920], ['UPSCALED']],
    [FULL_HD, UPRIGHT, { resolution: '1440p' }, [1080, 1920], ['SIZE_CAPPED', 'UPSCALED']],
    [FULL_HD, UPRIGHT, { resolution: '1440p', quality: 'high' }, [1440, 2560], ['UPSCALED']],
    [FULL_HD, UPRIGHT, { resolution: '2160p', quality: 'ultra' }, [2160, 3840], ['UPSCALED']],
    [UPRIGHT, FULL_HD, {}, [1920, 1080], ['UPSCALED']],
    [FULL_HD, [1080, 1350], {}, [1080, 1350], ['UPSCALED']],
    [FULL_HD, [1080, 1080], {}, [1080, 1080], []],
    [FULL_HD, [640, 480], {}, [1440, 1080], []],
    // Nearly a size to publish, where it is scaled anyway.
    [[1904, 1080], [226, 400], {}, [1080, 1920], ['UPSCALED']],
    [[1880, 1080], [226, 400], {}, [1058, 1880], ['UPSCALED']],
    [[1904, 1074], null, {}, [1904, 1074], []],
    // The same ratio.
    [FULL_HD, FULL_HD, {}, [1920, 1080], []],
    [FULL_HD, HD, {}, [1920, 1080], []],
    [FULL_HD, null, {}, [1920, 1080], []],
    [FULL_HD, null, { quality: 'low' }, [852, 480], ['SIZE_CAPPED']],
    [SD, null, { quality: 'low' }, [854, 480], []],
    [FULL_HD, null, { resolution: '720p' }, [1280, 720], []],
    [FULL_HD, null, { resolution: '720p', quality: 'low' }, [852, 480], ['SIZE_CAPPED']],
    [HD, null, { resolution: '1080p' }, [1920, 1080], ['UPSCALED']],
    [HD, FULL_HD, {}, [1920, 1080], ['UPSCALED']],
    [HD, FULL_HD, { resolution: 'source' }, [1280, 720], []],
    [HD, FULL_HD, { style_strength: 0 }, [1280, 720], []],
    [HD, UPRIGHT, { components: { aspect_ratio: false } }, [1920, 1080], ['UPSCALED']],
    [HD, [540, 960], {}, [720, 1280], ['UPSCALED']],
    // At most twice what is shown, 405 × 720 of it here.
    [HD, UPRIGHT, {}, [810, 1440], ['UPSCALED']],
    // But an upright picture of a wide source has no fewer lines than sites show.
    [SD, UPRIGHT, {}, [720, 1280], ['UPSCALED']],
    [[640, 360], UPRIGHT, {}, [720, 1280], ['UPSCALED']],
    [[640, 360], UPRIGHT, { quality: 'low' }, [480, 852], ['SIZE_CAPPED', 'UPSCALED']],
    [CIF, FULL_HD, { components: { aspect_ratio: false } }, [704, 576], ['UPSCALED']],
    [TINY, TINY, {}, [320, 240], []],
    [TINY, TINY, { resolution: '720p' }, [960, 720], ['UPSCALED']],
    // A quality without a cap takes nothing away from the source, and gives no more than a size to publish.
    [UHD, null, {}, [1920, 1080], ['SIZE_CAPPED']],
    [UHD, null, { quality: 'high' }, [3840, 2160], []],
    [UHD, UPRIGHT, {}, [1080, 1920], ['SIZE_CAPPED']],
    [UHD, UPRIGHT, { quality: 'high' }, [1214, 2160], []],
    [HD, UHD, { quality: 'ultra' }, [1920, 1080], ['UPSCALED']],
    [UHD, null, { quality: 'high', resolution: '1080p' }, [1920, 1080], []],
    [UHD, null, { quality: 'high', resolution: '2160p' }, [3840, 2160], []],
    // A recorded player is nearly 9:16; a source of its very shape is not cropped.
    [FULL_HD, [226, 426], {}, [1080, 1920], ['RATIO_PUBLISHED', 'UPSCALED']],
    [[226, 426], [226, 426], { resolution: 'source' }, [226, 426], []],
    // Lines are the shorter side at any ratio.
    [FULL_HD, SCOPE, { resolution: 'source' }, [1920, 816], []],
    // But what is wider than both becomes no longer than they are.
    [FULL_HD, SCOPE, {}, [1920, 816], []],
    [HD, SCOPE, {}, [1916, 816], ['UPSCALED']],
    [FULL_HD, [816, 1920], {}, [816, 1918], ['UPSCALED']],
    [FULL_HD, SCOPE, { resolution: '1080p' }, [2538, 1080], ['UPSCALED']],
    [SCOPE, FULL_HD, {}, [1920, 1080], ['UPSCALED']],
    // A crop that nothing may enlarge can be small; that of a small source is small without our doing.
    [SD, UPRIGHT, { resolution: 'source' }, [270, 480], ['OUTPUT_SMALL']],
    [TINY, TINY, { resolution: 'source' }, [320, 240], []],
  ] as const) {
    const words = `${source.join('×')} beside ${template?.join('×') ?? 'nothing'} ${JSON.stringify(config)}`;
    test(`${words}: ${wanted.join('×')}`, () => {
      const result = planned(source, template, config);
      assert.deepEqual([result.size, result.codes], [wanted, codes]);
    });
  }

  test('of a style without a template, only the source counts', () => {
    const style = extractStyle(clipFacts({ video: size(UPRIGHT) }), {
      createdAt: new Date(0),
      fingerprint: null,
    });
    const config = jobConfigSchema.parse({ components: { aspect_ratio: true } });
    const { timeline } = planTimeline({
      source: clipFacts({ video: size(HD) }),
      style,
      template: null,
      config,
    });
    assert.deepEqual([timeline.width, timeline.height], [720, 1280]);
  });

  test('warnings contain the change, its amount and a remedy', () => {
    const messageOf = (code: string, ...request: Parameters<typeof planned>) =>
      planned(...request).said.find((one) => one.code === code)!.message;
    assert.match(messageOf('UPSCALED', FULL_HD, UPRIGHT, {}), /1\.78 times.*608×1080.*1080×1920.*"source"/);
    assert.match(
      messageOf('SIZE_CAPPED', FULL_HD, UPRIGHT, { quality: 'low' }),
      /480×852.*"low".*480 lines.*1080.*"medium"/,
    );
    assert.match(
      messageOf('SIZE_CAPPED', FULL_HD, UPRIGHT, { resolution: '1440p' }),
      /1080×1920.*"medium".*1080 lines.*1440.*"high"/,
    );
    assert.match(messageOf('OUTPUT_SMALL', SD, UPRIGHT, { resolution: 'source' }), /270×480.*854×480/);
  });

  test('tone mapping of HDR is reported', () => {
    const seen = (hdr: boolean) =>
      planTimeline({
        source: clipFacts({ video: { hdr } }),
        style: null,
        template: null,
        config: jobConfigSchema.parse({}),
      }).warnings.map(({ code }) => code);
    assert.deepEqual(seen(true), ['TONE_MAPPED']);
    assert.deepEqual(seen(false), []);
  });
});

describe('limits of a size', () => {
  const config = { quality: 'high', resolution: 'auto' } as const;
  const sized = (shown: Pair, source: Pair, template: Pair | null, more: object = {}) => {
    const result = outputSize(size(shown), size(source), template === null ? null : size(template), {
      ...config,
      ...more,
    });
    return [result.size.width, result.size.height];
  };

  test('at most twice the visible part', () => {
    assert.deepEqual(sized([520, 924], FULL_HD, null), [1040, 1848]);
    assert.deepEqual(sized([540, 960], FULL_HD, null), [1080, 1920]);
    assert.deepEqual(sized([541, 962], FULL_HD, null), [1080, 1920]);
  });

  test('no side above 8192, no more pixels than H.264 has levels for', () => {
    assert.deepEqual(sized([2000, 1000], FULL_HD, null, { resolution: '2160p' }), [4320, 2160]);
    assert.deepEqual(sized([10_000, 1000], FULL_HD, null, { resolution: '2160p' }), [8192, 818]);
    const [width, height] = sized([8192, 8192], [8192, 8192], null) as [number, number];
    assert.ok(width * height <= 35_600_000 && width * height > 35_500_000, `${width}×${height}`);
  });

  test('the estimate before measuring is never too small', () => {
    for (const source of [FULL_HD, UPRIGHT, UHD, HD, SD, CIF, SCOPE]) {
      for (const template of [FULL_HD, UPRIGHT, UHD, SCOPE, TINY]) {
        for (const quality of ['low', 'medium', 'high'] as const) {
          for (const resolution of ['auto', 'source', '2160p'] as const) {
            const [width, height] = planned(source, template, { quality, resolution }).size as [
              number,
              number,
            ];
            const most = [source, template].map((pair) =>
              largestOutput(size(source), size(template), pair[0] / pair[1], { quality, resolution }),
            );
            assert.ok(
              most.some((one) => one.width * one.height >= 0.99 * width * height),
              `${source} beside ${template} at ${quality}, ${resolution}: ${width}×${height}`,
            );
          }
        }
      }
    }
  });
});
