/** Pictures of the player against the rendered output of the same plan. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { differenceCiede2000, type Lab65 } from 'culori';
import type { Browser, Page } from 'playwright-core';
import type { Picture } from '../../src/domain/footage.ts';
import { writePng } from '../../src/media/read/still.ts';
import { readMomentFrames } from '../../src/render/picture/moment-frames.ts';
import { render } from '../../src/render/render.ts';
import { luma709, rgbToLab } from '../../src/signal/color-space.ts';
import type {
  CaptionLook,
  Clip,
  Grade,
  Timeline,
  TimelineTransition,
} from '../../src/style/model/timeline.ts';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { decodePng } from '../support/png.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';
import { openPlayer, type PlayerScope } from './edit-player/opening.ts';
import { type PlayerPage, servePlayer } from './edit-player/serving.ts';

const BLOCK = 8;
/** Pixels. The renderer rounds moving crops to even pixels of the source. */
const MAX_SHIFT = 1;
/** Pixels that are compared one by one: every fifth in both directions. */
const PIXEL_STEP = 5;

const SIZE = { width: 1280, height: 720 };
const PROXY = { width: 960, height: 540 };
const RATE = { numerator: 25, denominator: 1 };
const TAKE_SECONDS = [5, 3, 1] as const;
const whole = { x: 0, y: 0, width: 1, height: 1 };

const WARM: Grade = {
  lightness: [
    { in: 0, out: 6 },
    { in: 30, out: 24 },
    { in: 70, out: 76 },
    { in: 100, out: 97 },
  ],
  chroma: 1.15,
  offsets: [
    { at: 10, a: -3, b: -6 },
    { at: 90, a: 3, b: 9 },
  ],
  skinGuardDegrees: 8,
};
const COOL: Grade = { ...WARM, chroma: 0.7, offsets: [{ at: 50, a: -2, b: -8 }] };

function clip(start: number, end: number, change: Partial<Clip> = {}): Clip {
  return timelineClip(start, end, { reason: 'slot', ...change });
}

/** One clip of each kind of framing, in two takes; each lasts a second. */
const CLIPS: readonly Clip[] = [
  clip(0, 1),
  clip(1, 2, {
    take: 1,
    from: { x: 0.1, y: 0.1, width: 0.8, height: 0.8 },
    to: { x: 0.2, y: 0.2, width: 0.6, height: 0.6 },
    easing: 'ease_in_out',
  }),
  clip(1.5, 2.5, {
    ...{ from: { x: 0, y: 0, width: 0.7, height: 0.7 }, to: { x: 0.3, y: 0.1, width: 0.7, height: 0.7 } },
    track: [
      { timeSeconds: 1.5, x: 0, y: 0.1 },
      { timeSeconds: 2, x: 0.2, y: 0.15 },
      { timeSeconds: 2.5, x: 0.3, y: 0.1 },
    ],
  }),
  clip(2, 3, {
    take: 1,
    fit: 'pad',
    from: { x: 0.3, y: 0, width: 0.4, height: 1 },
    to: { x: 0.3, y: 0, width: 0.4, height: 1 },
  }),
  clip(0, 1, {
    take: 2,
    fit: 'extend',
    from: { x: 0, y: 0.25, width: 1, height: 0.5 },
    to: { x: 0, y: 0.25, width: 1, height: 0.5 },
  }),
  clip(0, 1, {
    take: 1,
    from: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
    to: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
  }),
  clip(4, 5, {
    steady: Array.from({ length: 26 }, (_, at) => ({
      timeSeconds: 4 + at / 25,
      x: ((at % 5) - 2) / 100,
      y: (((at + 2) % 5) - 2) / 100,
    })),
    from: { x: 0.1, y: 0.1, width: 0.8, height: 0.8 },
    to: { x: 0.1, y: 0.1, width: 0.8, height: 0.8 },
  }),
  clip(1, 2, { take: 1, from: whole, to: whole }),
];
const TRANSITIONS: readonly TimelineTransition[] = [
  { clipIndex: 1, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' },
  { clipIndex: 2, type: 'wipe', direction: 'left', durationSeconds: 0.4, easing: 'ease_out' },
  { clipIndex: 3, type: 'slide', direction: 'up', durationSeconds: 0.4, easing: 'ease_in_out' },
  { clipIndex: 4, type: 'fade_color', color: '#c08040', durationSeconds: 0.4, easing: 'linear' },
  { clipIndex: 5, type: 'circle', durationSeconds: 0.4, easing: 'linear' },
  { clipIndex: 6, type: 'zoom', durationSeconds: 0.4, easing: 'linear' },
  { clipIndex: 7, type: 'fade_white', durationSeconds: 0.4, easing: 'linear' },
];
const CAPTION_LOOK: CaptionLook = {
  timing: 'lines',
  face: 'inter-semibold',
  sizePixels: 56,
  pitchPixels: 68,
  lineEm: 16,
  position: 'bottom',
  anchorY: 0.9,
  color: '#ffffff',
  ground: 'outline',
};
const BOX_LOOK: CaptionLook = {
  ...{ ...CAPTION_LOOK, ground: 'box', box: { color: '#b01830', opacity: 0.7 } },
  animationIn: { type: 'slide', seconds: 0.4, side: 'left', distancePixels: 400 },
};
const CUE = {
  endSeconds: 0,
  lines: ['Two lines of a caption', 'over the picture'],
  face: 'inter-semibold',
  baselineY: 570,
} as const;

const TIMELINE: Timeline = {
  ...timelineOf(CLIPS, TRANSITIONS),
  ...SIZE,
  frameRate: RATE,
  takes: [{ grade: WARM }, { grade: COOL }, { grade: WARM }],
  captions: [
    // Half faded at 12.
    {
      ...{ ...CUE, startSeconds: 0.2, endSeconds: 0.6 },
      look: { ...CAPTION_LOOK, animationOut: { type: 'fade', seconds: 0.4 } },
    },
    // On a padded shot, in a script that libass draws.
    {
      ...{ ...CUE, startSeconds: 3.2, endSeconds: 3.8, face: 'noto-hebrew-semibold' },
      lines: ['שתי שורות של כתובית', 'מעל התמונה'],
    },
    // Sliding at 137.
    { ...CUE, startSeconds: 5.4, endSeconds: 5.8, look: BOX_LOOK },
  ],
  captionLook: CAPTION_LOOK,
};
/** Middles of all clips, three moments of each transition, all captions. */
const MOMENTS = [
  ...[0, 12, 37, 62, 87, 112, 137, 162, 187, 199, 8],
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((number) => [25 * number - 2, 25 * number + 3]),
];

describe('the player of plans against the rendered output', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let served: PlayerPage;
  let browser: Browser;
  let takePaths: readonly string[];
  let expected: readonly Picture[];

  before(async () => {
    takePaths = [await take(0), await take(1), await take(2)];
    const proxies = await Promise.all(takePaths.map(proxyOf));
    [served, browser] = await Promise.all([
      servePlayer(Object.fromEntries(proxies.map((path, number) => [`take-${number}.mp4`, path]))),
      startBrowser(),
    ]);
    expected = await rendered(TIMELINE);
  });
  after(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });

  async function take(number: number): Promise<string> {
    return makeClip(folder, {
      ...{ name: `take-${number}`, durationSeconds: TAKE_SECONDS[number]!, ...SIZE, silent: true, crf: 12 },
      draw: number === 2 ? drawCard : drawGround(number),
    });
  }

  /** As the service makes them: 540 lines, x264 veryfast, tagged BT.709. */
  async function proxyOf(path: string, number: number): Promise<string> {
    const timeline: Timeline = { ...timelineOf([clip(0, TAKE_SECONDS[number]!)]), ...PROXY, frameRate: RATE };
    const outputPath = join(folder, `proxy-${number}.mp4`);
    await render({ timeline, takePaths: [path], outputPath, preset: 'veryfast', crf: 20 }, () => {});
    return outputPath;
  }

  async function rendered(timeline: Timeline): Promise<Picture[]> {
    const outputPath = join(folder, 'output.mp4');
    await render({ timeline, takePaths, outputPath, preset: 'veryfast', crf: 12 }, () => {});
    const seconds = MOMENTS.map((frame) => (frame + 0.5) / RATE.numerator);
    const frames = await readMomentFrames(outputPath, seconds, PROXY, () => {});
    const pictures: Picture[] = [];
    for (const frame of frames) {
      const path = join(folder, 'frame.png');
      await writePng(frame, path);
      frame.free();
      pictures.push(await decodePng(readFileSync(path)));
    }
    return pictures;
  }

  for (const [name, force, most] of [
    ['WebGL', {}, { mean: 1.5, block: 2.5 }],
    // The browser's own conversion and scaling are coarser.
    ['a 2D canvas', { painter: 'canvas' }, { mean: 2, block: 6 }],
  ] as const) {
    test(`${name}: colors and positions are those of the output, at ${MOMENTS.length} moments`, async () => {
      const plan = {
        timeline: TIMELINE,
        gainDb: 0,
        takes: [0, 1, 2].map((number) => ({ videoId: `take-${number}.mp4` })),
        music: null,
      };
      await using opened = await openPlayer(browser, served, plan, force);
      const wrong: string[] = [];
      for (const [index, frame] of MOMENTS.entries()) {
        const shown = await shownAt(opened.page, frame);
        const { mean, block } = difference(shown, expected[index]!);
        const [dx, dy] = displacement(shown, expected[index]!);
        const what = `frame ${frame}: mean ${mean.toFixed(2)}, blocks ${block.toFixed(2)}, ${dx.toFixed(2)} px, ${dy.toFixed(2)} px`;
        if (mean > most.mean || block > most.block || Math.hypot(dx, dy) > MAX_SHIFT) wrong.push(what);
      }
      assert.deepEqual(wrong, []);
    });
  }
});

/** Colored areas with soft and hard edges and a fine pattern, which move. */
function drawGround(number: number): (rgb: Uint8Array, seconds: number) => void {
  const { width, height } = SIZE;
  return (rgb, seconds) => {
    const across = Float64Array.from({ length: width }, (_, x) => Math.sin(x / 90 + seconds + number));
    for (let y = 0, at = 0; y < height; y++) {
      const down = Math.cos(y / 70 - seconds);
      for (let x = 0; x < width; x++, at += 3) {
        const wave = 0.5 + 0.5 * across[x]! * down;
        const isCard = (x + 60 * seconds) % 320 < 140 && y % 240 > 90;
        const grain = ((x >> 2) + (y >> 2)) % 2 === 0 ? 6 : -6;
        rgb[at] = isCard ? 205 - 60 * number : 40 + 180 * (x / width) * wave + grain;
        rgb[at + 1] = isCard ? 150 + 40 * wave : 60 + 120 * wave + grain;
        rgb[at + 2] = isCard ? 120 + 80 * number : 190 - 150 * (y / height) + grain;
      }
    }
  };
}

/** A card with a mark on a ground of one color, which is extended. */
function drawCard(rgb: Uint8Array): void {
  const { width, height } = SIZE;
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const isMark = Math.hypot(x - width / 2, y - height / 2) < height / 4;
      rgb[at] = isMark ? 60 : 215;
      rgb[at + 1] = isMark ? 110 : 205;
      rgb[at + 2] = isMark ? 180 : 190;
    }
}

/** The canvas as it shows a frame at rest, with its grade. */
async function shownAt(page: Page, frame: number): Promise<Picture> {
  const { width, height, base64 } = await page.evaluate(async (number) => {
    const { player } = globalThis as unknown as PlayerScope;
    await player.ready();
    await player.seekFrame(number);
    const canvas = document.querySelector('canvas')!;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let text = '';
    for (let at = 0; at < data.length; at += 4)
      text += String.fromCharCode(data[at]!, data[at + 1]!, data[at + 2]!);
    return { width: canvas.width, height: canvas.height, base64: btoa(text) };
  }, frame);
  assert.deepEqual({ width, height }, PROXY);
  return { width, height, channels: 3, data: Buffer.from(base64, 'base64') };
}

const deltaE = differenceCiede2000();

function difference(one: Picture, other: Picture): { readonly mean: number; readonly block: number } {
  let [sum, count] = [0, 0];
  for (let y = 0; y < one.height; y += PIXEL_STEP) {
    for (let x = 0; x < one.width; x += PIXEL_STEP, count++)
      sum += deltaE(meanLab(one, x, y, 1), meanLab(other, x, y, 1));
  }
  const blocks: number[] = [];
  for (let y = 0; y + BLOCK <= one.height; y += BLOCK)
    for (let x = 0; x + BLOCK <= one.width; x += BLOCK)
      blocks.push(deltaE(meanLab(one, x, y, BLOCK), meanLab(other, x, y, BLOCK)));
  blocks.sort((a, b) => a - b);
  return { mean: sum / count, block: blocks[Math.floor(0.95 * blocks.length)]! };
}

const LAB = new Float64Array(3);

function meanLab({ width, channels, data }: Picture, left: number, top: number, side: number): Lab65 {
  const sums = [0, 0, 0];
  for (let y = top; y < top + side; y++)
    for (let x = left; x < left + side; x++)
      for (let channel = 0; channel < 3; channel++)
        sums[channel]! += data[channels * (y * width + x) + channel]!;
  const [red, green, blue] = sums.map((sum) => sum / side ** 2 / 255) as [number, number, number];
  rgbToLab(red, green, blue, LAB);
  return { mode: 'lab65', l: LAB[0]!, a: LAB[1]!, b: LAB[2]! };
}

/** Pixels to the right and down by which the first picture shows the second one's content, by least squares of luma. */
function displacement(one: Picture, other: Picture): [number, number] {
  const { width, height } = one;
  const sums = { xx: 0, yy: 0, xy: 0, x: 0, y: 0 };
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 1; x < width - 1; x += 2) {
      const slopeX = (lumaAt(other, x + 1, y) - lumaAt(other, x - 1, y)) / 2;
      const slopeY = (lumaAt(other, x, y + 1) - lumaAt(other, x, y - 1)) / 2;
      const change = lumaAt(other, x, y) - lumaAt(one, x, y);
      sums.xx += slopeX ** 2;
      sums.yy += slopeY ** 2;
      sums.xy += slopeX * slopeY;
      sums.x += slopeX * change;
      sums.y += slopeY * change;
    }
  }
  const determinant = sums.xx * sums.yy - sums.xy ** 2;
  return [
    (sums.x * sums.yy - sums.y * sums.xy) / determinant,
    (sums.y * sums.xx - sums.x * sums.xy) / determinant,
  ];
}

function lumaAt({ width, channels, data }: Picture, x: number, y: number): number {
  const at = channels * (y * width + x);
  return luma709(data[at]!, data[at + 1]!, data[at + 2]!);
}
