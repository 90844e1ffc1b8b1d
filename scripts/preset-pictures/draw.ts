/**
 * Draws the presets' pictures: one still life, rendered by StyleDNA itself in each look.
 * Usage: node scripts/preset-pictures/draw.ts
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
import { drawStillLife } from './still-life.ts';

const SIZE = { width: 480, height: 270 };
const folder = join(tmpdir(), 'styledna-preset-pictures');
mkdirSync(folder, { recursive: true });

const still = new Uint8Array(SIZE.width * SIZE.height * 3);
drawStillLife(still, SIZE.width, SIZE.height);
const scene = join(folder, 'scene.mp4');
await writeDrawnClip(scene, {
  ...SIZE,
  frameRate: { numerator: 25, denominator: 1 },
  durationSeconds: 1,
  draw: (rgb) => rgb.set(still),
  crf: 8,
});
await keepPicture(scene, PLAIN_PICTURE);
const studio = new Studio();
for (const preset of PRESETS) {
  const output = join(folder, `${preset.id}.mp4`);
  const colourOnly = { ...preset, components: ['color'] as const };
  const config = jobConfigSchema.parse(withPreset(colourOnly, { quality: 'ultra' }));
  await studio.apply({ source: scene, output, look: { style: preset.style }, config });
  await keepPicture(output, pictureOf(preset));
  console.log(fileURLToPath(pictureOf(preset)));
}

async function keepPicture(clip: string, target: URL): Promise<void> {
  const [picture] = await readThumbnails(clip, {
    timesSeconds: [0.5],
    areaPixels: SIZE.width * SIZE.height,
    onProgress: () => {},
  });
  writeFileSync(target, picture!.jpeg);
}
