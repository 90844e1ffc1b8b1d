/** A still AVIF or HEIC is an image; a sequence of pictures is a video. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Picture } from '../../src/domain/footage.ts';
import { Studio } from '../../src/library.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { readVideoPictures } from '../../src/media/read/video-pictures.ts';
import { temporaryFolder } from '../support/clips.ts';
import { heicOf, writeAvif } from '../support/heif.ts';
import { mediaPath } from '../support/media.ts';
import { writePhoneClip } from '../support/phone-clip.ts';

const folder = temporaryFolder();
const SIZE = { width: 160, height: 96 };
const LIMITS = { maxDurationSeconds: 60 };
/** Dark on the left, light on the right. */
const halves = (x: number) => (x < SIZE.width / 2 ? 60 : 180);
const still = await writeAvif(join(folder, 'still.avif'), SIZE, halves);

const IMAGE = { durationSeconds: 0, ...SIZE, rotation: 0, frameRate: 0, audioCodec: null, warnings: [] };

async function picturesOf(path: string): Promise<Picture[]> {
  const frames = await Array.fromAsync(openFrames(path));
  return frames.map(({ grey }) => grey);
}

describe('a still AVIF', () => {
  test('is an image under any name', async () => {
    const blob = join(folder, 'blob');
    writeFileSync(blob, readFileSync(still));
    for (const path of [still, blob])
      assert.deepEqual(await probeFile(path, LIMITS), {
        ...{ ...IMAGE, contentType: 'image/avif', container: 'avif', videoCodec: 'av1' },
      });
  });

  test('is decoded as one picture, and has a poster', async () => {
    const [grey, ...more] = await picturesOf(still);
    assert.deepEqual(more, []);
    const at = (share: number) =>
      grey!.data[grey!.width * (grey!.height >> 1) + Math.floor(share * grey!.width)];
    // 60 and 180 of limited range.
    assert.ok(Math.abs(at(0.2) - 51) <= 3 && Math.abs(at(0.8) - 191) <= 3, `${at(0.2)}, ${at(0.8)}`);
    const { poster, tileSeconds } = await readVideoPictures(still, 0, () => {});
    const path = join(folder, 'poster.jpg');
    writeFileSync(path, poster);
    const [shown] = await picturesOf(path);
    assert.deepEqual([shown!.width > shown!.height, tileSeconds], [true, [0]]);
  });

  test('is a template as any image is, and no source', async () => {
    const studio = new Studio({ workRoot: join(folder, 'work') });
    const style = await studio.extract(still);
    assert.deepEqual([style.source_kind, style.aspect_ratio], ['image', '5:3']);
    await assert.rejects(studio.plan({ source: still, look: { preset: 'noir' } }), {
      code: 'INVALID_VIDEO',
      detail: /is an image; only a template may be one/,
    });
  });
});

test('an animated AVIF is a video', async () => {
  const path = await writeAvif(join(folder, 'animated.avif'), SIZE, halves, 10);
  const { container, contentType } = await probeFile(path, LIMITS);
  assert.deepEqual([container, contentType], ['mp4', 'video/mp4']);
});

describe('a HEIC', () => {
  const clip = writePhoneClip(join(folder, 'phone.mp4'), { ...SIZE, framesPerSecond: 30, frameCount: 2 });
  const written = async (name: string, type?: string) => {
    const path = join(folder, name);
    writeFileSync(path, heicOf(await clip, SIZE, type));
    return path;
  };

  test('of one picture is an image', async () => {
    const path = await written('one.heic');
    assert.deepEqual(await probeFile(path, LIMITS), {
      ...{ ...IMAGE, contentType: 'image/heic', container: 'heic', videoCodec: 'hevc' },
    });
    assert.equal((await picturesOf(path)).length, 1);
  });

  test('of tiles is rejected with its structure', async () => {
    await assert.rejects(probeFile(await written('tiles.heic', 'grid'), LIMITS), {
      code: 'INVALID_VIDEO',
      detail: /composed of several pictures \("grid"\).*send it as JPEG/,
    });
  });
});

const wild = mediaPath('wild/still.avif');
test('a still AVIF of a public report', { skip: wild === null && 'needs ../shared/media/wild' }, async () => {
  const { contentType, durationSeconds } = await probeFile(wild!, LIMITS);
  assert.deepEqual([contentType, durationSeconds, (await picturesOf(wild!)).length], ['image/avif', 0, 1]);
});
