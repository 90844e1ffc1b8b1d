/**
 * Makes the README's moving picture: three takes, the template, and the reel that StyleDNA cut of the takes in the template's style, side
 * by side. `npm run demo` first, then `node scripts/readme-clip.ts`.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Picture } from '../src/domain/footage.ts';
import { readThumbnails } from '../src/media/read/thumbnails.ts';
import { decodeJpeg } from '../test/support/jpeg.ts';
import { encodeAnimation } from './animated-webp.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEMO = join(ROOT, 'out');
const TARGET = join(ROOT, 'docs', 'pictures', 'reel.webp');
/** About 1.2 MB: phones read the README too. */
const ANIMATION = { width: 780, height: 432, framesPerSecond: 12, quality: 76 } as const;
const SECONDS = 7;
const UPRIGHT = { width: 244, height: 432 } as const;
const TAKE = { width: 252, height: 142 } as const;
const GAP = 3;
/** As the page's dark ground. */
const GROUND = 20;

interface Pane {
  readonly file: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const PANES: readonly Pane[] = [
  ...['source', 'lake', 'balloons'].map((file, index) => ({
    ...{ file, x: 0, y: index * (TAKE.height + GAP), ...TAKE },
  })),
  { file: 'template', x: TAKE.width + 20, y: 0, ...UPRIGHT },
  { file: 'reel', x: TAKE.width + 20 + UPRIGHT.width + 20, y: 0, ...UPRIGHT },
];

if (!existsSync(join(DEMO, 'reel.mp4'))) {
  console.error(`${DEMO} has no reel: run \`npm run demo\` first`);
  process.exit(2);
}
const times = Array.from({ length: SECONDS * ANIMATION.framesPerSecond }, (_, index) => ({
  seconds: (index + 0.5) / ANIMATION.framesPerSecond,
}));
const frames = times.map(() => ground());
for (const pane of PANES) {
  const stills = await readThumbnails(join(DEMO, `${pane.file}.mp4`), {
    timesSeconds: times.map(({ seconds }) => seconds),
    areaPixels: pane.width * pane.height,
    onProgress: () => {},
  });
  for (const [index, { jpeg }] of stills.entries()) draw(frames[index], await decodeJpeg(jpeg), pane);
}
const file = await encodeAnimation(frames, ANIMATION);
writeFileSync(TARGET, file);
console.log(`${TARGET}: ${file.length} bytes`);

function ground(): Picture {
  const { width, height } = ANIMATION;
  return { width, height, channels: 3, data: new Uint8Array(3 * width * height).fill(GROUND) };
}

function draw(onto: Picture, picture: Picture, { x, y, width, height }: Pane): void {
  const [columns, rows] = [Math.min(width, picture.width), Math.min(height, picture.height)];
  for (let row = 0; row < rows; row++) {
    const from = 3 * row * picture.width;
    onto.data.set(picture.data.subarray(from, from + 3 * columns), 3 * ((y + row) * onto.width + x));
  }
}
