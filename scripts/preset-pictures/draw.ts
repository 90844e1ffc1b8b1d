/**
 * Makes the clips and pictures that show the presets: three scenes of real footage (NOTICE.md has their licenses), rendered by StyleDNA
 * itself in each look. Each scene is rendered for itself: joined they would be one video to grade.
 * Usage: node scripts/preset-pictures/draw.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Picture } from '../../src/domain/footage.ts';
import { jobConfigSchema, Studio } from '../../src/library.ts';
import { type DrawnClip, writeDrawnClip } from '../../src/media/encode/drawn-clip.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { clipOf, PLAIN_PICTURE, pictureOf } from '../../src/presets/preset-pictures.ts';
import { PRESETS, withPreset } from '../../src/presets/presets.ts';
import { decodeJpeg } from '../../test/support/jpeg.ts';
import { zoomed } from './zoom.ts';

const SIZE = { width: 480, height: 270 };
const AREA = SIZE.width * SIZE.height;
const RATE = 25;
/** Without visible loss: it is graded and encoded again. */
const SOURCE_CRF = 8;
/** A clip takes about 110 kB. */
const CLIP_CRF = 23;
/** What a photo's camera moves in, as a share of its width. */
const PUSH_IN = 0.08;
/** The flower opens in 4.5 s of its clip, and in half the time in ours. */
const FLOWER = { fromSeconds: 0.4, speed: 2 } as const;
const PHOTO_SECONDS = 1.2;
const FILM_SECONDS = 2;

interface Scene {
  readonly path: string;
  readonly seconds: number;
}

const folder = join(tmpdir(), 'styledna-preset-pictures');
mkdirSync(folder, { recursive: true });
const scenes = [
  await sceneOf('cat', PHOTO_SECONDS, await photo('cat.png', 451 * 300)),
  await sceneOf('flower', FILM_SECONDS, await film('flower.mp4')),
  await sceneOf('rocket', PHOTO_SECONDS, await photo('rocket.jpg', 640 * 427)),
];
await writePicture(PLAIN_PICTURE, scenes[0]);
const studio = new Studio();
for (const preset of PRESETS) {
  const config = jobConfigSchema.parse(
    withPreset({ ...preset, components: ['color'] }, { quality: 'ultra' }),
  );
  const graded: Scene[] = [];
  for (const [at, scene] of scenes.entries()) {
    const path = join(folder, `${preset.id}-${at}.mp4`);
    await studio.apply({ source: scene.path, output: path, look: { style: preset.style }, config });
    graded.push({ ...scene, path });
  }
  await writePicture(pictureOf(preset), graded[0]);
  await joinClips(graded, fileURLToPath(clipOf(preset)));
  console.log(fileURLToPath(clipOf(preset)));
}

async function sceneOf(name: string, seconds: number, frameAt: (share: number) => Picture): Promise<Scene> {
  const path = join(folder, `${name}.mp4`);
  await writeClip(path, seconds, (rgb, time) => rgb.set(frameAt(time / seconds).data), SOURCE_CRF);
  return { path, seconds };
}

async function photo(name: string, areaPixels: number): Promise<(share: number) => Picture> {
  const [picture] = await pictures(footage(name), [0], areaPixels);
  return (share) => zoomed(picture, 1 - PUSH_IN * share, SIZE);
}

async function film(name: string): Promise<(share: number) => Picture> {
  const times = frameTimes(FILM_SECONDS).map((time) => FLOWER.fromSeconds + FLOWER.speed * time);
  const frames = await pictures(footage(name), times);
  return (share) => frames[Math.round(share * times.length)];
}

async function writePicture(target: URL, { path }: Scene): Promise<void> {
  const [first] = await jpegs(path, [0]);
  writeFileSync(target, first);
}

async function joinClips(clips: readonly Scene[], target: string): Promise<void> {
  const frames: Picture[] = [];
  for (const { path, seconds } of clips) frames.push(...(await pictures(path, frameTimes(seconds))));
  await writeClip(target, frames.length / RATE, (rgb, _, index) => rgb.set(frames[index].data), CLIP_CRF);
}

/** The middles of all frames. */
function frameTimes(seconds: number): number[] {
  return Array.from({ length: Math.round(seconds * RATE) }, (_, index) => (index + 0.5) / RATE);
}

function writeClip(
  path: string,
  durationSeconds: number,
  draw: DrawnClip['draw'],
  crf: number,
): Promise<void> {
  return writeDrawnClip(path, {
    ...SIZE,
    frameRate: { numerator: RATE, denominator: 1 },
    ...{ durationSeconds, draw, crf },
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
