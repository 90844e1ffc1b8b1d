/** In and out points of the video and of the look, by keyboard and by pointer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, openPage } from './page.ts';

const NO_CAPTIONS = /status of 404/;

describe('the part of a video that counts', { concurrency: 1, timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let clip: string;
  let look: string;

  before(async () => {
    [service, browser, clip, look] = await Promise.all([
      startService(),
      startBrowser(),
      makeClip(folder, { name: 'clip', durationSeconds: 6 }),
      makeClip(folder, {
        name: 'look',
        durationSeconds: 8,
        draw: (rgb, seconds) => {
          rgb.fill(seconds < 4 ? 70 : 180);
        },
      }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const choose = (page: Page, place: string, path: string) =>
    page.getByRole('region', { name: place }).locator('input[type=file]').setInputFiles(path);
  const slider = (page: Page, end: 'Begin' | 'End', name: string) =>
    page.getByRole('slider', { name: `${end} of the part of ${name} that counts` });

  /** Configs of the previews that the page requests. */
  function requestedConfigs(page: Page): Record<string, [number, number] | undefined>[] {
    const configs: Record<string, [number, number] | undefined>[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/v1/previews'))
        configs.push(request.postDataJSON().config);
    });
    return configs;
  }

  test('is chosen with handles, followed by the preview, and taken back', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(NO_CAPTIONS);
    const configs = requestedConfigs(page);
    await choose(page, 'Your video', clip);
    await choose(page, 'The look', look);
    await slider(page, 'Begin', 'clip.mp4').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    for (let frame = 0; frame < 5; frame++) await page.keyboard.press('ArrowLeft');
    await page.getByText('Counts from 0:01.8 to 0:06.0').waitFor();
    await slider(page, 'End', 'look.mp4').focus();
    for (let second = 0; second < 4; second++) await page.keyboard.press('Shift+ArrowLeft');
    await page.getByText('Counts from 0:00.0 to 0:04.0').waitFor();
    await page
      .getByRole('button', { name: /^Moment at/ })
      .first()
      .waitFor({ timeout: 90_000 });
    const last = configs.at(-1)!;
    assert.deepEqual(
      [last['source_range'], last['template_range']],
      [
        [1.8, 6],
        [0, 4],
      ],
    );
    const moments = await page.getByRole('button', { name: /^Moment at/ }).allTextContents();
    assert.ok(
      moments.every((text) => Number(/0:(\d\d)/.exec(text)![1]) >= 2),
      `${moments}`,
    );
    await assertAccessible(page, 'trimmed');
    await page.reload();
    await page.getByText('Counts from 0:01.8 to 0:06.0').waitFor();
    await page.getByText('Counts from 0:00.0 to 0:04.0').waitFor();
    await page.getByRole('button', { name: 'Use all of it: clip.mp4' }).click();
    await page.getByText('All of it counts, 0:06.0').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page, 'handles on a phone');
  });

  test('is dragged beside its bar, comes with the job and with its changes', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(NO_CAPTIONS);
    await choose(page, 'Your video', clip);
    const begin = slider(page, 'Begin', 'clip.mp4');
    await begin.scrollIntoViewIfNeeded();
    const box = (await begin.boundingBox())!;
    // Of a target of 44 pixels, 40 from the bar's inner edge.
    const [x, y] = [box.x + 4, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + (box.width - 44) / 2, y, { steps: 4 });
    await page.mouse.up();
    await page.getByText(/Counts from 0:0[23]\.\d to 0:06\.0/).waitFor();
    await page.getByRole('radio', { name: 'Noir' }).check({ force: true });
    await page.getByRole('button', { name: 'Render', exact: true }).click();
    await page.waitForURL(/\/jobs\//);
    const jobId = page.url().split('/').at(-1)!;
    const job = await (await fetch(`${service.baseUrl}/api/v1/jobs/${jobId}`)).json();
    const [from, to] = job.data.config.source_range;
    assert.ok(from > 2.5 && from < 3.5 && to === 6, `${from} to ${to}`);
    assert.ok(Math.abs(from * 25 - Math.round(from * 25)) < 0.01, 'between two frames');
    await page.goto(`${service.baseUrl}/?from=${jobId}`);
    await page.getByText(/Counts from 0:0[23]\.\d to 0:06\.0/).waitFor();
  });
});
