/**
 * Draws the presets' pictures: the middle parts of two scenes side by side, a still life indoors and a landscape,
 * rendered by StyleDNA in each look. Each scene is rendered separately, because together they would be graded as one
 * picture. Usage: node scripts/preset-pictures/draw.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jobConfigSchema, Studio } from '../../src/library.ts';
import { writeDrawnClip } from '../../src/media/encode/drawn-clip.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { PLAIN_PICTURE, pictureOf } from '../../src/presets/preset-pictures.ts';
import { PRESETS, withPreset } from '../../src/presets/presets.ts';
import { decodeJpeg } from '../../test/support/jpeg.ts';
import { drawLandscape } from './landscape.ts';
import { drawStillLife } from './still-life.ts';

const SIZE = { width: 480, height: 270 };
const HALF = SIZE.width / 2;
const folder = join(tmpdir(), 'styledna-preset-pictures');
mkdirSync(folder, { recursive: true });

const scenes: string[] = [];
for (const [name, draw] of Object.entries({ indoors: drawStillLife, outdoors: drawLandscape })) {
  const still = new Uint8Array(SIZE.width * SIZE.height * 3);
  draw(still, SIZE.width, SIZE.height);
  scenes.push(await clipOf(name, still));
}
await keepPicture(scenes, 'plain', PLAIN_PICTURE);
const studio = new Studio();
for (const preset of PRESETS) {
  const colourOnly = { ...preset, components: ['color'] as const };
  const config = jobConfigSchema.parse(withPreset(colourOnly, { quality: 'ultra' }));
  const outputs: string[] = [];
  for (const [at, source] of scenes.entries()) {
    const output = join(folder, `${preset.id}-${at}.mp4`);
    await studio.apply({ source, output, look: { style: preset.style }, config });
    outputs.push(output);
  }
  await keepPicture(outputs, preset.id, pictureOf(preset));
  console.log(fileURLToPath(pictureOf(preset)));
}

async function clipOf(name: string, picture: Uint8Array): Promise<string> {
  const path = join(folder, `${name}.mp4`);
  await writeDrawnClip(path, {
    ...SIZE,
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: 1,
    draw: (rgb) => rgb.set(picture),
    crf: 8,
  });
  return path;
}

async function keepPicture(clips: readonly string[], name: string, target: URL): Promise<void> {
  const whole = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (const [at, clip] of clips.entries()) await copyMiddle(clip, whole, at * HALF);
  writeFileSync(target, await pictureFrom(await clipOf(`${name}-both`, whole)));
}

async function pictureFrom(clip: string): Promise<Uint8Array> {
  const [picture] = await readThumbnails(clip, {
    timesSeconds: [0.5],
    areaPixels: SIZE.width * SIZE.height,
    onProgress: () => {},
  });
  return picture!.jpeg;
}

/** Copies the middle of a clip's picture, half as wide as the result, to the column `left`. */
async function copyMiddle(clip: string, whole: Uint8Array, left: number): Promise<void> {
  const { data } = await decodeJpeg(await pictureFrom(clip));
  for (let y = 0; y < SIZE.height; y++) {
    const from = 3 * (y * SIZE.width + (SIZE.width - HALF) / 2);
    whole.set(data.subarray(from, from + 3 * HALF), 3 * (y * SIZE.width + left));
  }
}
