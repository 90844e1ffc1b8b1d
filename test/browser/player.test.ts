import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Picture } from '../../src/domain/footage.ts';
import { startBrowser } from '../support/chromium.ts';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { decodePng } from '../support/png.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { openPage, type PageOptions } from './page.ts';
import { readShown, settled, showBoth } from './shown-frames.ts';

/** The output shows the same as the source. */
const PLAIN = {
  quality: 'low',
  style_strength: 0,
  components: { aspect_ratio: false, frame_rate: false },
} as const;
const FRAMES_PER_SECOND = 25;
/** Colors of the corners of the drawn clip. */
const CORNERS = { red: [200, 40, 40], green: [40, 180, 40], blue: [40, 40, 200], yellow: [200, 200, 40] };
/** Of a corner's shorter side, as a share of the picture's. */
const CORNER_SHARE = 1 / 5;
const SHAPES = { upright: [180, 320], square: [240, 240], wide: [424, 180] } as const;
const WIDTHS = [390, 1280, 1920];
/** Of levels of 255: what encoding in colors of 4:2:0 changes. */
const COLOR_TOLERANCE = 45;
/** The first picture of a video is decoded after the buttons are there: up to 2 s on a busy machine. */
const DRAWN_MS = 10_000;
/** Of a screenshot every seventh pixel is compared. */
const PIXEL_STEP = 7;

describe('the player', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let numberedId: string;

  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const path = await makeClip(folder, {
      name: 'numbered',
      durationSeconds: 4,
      draw: drawNumber(320, 180),
    });
    numberedId = await made(path);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  async function made(path: string): Promise<string> {
    await using job = await createJob(service, { video_id: await uploaded(service, path), config: PLAIN });
    assert.equal((await job.ended()).status, 'completed');
    return job.jobId;
  }

  const open = (jobId: string, options: PageOptions = {}) =>
    openPage(browser, `${service.baseUrl}/jobs/${jobId}`, options);

  // Each view is seen at each width, in one of the shapes.
  for (const [number, [shape, [width, height]]] of Object.entries(SHAPES).entries()) {
    test(`${shape}: the whole picture is seen at every width, alone and in every view`, async () => {
      const path = await makeClip(folder, {
        ...{ name: shape, durationSeconds: 1, width, height },
        draw: drawCorners(width, height),
      });
      await using opened = await open(await made(path));
      const { page } = opened;
      const check = async (windowWidth: number, what: string) => {
        await page.setViewportSize({ width: windowWidth, height: 800 });
        assert.deepEqual(await cornersSeen(page), Object.keys(CORNERS), `${windowWidth} px, ${what}`);
      };
      await page.getByRole('button', { name: 'Play' }).waitFor();
      for (const windowWidth of WIDTHS) await check(windowWidth, 'alone');
      await showBoth(page);
      for (const view of [1, 2, 3, 4]) {
        await page.keyboard.press(String(view));
        await check(WIDTHS[(number + view) % WIDTHS.length]!, `view ${view}`);
      }
    });
  }

  test('where frame callbacks never arrive, the position follows the video, playing and stepping', async () => {
    await using opened = await open(numberedId, { prepare: withoutFrameCallbacks });
    const { page } = opened;
    await settled(page, 0);
    await page.keyboard.press('ArrowRight');
    await settled(page, 1);
    await page.keyboard.press(' ');
    const position = page.getByRole('slider', { name: 'Position' });
    const before = Number(await position.inputValue());
    const frames = await page.evaluate(readShown, 1500);
    assert.ok(new Set(frames.map(([one]) => one)).size > 5, 'it plays');
    assert.ok(Number(await position.inputValue()) > before + 0.5);
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const paused = await currentFrame(page);
    await settled(page, paused);
    await page.keyboard.press('ArrowRight');
    await settled(page, paused + 1);
    await page.keyboard.press('ArrowLeft');
    await settled(page, paused);
  });

  test('where frame callbacks report late times, steps are exact', async () => {
    await using opened = await open(numberedId, { prepare: withLateMediaTimes });
    const { page } = opened;
    await settled(page, 0);
    for (let frame = 1; frame <= 3; frame++) {
      await page.keyboard.press('ArrowRight');
      await settled(page, frame);
    }
    await page.keyboard.press(' ');
    await page.waitForTimeout(500);
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const paused = await currentFrame(page);
    await page.keyboard.press('ArrowRight');
    await settled(page, paused + 1);
  });

  test('at the end one step back shows the frame before the last', async () => {
    await using opened = await open(numberedId);
    const { page } = opened;
    const last = 4 * FRAMES_PER_SECOND - 1;
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.evaluate(() => {
      document.querySelector('video')!.currentTime = 3.7;
    });
    await page.keyboard.press(' ');
    await page.waitForFunction(() => document.querySelector('video')!.ended);
    await settled(page, last);
    await page.keyboard.press('ArrowLeft');
    await settled(page, last - 1);
  });

  test('the space bar plays after the view was chosen by pointer', async () => {
    await using opened = await open(numberedId);
    const { page } = opened;
    await showBoth(page);
    await page.getByRole('radio', { name: 'Side by side' }).click();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Side by side' }).isChecked());
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play' }).waitFor();
  });

  test('every button of the place has a name, and copying the link is reported', async () => {
    await using opened = await open(numberedId);
    const { page, context } = opened;
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const names = await buttonNames(page);
    assert.ok(names.includes('Copy link'), names.join(', '));
    assert.ok(!names.includes(''), names.join(', '));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  });
});

/** As WebKit without accelerated rendering: the function is there, and nothing calls back. */
async function withoutFrameCallbacks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    HTMLVideoElement.prototype.requestVideoFrameCallback = () => 1;
  });
}

/** As WebKitGTK: by the two frames by which an encoder reorders. */
async function withLateMediaTimes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { prototype } = HTMLVideoElement;
    const own = prototype.requestVideoFrameCallback;
    prototype.requestVideoFrameCallback = function (callback) {
      return own.call(this, (now, metadata) =>
        callback(now, { ...metadata, mediaTime: metadata.mediaTime + 0.08 }),
      );
    };
  });
}

function currentFrame(page: Page): Promise<number> {
  return page.evaluate(
    (rate) => Math.floor(document.querySelector('video')!.currentTime * rate + 0.1),
    FRAMES_PER_SECOND,
  );
}

function drawCorners(width: number, height: number): (rgb: Uint8Array) => void {
  const side = Math.round(Math.min(width, height) * CORNER_SHARE);
  const [topLeft, topRight, bottomLeft, bottomRight] = Object.values(CORNERS);
  return (rgb) => {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [isTop, isBottom] = [y < side, y >= height - side];
        const [isLeft, isRight] = [x < side, x >= width - side];
        const left = isTop ? topLeft : isBottom ? bottomLeft : undefined;
        const right = isTop ? topRight : isBottom ? bottomRight : undefined;
        rgb.set((isLeft ? left : isRight ? right : undefined) ?? [120, 120, 120], 3 * (y * width + x));
      }
    }
  };
}

/** The names of the corners' colors that are on the screen, once all are there or within `DRAWN_MS`. */
async function cornersSeen(page: Page): Promise<string[]> {
  const until = performance.now() + DRAWN_MS;
  for (;;) {
    const picture = await decodePng(await page.getByRole('region', { name: 'Player' }).screenshot());
    const seen = Object.entries(CORNERS)
      .filter(([, color]) => shows(picture, color))
      .map(([name]) => name);
    if (seen.length === Object.keys(CORNERS).length || performance.now() > until) return seen;
  }
}

function shows({ data, channels }: Picture, color: readonly number[]): boolean {
  for (let at = 0; at < data.length; at += PIXEL_STEP * channels)
    if (color.every((value, channel) => Math.abs(value - data[at + channel]) < COLOR_TOLERANCE)) return true;
  return false;
}

/** As the browser hands them to screen readers. */
async function buttonNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ role, ignored }) => role?.value === 'button' && !ignored)
    .map(({ name }) => String(name?.value ?? ''));
}
