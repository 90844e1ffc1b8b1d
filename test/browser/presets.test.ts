import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, openPage } from './page.ts';

describe('presets on real footage', { timeout: 600_000 }, () => {
  let service: Service;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startService({ WORKER_CONCURRENCY: '0' }), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const card = (page: Page, name: string) =>
    page.locator('label').filter({ has: page.getByRole('radio', { name }) });
  const plays = (page: Page) =>
    page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);

  test('one moves under the pointer, in a loop, and rests when the pointer leaves', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await card(page, 'Noir').hover();
    await plays(page);
    const { isLooped, isMuted, file } = await page.locator('video').evaluate((video: HTMLVideoElement) => ({
      isLooped: video.loop,
      isMuted: video.muted,
      file: new URL(video.currentSrc).pathname,
    }));
    assert.deepEqual([isLooped, isMuted, file], [true, true, '/api/v1/presets/noir/clip']);
    await assertAccessible(page, 'a preset that plays');
    await page.getByRole('heading', { level: 1 }).hover();
    await page.locator('video').waitFor({ state: 'detached' });
  });

  test('one moves under the focus', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await page.getByRole('radio', { name: 'Golden hour' }).focus();
    await plays(page);
    await page.keyboard.press('ArrowRight');
    await page.locator('video[src*="/blockbuster/"]').waitFor();
    assert.equal(await page.locator('video').count(), 1);
  });

  test('none moves under reduced motion', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await card(page, 'Noir').hover();
    await page.getByRole('radio', { name: 'Noir' }).focus();
    await page.waitForTimeout(300);
    assert.equal(await page.locator('video').count(), 0);
  });
});
