/**
 * Makes the README's moving picture: six filmed takes, the template of `npm run demo`, and the reel that StyleDNA cut of the takes
 * in the template's style, side by side. `npm run demo` first, then `node scripts/readme-clip.ts`; the takes (CC0, NOTICE.md) are in
 * `../shared/media`.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Picture } from '../src/domain/footage.ts';
import { readThumbnails } from '../src/media/read/thumbnails.ts';
import { Studio } from '../src/studio.ts';
import { decodeJpeg } from '../test/support/jpeg.ts';
import { encodeAnimation } from './animated-webp.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEMO = join(ROOT, 'out');
const TARGET = join(ROOT, 'docs', 'pictures', 'reel.webp');
const MEDIA = join(ROOT, '..', 'shared', 'media');
const TAKES = ['crystal.mp4', 'frog.mp4', 'pig.mp4', 'rabbit_vp8.webm', 'flower.mp4']
  .map((name) => join(MEDIA, 'video', `mdn_${name}`))
  .toSpliced(4, 0, join(MEDIA, 'more', 'video', 'mdn_monster.mp4'));
/** 1.4 MB: phones read the README too. */
const ANIMATION = { width: 848, height: 432, framesPerSecond: 10, quality: 55 } as const;
const SECONDS = 7;
const UPRIGHT = { width: 244, height: 432 } as const;
const TAKE = { width: 160, height: 107 } as const;
const [COLUMNS, GAP, SPACE] = [2, 4, 18];
const TAKES_WIDTH = COLUMNS * (TAKE.width + GAP) - GAP;
const TAKES_HEIGHT = (TAKES.length / COLUMNS) * (TAKE.height + GAP) - GAP;
/** As the page's dark ground. */
const GROUND = 20;

interface Pane {
  readonly file: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const template = join(DEMO, 'template.mp4');
for (const file of [template, ...TAKES]) {
  if (existsSync(file)) continue;
  console.error(`There is no ${file}: run \`npm run demo\` first, with the shared media beside the project`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'readme-clip-'));
const reel = join(folder, 'reel.mp4');
await new Studio().edit({ takes: TAKES, look: { template }, output: reel }, { onProgress: () => {} });
const panes: readonly Pane[] = [
  ...TAKES.map((file, index) => ({
    file,
    x: (index % COLUMNS) * (TAKE.width + GAP),
    y: ((ANIMATION.height - TAKES_HEIGHT) >> 1) + Math.floor(index / COLUMNS) * (TAKE.height + GAP),
    ...TAKE,
  })),
  { file: template, x: TAKES_WIDTH + SPACE, y: 0, ...UPRIGHT },
  { file: reel, x: TAKES_WIDTH + SPACE + UPRIGHT.width + SPACE, y: 0, ...UPRIGHT },
];

const times = Array.from({ length: SECONDS * ANIMATION.framesPerSecond }, (_, index) => ({
  seconds: (index + 0.5) / ANIMATION.framesPerSecond,
}));
const frames = times.map(() => ground());
for (const pane of panes) {
  const stills = await readThumbnails(pane.file, {
    timesSeconds: times.map(({ seconds }) => seconds),
    areaPixels: pane.width * pane.height,
    onProgress: () => {},
  });
  for (const [index, { jpeg }] of stills.entries()) draw(frames[index], await decodeJpeg(jpeg), pane);
}
const file = await encodeAnimation(frames, ANIMATION);
writeFileSync(TARGET, file);
rmSync(folder, { recursive: true });
console.log(`${TARGET}: ${file.length} bytes`);

function ground(): Picture {
  const { width, height } = ANIMATION;
  return { width, height, channels: 3, data: new Uint8Array(3 * width * height).fill(GROUND) };
}

/** In the middle of its pane, cut to it. */
function draw(onto: Picture, picture: Picture, pane: Pane): void {
  const [columns, rows] = [Math.min(pane.width, picture.width), Math.min(pane.height, picture.height)];
  const [left, top] = [(picture.width - columns) >> 1, (picture.height - rows) >> 1];
  const [x, y] = [pane.x + ((pane.width - columns) >> 1), pane.y + ((pane.height - rows) >> 1)];
  for (let row = 0; row < rows; row++) {
    const from = 3 * ((top + row) * picture.width + left);
    onto.data.set(picture.data.subarray(from, from + 3 * columns), 3 * ((y + row) * onto.width + x));
  }
}
