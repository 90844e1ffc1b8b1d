import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { previewFrameSize, previewLayout } from '../../src/render/previews/preview-layout.ts';
import { drawPreview, readFrames, writeFrames } from '../../src/render/previews/preview-picture.ts';
import { temporaryFolder } from '../support/clips.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';
import { decodePng } from '../support/png.ts';

const folder = temporaryFolder();

describe('the size of a frame', () => {
  for (const { what, source, moments, expected } of [
    { what: 'three of 16:9', source: [1920, 1080], moments: 3, expected: [640, 360] },
    { what: 'two of 16:9', source: [1920, 1080], moments: 2, expected: [960, 540] },
    { what: 'three of 9:16', source: [1080, 1920], moments: 3, expected: [360, 640] },
    { what: 'a small source', source: [320, 180], moments: 1, expected: [320, 180] },
    { what: 'a source of odd sides', source: [321, 181], moments: 9, expected: [322, 182] },
    { what: 'a square', source: [1000, 1000], moments: 3, expected: [480, 480] },
    { what: 'a ribbon', source: [8000, 100], moments: 3, expected: [800, 100] },
  ] as const) {
    test(what, () => {
      const [width, height] = source;
      const size = previewFrameSize({ width, height }, moments);
      assert.deepEqual([size.width, size.height], expected);
    });
  }
});

describe('the layout', () => {
  const cases = [
    { what: 'wide frames are placed one above the other', frame: [640, 360], moments: 3, size: [1944, 724] },
    { what: 'upright frames are placed side by side', frame: [360, 640], moments: 3, size: [2196, 640] },
    { what: 'one moment', frame: [960, 540], moments: 1, size: [960, 1084] },
    { what: 'a fourth begins a row', frame: [640, 360], moments: 4, size: [1944, 1460] },
    { what: 'nine', frame: [640, 360], moments: 9, size: [1944, 2196] },
  ] as const;
  for (const { what, frame, moments, size } of cases) {
    test(what, () => {
      const [width, height] = frame;
      const layout = previewLayout({ width, height }, moments);
      assert.deepEqual([layout.width, layout.height], size);
      const boxes = layout.cells.flatMap(({ before, after }) => [before, after]);
      assert.equal(boxes.length, 2 * moments);
      for (const [index, box] of boxes.entries()) {
        assert.deepEqual([box.width, box.height], frame);
        for (const edge of [box.x, box.y]) assert.equal(edge % 2, 0);
        assert.ok(box.x + width <= layout.width && box.y + height <= layout.height);
        for (const other of boxes.slice(index + 1)) {
          const apart = Math.abs(box.x - other.x) >= width || Math.abs(box.y - other.y) >= height;
          assert.ok(apart, 'no two overlap');
        }
      }
    });
  }
});

describe('the picture', () => {
  const SIZE = { width: 64, height: 36 };
  const framesPath = join(folder, 'frames.yuv');
  const drawn = async (grade: Parameters<typeof drawPreview>[1]) => {
    const frames = [60, 180].map((level) => {
      const frame = emptyFrame(SIZE.width, SIZE.height);
      for (const [plane, code] of [level, 128, 128].entries()) frame.data![plane].fill(code);
      return frame;
    });
    await writeFrames(frames, framesPath);
    for (const frame of frames) frame.free();
    const path = join(folder, 'picture.png');
    await drawPreview(await readFrames(framesPath, SIZE), grade, 'png', path);
    const { width, height, data } = decodePng(readFileSync(path));
    const layout = previewLayout(SIZE, 2);
    assert.deepEqual([width, height], [layout.width, layout.height]);
    const level = ({ x, y }: { x: number; y: number }) => data[((y + 18) * width + x + 32) * 3];
    return layout.cells.map(({ before, after }) => [level(before), level(after)]);
  };
  /** Codes 60 and 180 in full range. */
  const [dark, light] = [51, 191];

  for (const [what, grade] of [
    ['without a grade', null],
    ['with one that changes nothing', IDENTITY_GRADE],
  ] as const) {
    test(`${what}, both are the source`, async () => {
      for (const [index, levels] of (await drawn(grade)).entries()) {
        for (const level of levels)
          assert.ok(Math.abs(level - [dark, light][index]) <= 1, `${level} in frame ${index}`);
      }
    });
  }

  test('with a grade that darkens, the frame before is the source and the frame after is darker', async () => {
    const grade = {
      ...IDENTITY_GRADE,
      lightness: [
        { in: 0, out: 0 },
        { in: 100, out: 50 },
      ],
    };
    const cells = await drawn(grade);
    for (const [index, [before, after]] of cells.entries()) {
      assert.ok(Math.abs(before! - [dark, light][index]) <= 1);
      assert.ok(after! < 0.7 * before!, `${after} after ${before}`);
    }
  });

  test('a file of another length is rejected', async () => {
    const path = join(folder, 'short.yuv');
    for (const bytes of [0, 100, 64 * 36 * 1.5 + 1]) {
      writeFileSync(path, Buffer.alloc(bytes));
      await assert.rejects(
        readFrames(path, SIZE),
        new RegExp(`${bytes} bytes are not a whole number of frames of 64x36`),
      );
    }
  });
});
