import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startStrippingProxy } from '../support/http-proxy.ts';
import { mediaPath } from '../support/media.ts';
import { type Service, startService } from '../support/service.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { assertAccessible, assertFits, dropFiles, FRAME_GONE, openPage, shiftOf } from './page.ts';

const SOURCE = mediaPath('video/bbb_fragmented.mp4');
const LOOK = mediaPath('video/nasa_webb_13s.mp4');
const LARGE = mediaPath('video/roof_zoom_17s.mp4');
const RESUMED = mediaPath('video/mdn_crystal.mp4');
const NO_MEDIA =
  SOURCE === null || LOOK === null || LARGE === null || RESUMED === null
    ? '../shared/media is not there'
    : false;
/** Bytes of a first visit without pictures, compressed (`design/page.md`). */
const FIRST_LOAD_BYTES = 200_000;
const RENDERED_MS = 120_000;

describe('the main journey through the page', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;

  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('two files are dropped, looked at, rendered, compared and downloaded', {
    skip: NO_MEDIA,
  }, async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(FRAME_GONE);
    await dropFiles(page, 'Your video', [SOURCE!]);
    await dropFiles(page, 'The look', [LOOK!]);
    const preview = page.getByRole('region', { name: 'Preview', exact: true });
    await preview.getByRole('slider', { name: /line between/i }).waitFor({ timeout: RENDERED_MS });
    await assertAccessible(page, 'ready to render');
    await page.getByRole('radio', { name: 'Draft' }).check();
    await page.getByRole('button', { name: 'Render', exact: true }).click();
    await page.getByRole('list', { name: 'Stages' }).waitFor();
    await assertAccessible(page, 'under way');
    const video = page.getByRole('link', { name: /^Video · / });
    await video.waitFor({ timeout: RENDERED_MS });
    // The result can be watched while before and after are prepared, which then continue where it was.
    await page.getByRole('button', { name: 'Play' }).waitFor();
    for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowRight');
    const positionOf = () => page.locator('video').evaluate((one: HTMLVideoElement) => one.currentTime);
    const slider = page.getByRole('slider', { name: 'Position' });
    // Twenty steps at once arrive one after the other; the clip has 24 frames a second.
    let position = 0;
    for (let tries = 0; tries < 100 && position < 19.5 / 24; tries++) {
      await page.waitForTimeout(100);
      position = await positionOf();
    }
    assert.ok(position > 0.8, `${position}`);
    for (let tries = 0; tries < 50 && Math.abs(Number(await slider.inputValue()) - position) > 0.01; tries++)
      await page.waitForTimeout(100);
    await page.getByRole('button', { name: 'Before and after' }).click();
    await page.locator('video[aria-hidden="true"]').waitFor({ state: 'attached', timeout: RENDERED_MS });
    const shown = await slider.inputValue();
    assert.ok(Math.abs(Number(shown) - position) < 0.1, `${shown}, not ${position}`);
    await page.getByRole('heading', { name: 'What was done' }).waitFor();
    await assertAccessible(page, 'done');
    const [download] = await Promise.all([page.waitForEvent('download'), video.click()]);
    assert.ok(statSync(await download.path()).size > 10_000);
    await page.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('link', { name: /bbb_fragmented\.mp4/ }).waitFor();
  });

  test('by keyboard alone a preset is rendered, played and deleted', async () => {
    const clip = await makeClip(folder, { name: 'keys', durationSeconds: 2 });
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(FRAME_GONE);
    // Playwright takes the place of the system's window from the first listener on.
    page.on('filechooser', () => {});
    await tabTo(page, /^Choose files$/);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles(clip);
    await page.getByRole('button', { name: /Take keys\.mp4 out/ }).waitFor();
    await tabTo(page, /^(Golden hour|Blockbuster|Noir)/i);
    await page.keyboard.press('Space');
    await tabTo(page, /^Good$/);
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('radio', { name: 'Draft', checked: true }).waitFor();
    await tabTo(page, /^Render$/);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /^Video · / }).waitFor({ timeout: RENDERED_MS });
    await tabTo(page, /^Play$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await tabTo(page, /^Delete$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('keys.mp4 is deleted').waitFor();
    await tabTo(page, /^Undo/);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /keys\.mp4/ }).waitFor();
  });

  test('an upload continues after the connection broke', { skip: NO_MEDIA }, async () => {
    await using proxy = await startTcpProxy(service.baseUrl);
    await using opened = await openPage(browser, proxy.url);
    const { page, context } = opened;
    opened.allow(/ERR_/);
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    const slowly = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
    await network.send('Network.emulateNetworkConditions', slowly);
    await page.getByLabel('Your video').locator('input[type=file]').setInputFiles(LARGE!);
    const well = page.getByRole('region', { name: 'Your video' });
    // Something has arrived, at a speed that the throttled line allows.
    await well.getByText(/^[\d.]+ [kM]B of 3\.0 MB · \d+ kB\/s/).waitFor();
    proxy.cut('closed');
    await well.getByText(/No connection/).waitFor();
    await network.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 });
    proxy.mend();
    await well.getByText(/640 × 360/).waitFor({ timeout: RENDERED_MS });
  });

  test('an upload interrupted by a reload continues when the file is chosen again', {
    skip: NO_MEDIA,
  }, async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page, context } = opened;
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    const slowly = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 };
    await network.send('Network.emulateNetworkConditions', slowly);
    const chooser = page.getByLabel('Your video').locator('input[type=file]');
    await chooser.setInputFiles(RESUMED!);
    const well = page.getByRole('region', { name: 'Your video' });
    await well.getByText(/^1\.\d MB of /).waitFor({ timeout: RENDERED_MS });
    // The browser asks for confirmation to leave.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    const sent: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']));
    });
    await chooser.setInputFiles(RESUMED!);
    await well.getByText(/^Resumed: /).waitFor();
    await network.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 });
    await page.getByRole('button', { name: /^Take .* out$/ }).waitFor({ timeout: RENDERED_MS });
    assert.ok(sent[0] > 500_000, `it goes on at ${sent[0]} bytes`);
  });

  test('under a path that a proxy takes away every place works', async () => {
    await using proxy = await startStrippingProxy('/styles', service.baseUrl);
    await using opened = await openPage(browser, `${proxy.url}/styles/`);
    const { page } = opened;
    await page.getByRole('link', { name: 'Library' }).click();
    await page.waitForURL('**/styles/library');
    await page.getByRole('link', { name: /keys\.mp4/ }).click();
    await page.waitForURL('**/styles/jobs/*');
    await page.reload();
    const video = page.getByRole('link', { name: /^Video · / });
    await video.waitFor();
    assert.match((await video.getAttribute('href'))!, /\/styles\/api\/v1\/jobs\//);
    await page.getByRole('button', { name: 'Before and after' }).click();
    await page.getByRole('slider', { name: /line between/i }).waitFor({ timeout: RENDERED_MS });
    await page.getByRole('link', { name: 'Make' }).click();
    await page.waitForURL('**/styles/');
  });

  test('a first visit is small, and nothing jumps or sticks out', async () => {
    const types = new Map<string, string>();
    let bytes = 0;
    await using opened = await openPage(browser, service.baseUrl, {
      width: 390,
      prepare: async (page, context) => {
        const network = await context.newCDPSession(page);
        await network.send('Network.enable');
        network.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
        network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
          if (types.get(requestId) !== 'Image') bytes += encodedDataLength;
        });
      },
    });
    const { page } = opened;
    await page.waitForLoadState('networkidle');
    assert.ok(bytes > 50_000 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes`);
    await assertFits(page, 'nothing yet');
    await assertAccessible(page, 'nothing yet');
    assert.ok((await shiftOf(page)) < 0.01, `${await shiftOf(page)}`);
  });
});

/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 90; presses++) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const labels = (element as HTMLInputElement).labels;
      return (element.ariaLabel ?? labels?.[0]?.textContent ?? element.textContent ?? '').trim();
    });
    if (name.test(focused)) return;
    passed.push(focused.slice(0, 20));
  }
  assert.fail(`no ${name} among ${passed.join(' | ')}`);
}
