/** Posters and filmstrips of videos with distinguishable frames. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Picture } from '../../src/domain/footage.ts';
import { tileMoments, tileSize } from '../../src/media/read/filmstrip-layout.ts';
import { readVideoPictures } from '../../src/media/read/video-pictures.ts';
import { drawNumber, makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { mediaPath } from '../support/media.ts';

const folder = temporaryFolder();
const NOBODY = () => {};

/** The tiles of a strip, from left to right. */
function tilesOf(strip: Picture, count: number): Picture[] {
  const width = strip.width / count;
  return Array.from({ length: count }, (_, index) => {
    const rows = Array.from({ length: strip.height }, (_row, y) =>
      strip.data.subarray((y * strip.width + index * width) * 3, (y * strip.width + (index + 1) * width) * 3),
    );
    return { width, height: strip.height, channels: 3, data: Buffer.concat(rows) };
  });
}

const meanOf = ({ data }: Picture) => data.reduce((sum, value) => sum + value, 0) / data.length;

describe('the size of a tile', () => {
  for (const [displayed, width] of [
    [{ width: 1920, height: 1080 }, 214],
    [{ width: 1080, height: 1920 }, 68],
    [{ width: 640, height: 480 }, 160],
    // A hair's breadth becomes eight to one.
    [{ width: 4000, height: 16 }, 960],
    [{ width: 16, height: 4000 }, 16],
  ] as const) {
    test(`of ${displayed.width}x${displayed.height} is ${width}x120`, () =>
      assert.deepEqual(tileSize(displayed), { width, height: 120 }));
  }
});

describe('a filmstrip', () => {
  test('shows the middle of each twelfth of the running time', async () => {
    const path = await makeClip(folder, { name: 'numbered', durationSeconds: 6 });
    const { filmstrip, tile, tileSeconds } = await readVideoPictures(path, 6, NOBODY);
    const strip = await decodeJpeg(filmstrip);
    assert.deepEqual([strip.width, strip.height], [12 * 214, 120]);
    assert.deepEqual(tile, { width: 214, height: 120 });
    const expected = tileMoments(6, 12).map((seconds) => Math.floor(seconds * 25));
    assert.deepEqual(tilesOf(strip, 12).map(readNumber), expected);
    for (const [index, seconds] of tileSeconds.entries())
      assert.ok(Math.abs(seconds - expected[index] / 25) < 0.001, `${seconds}`);
  });

  test('of fewer frames than tiles shows some twice', async () => {
    const frameRate = { numerator: 5, denominator: 1 };
    const path = await makeClip(folder, { name: 'few', durationSeconds: 1, frameRate });
    const { filmstrip, tileSeconds } = await readVideoPictures(path, 1, NOBODY);
    assert.deepEqual(
      tilesOf(await decodeJpeg(filmstrip), 12).map(readNumber),
      tileSeconds.map((seconds) => Math.round(seconds * 5)),
    );
    assert.deepEqual([...new Set(tileSeconds)].length, 5);
  });

  test('of a video of four hours takes seconds, in order', async () => {
    const frameRate = { numerator: 1, denominator: 5 };
    const size = { width: 160, height: 90 };
    const draw = drawNumber(size.width, size.height);
    const path = await makeClip(folder, {
      ...{ name: 'long', durationSeconds: 14_400, frameRate, silent: true, ...size },
      draw: (rgb, seconds, index) => draw(rgb, seconds, index % 1024),
    });
    const began = performance.now();
    const { filmstrip, tileSeconds } = await readVideoPictures(path, 14_400, NOBODY);
    assert.ok(performance.now() - began < 5000);
    assert.deepEqual(
      tilesOf(await decodeJpeg(filmstrip), 12).map(readNumber),
      tileSeconds.map((seconds) => Math.round(seconds / 5) % 1024),
    );
    const apart = tileSeconds.map((seconds, index) => Math.abs(seconds - ((index + 0.5) / 12) * 14_400));
    assert.ok(Math.max(...apart) < 14_400 / 12, `${Math.max(...apart)} s apart`);
    assert.equal(new Set(tileSeconds).size, 12);
  });

  test('of a file with a wrong, longer duration has its last frame at the end', async () => {
    const path = await makeClip(folder, { name: 'short', durationSeconds: 2 });
    const { tileSeconds } = await readVideoPictures(path, 8, NOBODY);
    assert.equal(tileSeconds.length, 12);
    assert.ok(tileSeconds.slice(3).every((seconds) => seconds === tileSeconds.at(-1)));
    assert.ok(tileSeconds.at(-1)! > 1.5);
  });
});

describe('a poster', () => {
  for (const { what, width, height, expected } of [
    { what: 'wide', width: 1280, height: 720, expected: [640, 360] },
    { what: 'upright', width: 720, height: 1280, expected: [360, 640] },
    { what: 'small, which stays small', width: 320, height: 180, expected: [320, 180] },
  ]) {
    test(`that is ${what}`, async () => {
      const path = await makeClip(folder, { name: what, width, height, durationSeconds: 1 });
      const { poster } = await readVideoPictures(path, 1, NOBODY);
      const picture = await decodeJpeg(poster);
      assert.deepEqual([picture.width, picture.height], expected);
    });
  }

  for (const { what, shown } of [
    { what: 'not the black that the video begins with', shown: [3, 4] },
    { what: 'not the white that it ends with, nor the fade before', shown: [0, 1] },
  ]) {
    test(`is ${what}`, async () => {
      const draw = (rgb: Uint8Array, seconds: number) => {
        const visible = seconds >= shown[0] && seconds < shown[1];
        const rest = shown[0] === 0 ? Math.min(255, 150 + 30 * seconds) : 16;
        for (let at = 0; at < rgb.length; at += 3) {
          const x = (at / 3) % 320;
          rgb[at] = visible ? (x * 7) % 256 : rest;
          rgb[at + 1] = visible ? x % 200 : rest;
          rgb[at + 2] = visible ? 40 : rest;
        }
      };
      const path = await makeClip(folder, { name: `scene-${shown[0]}`, durationSeconds: 4, draw });
      const { poster } = await readVideoPictures(path, 4, NOBODY);
      const { data } = await decodeJpeg(poster);
      let color = 0;
      for (let at = 0; at < data.length; at += 3) color += data[at] - data[at + 2];
      assert.ok(color / (data.length / 3) > 50, `red over blue by ${color / (data.length / 3)}`);
    });
  }

  test('has the levels of the video', async () => {
    const path = await makeClip(folder, {
      name: 'grey',
      durationSeconds: 1,
      draw: (rgb) => void rgb.fill(120),
    });
    const { poster, filmstrip } = await readVideoPictures(path, 1, NOBODY);
    for (const jpeg of [poster, filmstrip]) {
      const mean = meanOf(await decodeJpeg(jpeg));
      assert.ok(Math.abs(mean - 120) < 1.5, `${mean}`);
    }
  });

  for (const kind of ['jpeg', 'png', 'webp'] as const) {
    test(`of a ${kind} is the image made small; its strip has one tile`, async () => {
      const path = join(folder, `image.${kind}`);
      const size = { width: 1600, height: 800 };
      writeFileSync(path, await encodeImage(kind, size, (x) => (x < 800 ? [230, 30, 30] : [30, 30, 230])));
      const { poster, filmstrip, tileSeconds } = await readVideoPictures(path, 0, NOBODY);
      const picture = await decodeJpeg(poster);
      assert.deepEqual([picture.width, picture.height], [640, 320]);
      const [left, right] = tilesOf(picture, 2).map(({ data }) => [data[0], data[2]]);
      assert.ok(left![0] > 200 && left![1] < 60 && right![0] < 60 && right![1] > 200);
      const strip = await decodeJpeg(filmstrip);
      assert.deepEqual([strip.width, strip.height, tileSeconds], [240, 120, [0]]);
    });
  }
});

const dark = mediaPath('hostile/all_black_no_audio.mp4');
test('a video that is black throughout has a black poster', { skip: dark === null }, async () => {
  const { poster } = await readVideoPictures(dark!, 5, NOBODY);
  assert.ok(meanOf(await decodeJpeg(poster)) < 3);
});
