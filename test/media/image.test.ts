import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { openFrames } from '../../src/media/decode/frames.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { temporaryFolder } from '../support/clips.ts';
import { encodeImage, type ImageKind, withOrientation } from '../support/image.ts';
import { pngChunk } from '../support/png.ts';

const folder = temporaryFolder();
const LIMITS = { maxDurationSeconds: 60 };
const KINDS: readonly ImageKind[] = ['jpeg', 'png', 'webp'];
const SIZE = { width: 320, height: 180 };
const RED = [200, 60, 40] as const;
const BLUE = [40, 80, 190] as const;
/** Red on the left, blue on the right. */
const HALVES = (x: number) => (x < SIZE.width / 2 ? RED : BLUE);

let files = 0;
function stored(bytes: Buffer, name = 'image'): string {
  const path = join(folder, `${files++}-${name}`);
  writeFileSync(path, bytes);
  return path;
}

async function onlyFrame(path: string) {
  const frames = await Array.fromAsync(openFrames(path));
  assert.equal(frames.length, 1);
  return frames[0].color;
}

describe('still pictures', () => {
  for (const kind of KINDS) {
    // FFmpeg would open the second by its name, as one of a numbered sequence.
    for (const name of ['blob', `holiday-01.${kind === 'jpeg' ? 'jpg' : kind}`]) {
      test(`${kind} named ${name}: its format, and no duration`, async () => {
        const probed = await probeFile(stored(await encodeImage(kind, SIZE, HALVES), name), LIMITS);
        assert.deepEqual(probed, {
          contentType: `image/${kind}`,
          container: kind,
          durationSeconds: 0,
          ...SIZE,
          rotation: 0,
          frameRate: 0,
          videoCodec: { jpeg: 'mjpeg', png: 'png', webp: 'webp' }[kind],
          audioCodec: null,
          warnings: [],
        });
      });
    }

    test(`${kind}: its colors`, async () => {
      const { width, height, data } = await onlyFrame(stored(await encodeImage(kind, SIZE, HALVES)));
      const row = 3 * width * Math.floor(height / 2);
      for (const [column, color] of [
        [4, RED],
        [width - 5, BLUE],
      ] as const) {
        const at = row + 3 * column;
        const observed = [...data.subarray(at, at + 3)];
        for (const [axis, value] of observed.entries())
          assert.ok(Math.abs(value - color[axis]) <= 3, `${observed} for ${color}`);
      }
    });
  }

  for (const [orientation, rotation, isTurned] of [
    [1, 0, false],
    [3, 180, false],
    [6, 90, true],
    [8, 270, true],
  ] as const) {
    test(`a photograph of Exif orientation ${orientation} is turned upright`, async () => {
      const path = stored(withOrientation(await encodeImage('jpeg', SIZE, HALVES), orientation));
      const { width, height, rotation: found } = await probeFile(path, LIMITS);
      assert.deepEqual([width, height, found], [...(isTurned ? [180, 320] : [320, 180]), rotation]);
      const { data, ...grid } = await onlyFrame(path);
      assert.equal(grid.width > grid.height, !isTurned);
      // The red half: left, right, on top, below.
      const at = (x: number, y: number) =>
        3 * (Math.floor(y * grid.height) * grid.width + Math.floor(x * grid.width));
      const [x, y] = { 0: [0.1, 0.5], 180: [0.9, 0.5], 90: [0.5, 0.1], 270: [0.5, 0.9] }[rotation] as [
        number,
        number,
      ];
      assert.ok(data[at(x, y)] > 150, 'red');
      assert.ok(data[at(1 - x, 1 - y)] < 100, 'blue');
    });
  }

  test('an animated WebP without a picture is refused', async () => {
    const head = Buffer.alloc(64);
    head.write('RIFF', 0, 'latin1');
    head.writeUInt32LE(56, 4);
    head.write('WEBPVP8X', 8, 'latin1');
    head.writeUInt32LE(10, 16);
    head[20] = 0x02;
    await assert.rejects(probeFile(stored(head), LIMITS), {
      code: 'INVALID_VIDEO',
      detail: 'The image has no picture that can be read; it is damaged or cut off: send the whole file',
    });
  });

  test('a whole picture of 48 megapixels, as phones make them, is refused for its size', async () => {
    const [width, height] = [8064, 6048];
    const header = Buffer.from([...Array<number>(8), 1, 0, 0, 0, 0]);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    const rows = deflateSync(Buffer.alloc(height * (1 + width / 8)));
    const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    const parts = [
      start,
      pngChunk('IHDR', header),
      pngChunk('IDAT', rows),
      pngChunk('IEND', Buffer.alloc(0)),
    ];
    await assert.rejects(probeFile(stored(Buffer.concat(parts)), LIMITS), {
      code: 'VIDEO_LIMIT_EXCEEDED',
      detail: 'The picture is 8064x6048; at most 8192 pixels a side and 36 megapixels are accepted',
    });
  });

  test('a PNG that claims to be huge is refused before it is decoded', async () => {
    const png = await encodeImage('png', SIZE, HALVES);
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    await assert.rejects(probeFile(stored(png), LIMITS), {
      code: 'INVALID_VIDEO',
      detail:
        'The size of the image cannot be read; it is damaged or cut off, or has more than 36 megapixels',
    });
  });
});
