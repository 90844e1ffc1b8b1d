/**
 * Makes the clips and pictures that show the presets: the middles of three scenes of real footage (NOTICE.md has their licenses), rendered
 * by StyleDNA itself in each look: warm fur and then a flower on the left, a sky beside them. Each scene is rendered by itself: joined
 * they would be one video to grade.
 * Usage: node scripts/preset-pictures/draw.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Picture } from '../../src/domain/footage.ts';
import { jobConfigSchema, Studio } from '../../src/library.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { clipOf, PLAIN_PICTURE, pictureOf } from '../../src/presets/preset-pictures.ts';
import { PRESETS, withPreset } from '../../src/presets/presets.ts';
import { writeDrawnClip } from '../../test/support/drawn-clip.ts';
import { decodeJpeg } from '../../test/support/jpeg.ts';
import { zoomed } from './zoom.ts';

const SIZE = { width: 480, height: 270 };
const AREA = SIZE.width * SIZE.height;
const HALF = SIZE.width / 2;
const RATE = 25;
/** Without visible loss: it is graded and encoded again. */
const SOURCE_CRF = 8;
/** A clip takes about 95 kB. */
const CLIP_CRF = 23;
/** What a photo's camera moves in, as a share of its width. */
const PUSH_IN = 0.08;
/** The flower opens in 4.5 s of its clip. */
const FLOWER = { fromSeconds: 0.4, speed: 1.7 } as const;
const SECONDS = { cat: 1.6, flower: 2.4, rocket: 4 } as const;

type SceneName = keyof typeof SECONDS;

const folder = join(tmpdir(), 'styledna-preset-pictures');
mkdirSync(folder, { recursive: true });
const scenes: Readonly<Record<SceneName, string>> = {
  cat: await sceneOf('cat', await photo('cat.png', 451 * 300)),
  flower: await sceneOf('flower', await film('flower.mp4', SECONDS.flower)),
  rocket: await sceneOf('rocket', await photo('rocket.jpg', 640 * 427)),
};
await writePicture(PLAIN_PICTURE, (await besideOneAnother(scenes))[0]);
const studio = new Studio();
for (const preset of PRESETS) {
  const config = jobConfigSchema.parse(
    withPreset({ ...preset, components: ['color'] }, { quality: 'ultra' }),
  );
  const graded: Record<SceneName, string> = { ...scenes };
  for (const name of Object.keys(scenes) as SceneName[]) {
    graded[name] = join(folder, `${preset.id}-${name}.mp4`);
    const request = { source: scenes[name], output: graded[name], look: { style: preset.style }, config };
    await studio.apply(request);
  }
  const frames = await besideOneAnother(graded);
  await writePicture(pictureOf(preset), frames[0]);
  await writeClip(fileURLToPath(clipOf(preset)), frames, CLIP_CRF);
  console.log(fileURLToPath(clipOf(preset)));
}

async function sceneOf(name: SceneName, frameAt: (share: number) => Picture): Promise<string> {
  const path = join(folder, `${name}.mp4`);
  const seconds = SECONDS[name];
  await writeClip(
    path,
    frameTimes(seconds).map((time) => frameAt(time / seconds)),
    SOURCE_CRF,
  );
  return path;
}

async function photo(name: string, areaPixels: number): Promise<(share: number) => Picture> {
  const [picture] = await pictures(footage(name), [0], areaPixels);
  return (share) => zoomed(picture, 1 - PUSH_IN * share, SIZE);
}

async function film(name: string, seconds: number): Promise<(share: number) => Picture> {
  const times = frameTimes(seconds).map((time) => FLOWER.fromSeconds + FLOWER.speed * time);
  const frames = await pictures(footage(name), times);
  return (share) => frames[Math.floor(share * times.length)];
}

/** The middles of cat and flower, one after the other, on the left, and that of the rocket on the right. */
async function besideOneAnother(clips: Readonly<Record<SceneName, string>>): Promise<Picture[]> {
  const framesOf = (name: SceneName) => pictures(clips[name], frameTimes(SECONDS[name]));
  const left = [...(await framesOf('cat')), ...(await framesOf('flower'))];
  const right = await framesOf('rocket');
  return left.map((picture, index) => halves(picture, right[index]));
}

function halves(left: Picture, right: Picture): Picture {
  const data = new Uint8Array(3 * AREA);
  for (let y = 0; y < SIZE.height; y++) {
    const row = 3 * y * SIZE.width;
    const middle = row + (3 * (SIZE.width - HALF)) / 2;
    data.set(left.data.subarray(middle, middle + 3 * HALF), row);
    data.set(right.data.subarray(middle, middle + 3 * HALF), row + 3 * HALF);
  }
  return { ...SIZE, channels: 3, data };
}

/** Through a clip, so that it is encoded like the pictures of all videos. */
async function writePicture(target: URL, picture: Picture): Promise<void> {
  const path = join(folder, 'still.mp4');
  await writeClip(path, [picture], SOURCE_CRF);
  writeFileSync(target, (await jpegs(path, [0]))[0]);
}

/** The middles of all frames. */
function frameTimes(seconds: number): number[] {
  return Array.from({ length: Math.round(seconds * RATE) }, (_, index) => (index + 0.5) / RATE);
}

function writeClip(path: string, frames: readonly Picture[], crf: number): Promise<void> {
  return writeDrawnClip(path, {
    ...SIZE,
    frameRate: { numerator: RATE, denominator: 1 },
    durationSeconds: frames.length / RATE,
    draw: (rgb, _, index) => rgb.set(frames[index].data),
    crf,
  });
}

async function pictures(path: string, times: readonly number[], areaPixels = AREA): Promise<Picture[]> {
  return await Promise.all((await jpegs(path, times, areaPixels)).map(decodeJpeg));
}

async function jpegs(
  path: string,
  timesSeconds: readonly number[],
  areaPixels = AREA,
): Promise<Uint8Array[]> {
  const stills = await readThumbnails(path, { timesSeconds, areaPixels, onProgress: () => {} });
  return stills.map(({ jpeg }) => jpeg);
}

function footage(name: string): string {
  return fileURLToPath(new URL(`footage/${name}`, import.meta.url));
}
