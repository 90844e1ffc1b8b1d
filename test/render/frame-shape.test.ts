/** Frames keep their shape in every output if size or pixel aspect change within a stream. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Picture, Size } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { writePng } from '../../src/media/read/still.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { readVideoPictures } from '../../src/media/read/video-pictures.ts';
import { renderDraft } from '../../src/render/draft.ts';
import { readMomentFrames } from '../../src/render/picture/moment-frames.ts';
import { render } from '../../src/render/render.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { timelineClip } from '../support/timeline-clip.ts';
import { type Part, writeTurningClip } from '../support/turning-clip.ts';

const folder = temporaryFolder();
const RATE = 10;
const WIDE = { width: 320, height: 180 };
const TALL = { width: 180, height: 320 };
/** Of Motion JPEG, less than three quarters of the first picture's lines would be one field of two. */
const NEARLY_SQUARE = { width: 180, height: 200 };

/** A green disc in the middle of a blue picture, whose diameter is half of the shorter displayed side. */
function disc({ width, height }: Size, pixelAspect = 1): Part['colorAt'] {
  const radius = Math.min(width * pixelAspect, height) / 4;
  return (x, y) =>
    Math.hypot((x + 0.5 - width / 2) * pixelAspect, y + 0.5 - height / 2) < radius
      ? [30, 220, 30]
      : [30, 30, 200];
}
const part = (size: Size, pixelAspect?: readonly [number, number]): Part => ({
  ...{
    size,
    frames: RATE,
    colorAt: disc(size, pixelAspect === undefined ? 1 : pixelAspect[0] / pixelAspect[1]),
  },
  ...(pixelAspect === undefined ? {} : { pixelAspect }),
});

/** Width and height of the disc, as shares of the picture's height. */
function discIn({ width, height, data }: Picture): { width: number; height: number } {
  const isGreen = (x: number, y: number) => {
    const at = 3 * (y * width + x);
    // Greener than the blurred copy at the sides of a picture that does not fill the frame.
    return data[at + 1] > 170 && data[at + 2] < 110;
  };
  const count = (length: number, at: (n: number) => boolean) =>
    Array.from({ length }, (_, n) => at(n)).filter(Boolean).length;
  const [middleX, middleY] = [Math.floor(width / 2), Math.floor(height / 2)];
  return {
    width: count(width, (x) => isGreen(x, middleY)) / height,
    height: count(height, (y) => isGreen(middleX, y)) / height,
  };
}

async function frameAt(path: string, seconds: number): Promise<Picture> {
  let found: Picture | undefined;
  for await (const { color, timeSeconds } of openFrames(path)) {
    if (timeSeconds > seconds) break;
    found = color;
  }
  return found!;
}

let files = 0;
const named = (extension: string) => join(folder, `${files++}.${extension}`);
async function pictureOf(bytes: Uint8Array): Promise<Picture> {
  const path = named('jpg');
  writeFileSync(path, bytes);
  return frameAt(path, 0);
}

/** The clip at 1.5 s in every output, and the strip's last tile. */
async function seenAt(path: string, { width, height }: Size): Promise<Record<string, Picture>> {
  const timeline: Timeline = {
    ...{ version: 2, frameRate: { numerator: RATE, denominator: 1 }, width, height },
    ...{ clips: [timelineClip(0, 2)], transitions: [], takes: [{ grade: null }], audio: null, captions: [] },
  };
  const drawing = { takePaths: [path], timeline, preset: 'veryfast', crf: 12 } as const;
  const [outputPath, draftPath, momentPath] = [named('mp4'), named('mp4'), named('png')];
  await render({ ...drawing, posterPath: named('jpg'), filmstripPath: named('jpg'), outputPath }, () => {});
  await renderDraft({ ...drawing, outputPath: draftPath, startSeconds: 1.2, durationSeconds: 0.6 }, () => {});
  const [moment] = await readMomentFrames(path, [1.5], { width, height }, () => {});
  await writePng(moment!, momentPath);
  moment!.free();
  const wanted = { timesSeconds: [1.5], areaPixels: width * height, onProgress: () => {} };
  const [still] = await readThumbnails(path, wanted);
  return {
    analysis: await frameAt(path, 1.5),
    output: await frameAt(outputPath, 1.5),
    draft: await frameAt(draftPath, 0.3),
    preview: await frameAt(momentPath, 0),
    still: await pictureOf(still!.jpeg),
  };
}

describe('a picture that changes within the stream', () => {
  for (const { what, parts, diameter } of [
    { what: 'from wide to upright', parts: [part(WIDE), part(TALL)], diameter: 9 / 16 / 2 },
    {
      what: 'from upright to wide',
      parts: [part(NEARLY_SQUARE), part(WIDE)],
      diameter: ((180 / WIDE.width) * (180 / 200)) / 2,
    },
    {
      what: 'to a larger one of its shape',
      parts: [part(WIDE), part({ width: 640, height: 360 })],
      diameter: 1 / 2,
    },
    {
      what: 'to a smaller one of another',
      parts: [part(WIDE), part({ width: 160, height: 140 })],
      diameter: 1 / 2,
    },
    {
      what: 'to pixels that are not square',
      parts: [part(WIDE, [1, 1]), part({ width: 160, height: 180 }, [2, 1])],
      diameter: 1 / 2,
    },
    {
      what: 'only its pixels, to wider ones',
      parts: [part(WIDE, [1, 1]), part(WIDE, [2, 1])],
      diameter: 1 / 4,
    },
  ])
    test(`${what}: a disc stays a disc`, async () => {
      const path = await writeTurningClip(named('avi'), parts);
      const { size } = parts[0];
      const ratio = size.width / size.height;
      const seen = await seenAt(path, size);
      for (const [place, picture] of Object.entries(seen)) {
        assert.ok(
          Math.abs(picture.width / picture.height / ratio - 1) < 0.04,
          `${place}: one shape throughout`,
        );
        const found = discIn(picture);
        // One cell of the analysis on either side: it sees 27 to 48 lines. Stretched, a side would be off by a third at least.
        const tolerance = 2 / picture.height;
        for (const side of ['width', 'height'] as const)
          assert.ok(
            Math.abs(found[side] - diameter) <= tolerance,
            `${place}: ${JSON.stringify(found)}, not ${diameter}`,
          );
      }
    });

  test('the tiles of a filmstrip, too', async () => {
    const path = await writeTurningClip(named('avi'), [part(WIDE), part(TALL)]);
    const { filmstrip } = await readVideoPictures(path, 2, () => {});
    const tiles = named('jpg');
    writeFileSync(tiles, filmstrip);
    for await (const { grey } of openFrames(tiles)) {
      // Of the last tile: black on both sides of a picture a third as wide.
      const row = grey.data.subarray(grey.width * (grey.height >> 1), grey.width * ((grey.height >> 1) + 1));
      const tile = row.subarray(Math.round((grey.width * 11) / 12));
      const black = tile.filter((level) => level < 12).length / tile.length;
      assert.ok(Math.abs(black - (1 - (9 / 16) ** 2)) < 0.12, `${black} of the tile is black`);
    }
  });
});

const turning = mediaPath('wild/size-turns-midstream.ts');
test('a stream whose second half is upright', {
  skip: turning === null && 'needs ../shared/media/wild/size-turns-midstream.ts',
}, async () => {
  const path = named('mp4');
  const timeline: Timeline = {
    ...{ version: 2, frameRate: { numerator: RATE, denominator: 1 }, ...WIDE },
    ...{ clips: [timelineClip(0, 7)], transitions: [], takes: [{ grade: null }], audio: null, captions: [] },
  };
  const files = { posterPath: named('jpg'), filmstripPath: named('jpg'), outputPath: path };
  await render({ takePaths: [turning!], timeline, preset: 'veryfast', crf: 12, ...files }, () => {});
  // Its corners are red, green, blue and yellow: saturated only where the picture is.
  const { width, height, data } = await frameAt(path, 6.5);
  const isColored = (x: number) => {
    const at = 3 * (Math.floor(height * 0.08) * width + x);
    return Math.max(...data.subarray(at, at + 3)) - Math.min(...data.subarray(at, at + 3)) > 100;
  };
  const columns = Array.from({ length: width }, (_, x) => x).filter(isColored);
  const wide = (columns.at(-1)! + 1 - columns[0]) / height;
  assert.ok(Math.abs(wide - 9 / 16) < 0.08, `${wide} heights wide`);
});
