import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import {
  lumaDetails,
  lumaSamples,
  SAMPLE_COUNT,
  SourceSampler,
  samplingInterval,
} from '../../src/render/picture/luma-samples.ts';
import { bandLines, comparisonSize, GAP, sideSize } from '../../src/render/previews/comparison-size.ts';
import { StandstillWatch } from '../../src/render/verify/standstill.ts';

/** A grey picture, limited range. */
function frameOf(width: number, height: number, level: (x: number, y: number) => number): Frame {
  const frame = new Frame();
  frame.alloc();
  Object.assign(frame, { format: AV_PIX_FMT_YUV420P, width, height });
  frame.getBuffer();
  // Each access makes a new array.
  const strides = frame.linesize;
  for (const [plane, data] of frame.data!.entries())
    for (let y = 0; y < (plane === 0 ? height : height / 2); y++)
      for (let x = 0; x < (plane === 0 ? width : width / 2); x++)
        data[y * strides[plane] + x] = plane === 0 ? level(x, y) : 128;
  return frame;
}

describe('samples of a picture', () => {
  test('are ten columns and eight rows, each the mean of 16 pixels about the middle of its place', () => {
    // Of 200×160 the places are squares of 20; what lies outside of the 4×4 about their middles is white.
    using frame = frameOf(200, 160, (x, y) => {
      const inside = x % 20 >= 8 && x % 20 < 12 && y % 20 >= 8 && y % 20 < 12;
      return inside ? 20 + Math.floor(x / 20) + 10 * Math.floor(y / 20) + (x % 2 === 0 ? 1 : -1) : 235;
    });
    const samples = lumaSamples(frame);
    assert.equal(SAMPLE_COUNT, 80);
    assert.deepEqual(
      [...samples],
      Array.from({ length: 80 }, (_, at) => 20 + at),
    );
  });

  test('keep to what is drawn, and to the picture where it is smaller than a sample', () => {
    using frame = frameOf(40, 32, (x) => (x < 20 ? 0 : 255));
    const row = [...Array(5).fill(16), ...Array(5).fill(235)];
    assert.deepEqual([...lumaSamples(frame)], Array.from({ length: 8 }, () => row).flat());
    using small = frameOf(2, 2, (x) => (x === 0 ? 100 : 60));
    assert.ok(lumaSamples(small).every((level) => level >= 60 && level <= 100));
  });

  test('of a source are those of the part that is shown', () => {
    // Nearest pixels of a picture of 160×90: a place of this part is 8 of them wide and 9 high.
    using frame = frameOf(320, 180, (x, y) => 20 + Math.floor(x / 16) + 10 * Math.floor(y / 18));
    using sampler = new SourceSampler();
    const columns = [...Array(10).keys()];
    const rows = [...Array(8).keys()];
    const part = { x: 0.5, y: 0.2, width: 0.5, height: 0.8 };
    const seen = sampler.sample(frame, part)!.points;
    // A level may be lost in conversion, as the small picture is of full range.
    const near = (level: number, wanted: number) =>
      assert.ok(Math.abs(level - wanted) <= 1, `${level}, not ${wanted}`);
    const wanted = rows.flatMap((row) => columns.map((column) => 20 + 10 + column + 10 * (row + 2)));
    assert.equal(seen.length, wanted.length);
    for (const [at, level] of wanted.entries()) near(seen[at], level);
    const corner = sampler.sample(frame, { x: 0, y: 0, width: 0.01, height: 0.01 })!.points;
    for (const level of corner) near(level, 20);
  });

  describe('of stripes as fine as a sample, which move', () => {
    /** Vertical stripes, a pixel further in each frame. */
    const stripes = (width: number, height: number, pixels: number, shift: number) =>
      frameOf(width, height, (x) => (Math.floor((x + shift) / pixels) % 2 === 0 ? 40 : 210));
    const whole = { x: 0, y: 0, width: 1, height: 1 };
    for (const [width, height, pixels] of [
      [320, 180, 2],
      [426, 240, 2],
      [640, 360, 4],
      [1280, 720, 2],
      [1920, 1080, 4],
    ] as const)
      test(`${pixels} pixels of ${width}×${height} are no standstill`, () => {
        const [sampler, watch] = [new SourceSampler(), new StandstillWatch(10)];
        for (let n = 0; n < 20; n++) {
          using frame = stripes(width, height, pixels, n);
          watch.push(sampler.sample(frame, whole), lumaDetails(frame));
        }
        assert.equal(watch.fault, null);
        sampler[Symbol.dispose]();
      });
    test('a smaller output shows them as grey, which is no standstill', () => {
      const [sampler, watch] = [new SourceSampler(), new StandstillWatch(10)];
      using grey = frameOf(320, 180, () => 125);
      for (let n = 0; n < 20; n++) {
        using frame = stripes(1920, 1080, 2, n);
        watch.push(sampler.sample(frame, whole), lumaDetails(grey));
      }
      assert.equal(watch.fault, null);
      sampler[Symbol.dispose]();
    });
  });

  test('exist ten times a second, or for every frame of slower videos', () => {
    for (const [rate, interval] of [
      [25, 2],
      [30, 3],
      [59.94, 5],
      [12, 1],
      [5, 1],
    ] as const)
      assert.equal(samplingInterval(rate), interval, `${rate} a second`);
  });
});

describe('a comparison', () => {
  test('has a band of words of a twentieth and 16 lines at least, in whole blocks of 16 lines', () => {
    for (const [lines, band] of [
      [180, 28],
      [176, 16],
      [320, 16],
      [336, 32],
      [720, 48],
      [700, 36],
    ] as const)
      assert.equal(bandLines(lines), band, `${lines} lines`);
  });

  test('shows both sides as high as the output, no higher than 720 lines, with a gap between', () => {
    const [wide, upright] = [
      { width: 3840, height: 2160 },
      { width: 1080, height: 1920 },
    ];
    assert.equal(GAP, 4);
    assert.deepEqual(sideSize(wide, 1080), { width: 1280, height: 720 });
    assert.deepEqual(sideSize(wide, 719), { width: 1280, height: 720 });
    assert.deepEqual(sideSize(wide, 361), { width: 644, height: 362 });
    assert.deepEqual(sideSize({ width: 1, height: 4000 }, 100), { width: 2, height: 100 });
    assert.deepEqual(comparisonSize(wide, upright), { width: 1280 + 4 + 406, height: 720 + 48 });
    assert.deepEqual(comparisonSize(upright, { width: 640, height: 360 }), {
      width: 202 + 4 + 640,
      height: 384,
    });
  });
});
