/** Every output follows the display matrix, or the codec's message: all eight orientations, and other angles. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Picture } from '../../src/domain/footage.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { streamOrientation } from '../../src/media/av/upright.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { readVideoPictures } from '../../src/media/read/video-pictures.ts';
import { renderDraft } from '../../src/render/draft.ts';
import { readMomentFrames } from '../../src/render/picture/moment-frames.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { render } from '../../src/render/render.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { type Matrix, setDisplayMatrix } from '../support/display-matrix.ts';
import { encodeImage, withOrientation } from '../support/image.ts';
import { type MessageOrientation, withOrientationMessage } from '../support/orientation-message.ts';
import { writePhoneClip } from '../support/phone-clip.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const [WIDTH, HEIGHT] = [96, 64];
/** The stored corners: top left and right, bottom left and right. */
const COLORS = {
  R: [220, 30, 30],
  G: [30, 200, 30],
  B: [30, 30, 220],
  W: [230, 230, 230],
} as const;
type Corner = keyof typeof COLORS;
const cornerOf = (x: number, y: number): Corner =>
  x < WIDTH / 2 ? (y < HEIGHT / 2 ? 'R' : 'B') : y < HEIGHT / 2 ? 'G' : 'W';

/** The picture, row by row, by FFmpeg's `autorotate`. `exif`: the same orientation of a photograph (Exif 2.32, tag 0112). */
const ORIENTATIONS: readonly { what: string; matrix: Matrix; shown: string; exif: number }[] = [
  { what: 'as it is', matrix: [1, 0, 0, 1], shown: 'RGBW', exif: 1 },
  { what: 'turned by 90°', matrix: [0, 1, -1, 0], shown: 'BRWG', exif: 6 },
  { what: 'turned by 180°', matrix: [-1, 0, 0, -1], shown: 'WBGR', exif: 3 },
  { what: 'turned by 270°', matrix: [0, -1, 1, 0], shown: 'GWRB', exif: 8 },
  { what: 'mirrored left to right', matrix: [-1, 0, 0, 1], shown: 'GRWB', exif: 2 },
  { what: 'mirrored top to bottom', matrix: [1, 0, 0, -1], shown: 'BWRG', exif: 4 },
  { what: 'transposed', matrix: [0, 1, 1, 0], shown: 'RBGW', exif: 5 },
  { what: 'transposed on the other diagonal', matrix: [0, -1, -1, 0], shown: 'WGBR', exif: 7 },
];

/** Of no quarter turn, or scaled: the nearest. */
const ODD: readonly { what: string; matrix: Matrix; shown: string }[] = [
  { what: 'scaled to twice its size', matrix: [2, 0, 0, 2], shown: 'RGBW' },
  { what: 'scaled, mirrored and turned', matrix: [0, 0.5, 0.5, 0], shown: 'RBGW' },
  { what: 'turned by 45°', matrix: turn(45), shown: 'RGBW' },
  { what: 'turned by −45°', matrix: turn(-45), shown: 'RGBW' },
  { what: 'turned by 100°', matrix: turn(100), shown: 'BRWG' },
  { what: 'turned by 135°', matrix: turn(135), shown: 'BRWG' },
  { what: 'turned by 180.4°', matrix: turn(180.4), shown: 'WBGR' },
  { what: 'a matrix of noughts', matrix: [0, 0, 0, 0], shown: 'RGBW' },
];

/** First the flips, then turns of 90° anticlockwise. */
const MESSAGES: readonly { what: string; message: MessageOrientation; shown: string }[] = [
  { what: 'none', message: {}, shown: 'RGBW' },
  { what: 'one turn', message: { quarterTurns: 1 }, shown: 'GWRB' },
  { what: 'two turns', message: { quarterTurns: 2 }, shown: 'WBGR' },
  { what: 'three turns', message: { quarterTurns: 3 }, shown: 'BRWG' },
  { what: 'flipped left to right', message: { flipsX: true }, shown: 'GRWB' },
  { what: 'flipped top to bottom', message: { flipsY: true }, shown: 'BWRG' },
  { what: 'flipped both ways', message: { flipsX: true, flipsY: true }, shown: 'WBGR' },
  { what: 'flipped left to right, one turn', message: { flipsX: true, quarterTurns: 1 }, shown: 'RBGW' },
  { what: 'flipped top to bottom, one turn', message: { flipsY: true, quarterTurns: 1 }, shown: 'WGBR' },
];

function turn(degrees: number): Matrix {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [cos, sin, -sin, cos];
}

/** The four quarters of a color picture, row by row. */
function quartersOf({ width, height, data }: Picture): string {
  const places = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [x, y] as const));
  return places
    .map(([x, y]) => {
      const at = 3 * (Math.floor(y * height) * width + Math.floor(x * width));
      const near = (corner: Corner) =>
        COLORS[corner].every((level, channel) => Math.abs(level - data[at + channel]) < 50);
      return (Object.keys(COLORS) as Corner[]).find(near) ?? '?';
    })
    .join('');
}

async function firstFrame(path: string): Promise<Picture> {
  for await (const { color } of openFrames(path)) return color;
  throw new Error('no frame');
}

/** The grey of a quarter identifies it as well: R, G, B and W are of different luma. */
const LUMA: Readonly<Record<Corner, number>> = { R: 76, G: 146, B: 53, W: 214 };
function lumaQuarters(data: Uint8Array, stride: number, width: number, height: number): string {
  return [0.25, 0.75]
    .flatMap((y) => [0.25, 0.75].map((x) => data[Math.floor(y * height) * stride + Math.floor(x * width)]))
    .map(
      (level) => (Object.keys(LUMA) as Corner[]).find((one) => Math.abs(LUMA[one] - level) < 9) ?? `${level}`,
    )
    .join('');
}

let files = 0;
function stored(bytes: Uint8Array): string {
  const path = join(folder, `${files++}.jpg`);
  writeFileSync(path, bytes);
  return path;
}

/** What of a file is seen everywhere, by the place where it is. */
async function seenIn(path: string): Promise<Record<string, string>> {
  const { width, height } = await probeFile(path, { maxDurationSeconds: 60 });
  const { poster, filmstrip, tile } = await readVideoPictures(path, 0.6, () => {});
  const [still] = await readThumbnails(path, {
    timesSeconds: [0.2],
    areaPixels: WIDTH * HEIGHT,
    onProgress: () => {},
  });
  const strip = await firstFrame(stored(filmstrip));
  const tileWidth = Math.floor(strip.width / 12);
  const firstTile = {
    ...{ width: tileWidth, height: strip.height, channels: 3 as const },
    data: Uint8Array.from({ length: 3 * tileWidth * strip.height }, (_, at) => {
      const [row, column] = [Math.floor(at / 3 / tileWidth), Math.floor(at / 3) % tileWidth];
      return strip.data[3 * (row * strip.width + column) + (at % 3)];
    }),
  };
  const timeline = plainTimeline(width, height);
  const [moment] = await readMomentFrames(path, [0.2], { width, height }, () => {});
  const [{ data, stride }] = planesOf(moment!);
  const preview = lumaQuarters(data, stride, width, height);
  moment!.free();
  const [outputPath, draftPath] = [join(folder, `${files++}.mp4`), join(folder, `${files++}.mp4`)];
  const drawing = { takePaths: [path], timeline, preset: 'veryfast', crf: 12 } as const;
  const pictures = {
    posterPath: join(folder, `${files++}.jpg`),
    filmstripPath: join(folder, `${files++}.jpg`),
  };
  await render({ ...drawing, ...pictures, outputPath }, () => {});
  await renderDraft({ ...drawing, outputPath: draftPath, startSeconds: 0, durationSeconds: 0.5 }, () => {});
  return {
    size: `${width}x${height}`,
    tile: `${tile.width > tile.height}`,
    analysis: quartersOf(await firstFrame(path)),
    poster: quartersOf(await firstFrame(stored(poster))),
    filmstrip: quartersOf(firstTile),
    still: quartersOf(await firstFrame(stored(still!.jpeg))),
    preview,
    output: quartersOf(await firstFrame(outputPath)),
    draft: quartersOf(await firstFrame(draftPath)),
  };
}

function plainTimeline(width: number, height: number): Timeline {
  return {
    ...{ version: 2, frameRate: { numerator: 10, denominator: 1 }, width, height },
    ...{
      clips: [timelineClip(0, 0.6)],
      transitions: [],
      takes: [{ grade: null }],
      audio: null,
      captions: [],
    },
  };
}

describe('a display matrix', () => {
  for (const { what, matrix, shown } of [...ORIENTATIONS, ...ODD])
    test(`${what}: shown ${shown} everywhere`, async () => {
      const path = await cornersClip();
      setDisplayMatrix(path, matrix);
      await assertShown(path, shown);
    });
});

describe('an orientation in an SEI message of H.264', () => {
  for (const { what, message, shown } of MESSAGES)
    test(`${what}: shown ${shown} everywhere`, async () => {
      const path = join(folder, `${files++}.mp4`);
      await assertShown(await withOrientationMessage(await cornersClip(), 'mp4', path, message), shown);
    });
  for (const format of ['matroska', 'mpegts', 'flv'])
    test(`is followed in ${format}`, async () => {
      const path = join(folder, `${files++}.bin`);
      await withOrientationMessage(await cornersClip(), format, path, { flipsX: true, quarterTurns: 1 });
      assert.equal(quartersOf(await firstFrame(path)), 'RBGW');
    });
  test('of HEVC: is followed', async () => {
    const clip = await writePhoneClip(join(folder, `${files++}.mp4`), {
      ...{ width: WIDTH, height: HEIGHT, framesPerSecond: 25, frameCount: 3 },
    });
    for (const format of ['mp4', 'mpegts']) {
      const path = join(folder, `${files++}.bin`);
      await withOrientationMessage(clip, format, path, { flipsY: true, quarterTurns: 3 });
      using input = await openInput(path);
      assert.deepEqual(streamOrientation(input.video!), { rotation: 270, isMirrored: true });
    }
  });
  test('yields to the matrix of the container', async () => {
    const path = join(folder, `${files++}.mp4`);
    await withOrientationMessage(await cornersClip(), 'mp4', path, { flipsX: true });
    setDisplayMatrix(path, [0, 1, -1, 0]);
    assert.equal(quartersOf(await firstFrame(path)), 'BRWG');
  });
});

function cornersClip(): Promise<string> {
  return makeClip(folder, {
    ...{ name: `clip-${files++}`, width: WIDTH, height: HEIGHT, durationSeconds: 0.6, silent: true },
    frameRate: { numerator: 10, denominator: 1 },
    draw: (rgb) => {
      for (let at = 0; at < rgb.length; at += 3) {
        const pixel = at / 3;
        rgb.set(COLORS[cornerOf(pixel % WIDTH, Math.floor(pixel / WIDTH))], at);
      }
    },
  });
}

async function assertShown(path: string, shown: string): Promise<void> {
  // Of a picture that lies on its side the corners on its diagonal change places.
  const isUpright = ['BRWG', 'GWRB', 'RBGW', 'WGBR'].includes(shown);
  const { size, tile, ...seen } = await seenIn(path);
  assert.equal(size, isUpright ? `${HEIGHT}x${WIDTH}` : `${WIDTH}x${HEIGHT}`);
  assert.equal(tile, String(!isUpright));
  assert.deepEqual(seen, Object.fromEntries(Object.keys(seen).map((place) => [place, shown])));
}

describe('a photograph', () => {
  for (const { what, shown, exif } of ORIENTATIONS)
    test(`${what}: shown ${shown}`, async () => {
      const jpeg = await encodeImage(
        'jpeg',
        { width: WIDTH, height: HEIGHT },
        (x, y) => COLORS[cornerOf(x, y)],
      );
      const path = stored(withOrientation(jpeg, exif));
      const { poster } = await readVideoPictures(path, 0, () => {});
      assert.deepEqual(
        [quartersOf(await firstFrame(path)), quartersOf(await firstFrame(stored(poster)))],
        [shown, shown],
      );
    });
});
