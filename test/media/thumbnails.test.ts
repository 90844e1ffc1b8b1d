import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { mediaPath } from '../support/media.ts';

const folder = temporaryFolder();
const AREA = 320 * 180;
const ignore = () => {};

describe('readThumbnails', () => {
  test('returns the frame that is shown at each time', async () => {
    const path = await makeClip(folder, { name: 'numbered' });
    const cases = [
      { seconds: 0, frame: 0 },
      { seconds: 0.039, frame: 0 },
      { seconds: 0.041, frame: 1 },
      { seconds: 1.5, frame: 37 },
      { seconds: 1.51, frame: 37 },
      { seconds: 2.99, frame: 74 },
      { seconds: 9, frame: 74 },
    ];
    const stills = await readThumbnails(path, {
      timesSeconds: cases.map(({ seconds }) => seconds),
      areaPixels: AREA,
      onProgress: ignore,
    });
    assert.equal(stills.length, cases.length);
    for (const [index, { seconds, frame }] of cases.entries()) {
      const { width, height, jpeg } = stills[index];
      assert.deepEqual([width, height], [320, 180]);
      assert.equal(readNumber(await decodeJpeg(jpeg)), frame, `at ${seconds} s`);
    }
  });

  test('preserves colors', async () => {
    for (const color of [
      [220, 40, 30],
      [20, 190, 60],
      [128, 64, 200],
      [0, 0, 0],
      [255, 255, 255],
    ] as const) {
      const draw = (rgb: Uint8Array) => {
        for (let at = 0; at < rgb.length; at++) rgb[at] = color[at % 3];
      };
      const clip = { name: `color-${color}`, draw, durationSeconds: 0.2, crf: 5 };
      const path = await makeClip(folder, clip);
      const [still] = await readThumbnails(path, {
        timesSeconds: [0.1],
        areaPixels: 64 * 36,
        onProgress: ignore,
      });
      const { data } = await decodeJpeg(still!.jpeg);
      for (let c = 0; c < 3; c++) {
        assert.ok(Math.abs(data[900 + c] - color[c]) <= 7, `${color}: channel ${c} is ${data[900 + c]}`);
      }
    }
  });

  for (const name of ['video/rotated270_h264.mp4', 'video/vertical_hdr10_av1.mp4']) {
    test(`${name} is upright`, async (t) => {
      const path = mediaPath(name);
      if (path === null) return t.skip(`needs ../shared/media/${name}`);
      const [still] = await readThumbnails(path, {
        timesSeconds: [0.2],
        areaPixels: AREA,
        onProgress: ignore,
      });
      assert.deepEqual([still!.width, still!.height], [180, 320]);
      const { width, height } = await decodeJpeg(still!.jpeg);
      assert.deepEqual([width, height], [180, 320]);
    });
  }
});
