import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movingRegion, type SourceVideo, videoChain } from '../../src/render/picture/video-chain.ts';
import type { Reframe } from '../../src/style/model/timeline.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const SOURCE: SourceVideo = { width: 1920, height: 1080, matrix: 'bt709', colors: '' };
const HD = { width: 1280, height: 720 };
const part = (x: number, y: number, width: number, height: number): Reframe => ({ x, y, width, height });
const clipOf = (from: Reframe, to = from) => ({ ...timelineClip(0, 1), from, to });
const cropOf = (chain: string) => /crop=(\d+:\d+:\d+:\d+),/.exec(chain)?.[1] ?? null;

describe('a fixed framing is cut out at its place, on even pixels', () => {
  for (const [from, source, output, crop] of [
    [part(0, 0, 1, 1), SOURCE, HD, null],
    [part(0.1, 0.3, 0.5, 0.5), SOURCE, HD, '960:540:192:324'],
    [part(0.5, 0.5, 0.5, 0.5), SOURCE, HD, '960:540:960:540'],
    // Odd sides: the last line is left out.
    [part(0, 0, 1, 1), { ...SOURCE, width: 1921, height: 1081 }, HD, '1920:1080:0:0'],
    [part(0.9, 0.9, 0.1, 0.1), { ...SOURCE, width: 1921, height: 1081 }, HD, '192:108:1728:972'],
    // Snapped to the output's size within two pixels, never larger than the source.
    [part(0.1, 0.1, 1282 / 1920, 718 / 1080), SOURCE, HD, '1280:720:194:108'],
    [part(0.1, 0.1, 1284 / 1920, 720 / 1080), SOURCE, HD, '1284:720:192:108'],
    [part(0.1, 0.1, 1280 / 1920, 724 / 1080), SOURCE, HD, '1280:724:192:108'],
    [part(0, 0, 1, 1), { ...SOURCE, width: 1280, height: 719 }, HD, '1280:718:0:0'],
    [part(0.4, 0.4, 0.0001, 0.0001), SOURCE, HD, '2:2:768:432'],
  ] as const) {
    test(`${JSON.stringify(from)} of ${source.width}×${source.height}: ${crop}`, () => {
      assert.equal(cropOf(videoChain(clipOf(from), output, source)), crop);
    });
  }
});

test('colors are converted where there are fewer pixels', () => {
  const source = { ...SOURCE, colors: 'COLORS,' };
  assert.match(videoChain(clipOf(part(0, 0, 1, 1)), HD, source), /^scale=1280:720:[^,]*,COLORS,format/);
  assert.match(videoChain(clipOf(part(0, 0, 0.5, 0.5)), HD, source), /^crop=[^,]*,COLORS,scale=1280:720/);
  assert.match(videoChain(clipOf(part(0, 0, 1, 1)), { width: 1920, height: 1080 }, source), /^COLORS,scale/);
});

describe('a moving framing samples from the part that it stays in', () => {
  for (const [what, from, to, output, crop, size] of [
    [
      'at the output’s scale',
      part(0.1, 0.2, 0.8, 0.8),
      part(0.3, 0.1, 0.5, 0.5),
      { width: 480, height: 270 },
      '1536:972:192:108',
      [768, 486],
    ],
    [
      'never enlarged',
      part(0.1, 0.2, 0.8, 0.8),
      part(0.3, 0.1, 0.5, 0.5),
      { width: 1920, height: 1080 },
      '1536:972:192:108',
      [1536, 972],
    ],
  ] as const) {
    test(what, () => {
      const ground = movingRegion(clipOf(from, to), output, SOURCE);
      assert.deepEqual([ground.width, ground.height], size);
      assert.equal(cropOf(ground.chain), crop);
      assert.ok(ground.chain.includes(`scale=${size[0]}:${size[1]}:`));
    });
  }
});

describe('a card is shown whole, and its background is extended', () => {
  for (const [what, from, output, scale, before, after] of [
    [
      'above and below, on even lines',
      part(0, 0, 1, 1),
      { width: 720, height: 1280 },
      '720:406',
      '720:436',
      '720:438',
    ],
    [
      'evenly, where it can be',
      part(0, 0, 1, 1),
      { width: 720, height: 1278 },
      '720:406',
      '720:436',
      '720:436',
    ],
    ['on either side', part(0.4, 0, 0.2, 1), HD, '256:720', '512:720', '512:720'],
  ] as const) {
    test(what, () => {
      const chain = videoChain({ ...clipOf(from), fit: 'extend' }, output, SOURCE);
      const scales = [...chain.matchAll(/scale=(\d+:\d+):/g)].map(([, size]) => size);
      assert.equal(scales[0], scale);
      assert.deepEqual([scales[2], scales[4]], [before, after]);
    });
  }

  test('one that fills the frame is scaled alone', () => {
    const chain = videoChain({ ...clipOf(part(0, 0, 1, 1)), fit: 'extend' }, HD, SOURCE);
    assert.match(chain, /^scale=1280:720:[^[]*$/);
  });
});
