/** Files of one drop that cannot be used, or that a reload stops. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, dropFiles, openPage } from './page.ts';

describe('many files', { timeout: 300_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let clips: readonly string[];

  before(async () => {
    [service, browser] = await Promise.all([startService({ WORKER_CONCURRENCY: '0' }), startBrowser()]);
    clips = await Promise.all(['one', 'two'].map((name) => makeClip(folder, { name, durationSeconds: 1 })));
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const takes = (page: Page) => page.getByRole('list', { name: 'Takes' }).getByRole('listitem');

  test('those that cannot be used are named together and taken out together; one undo brings them back', async () => {
    const [letter, empty] = [join(folder, 'letter.mp4'), join(folder, 'empty.mp4')];
    writeFileSync(letter, 'Dear editor');
    writeFileSync(empty, '');
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(/status of (415|422)|RANGE_NOT_SATISFIABLE/);
    await dropFiles(page, 'Your video', [letter, ...clips, empty]);
    const notice = page.getByRole('alert').filter({ hasText: '2 files cannot be used' });
    await notice.getByText('letter.mp4, empty.mp4').waitFor();
    await assertAccessible(page, 'two files cannot be used');
    await page.setViewportSize({ width: 390, height: 800 });
    await assertFits(page, '390 px');
    await notice.getByRole('button', { name: 'Take them out' }).click();
    await notice.waitFor({ state: 'detached' });
    assert.equal(await takes(page).count(), 2);
    await page.keyboard.press('Control+z');
    await notice.waitFor();
    assert.equal(await takes(page).count(), 4);
  });

  test('one that is too short says so in its place, with its length', async () => {
    const short = await makeClip(folder, { name: 'short', durationSeconds: 0.2 });
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(/status of 422/);
    await dropFiles(page, 'Your video', [...clips, short]);
    await takes(page)
      .filter({ hasText: 'short.mp4' })
      .getByText('Too short: 0.2 s, at least 0.5 s')
      .waitFor();
  });

  test('an empty song alone is said to be empty, and nothing is sent', async () => {
    const empty = join(folder, 'song.mp3');
    writeFileSync(empty, '');
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await dropFiles(page, 'Your video', [empty]);
    const well = page.getByRole('region', { name: 'Your video' });
    await well.getByText('This file is empty').waitFor();
    await well.getByText('A song, no takes yet').waitFor();
    await page.getByRole('heading', { name: 'Reel', exact: true }).waitFor();
    assert.deepEqual(sent, []);
  });

  test('those that a reload stopped are named, and are not named again once they are added', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(/ERR_/);
    page.on('dialog', (dialog) => void dialog.accept());
    const isSecond = (url: URL) => url.pathname.endsWith('/uploads');
    let sent = 0;
    await page.route(isSecond, (route) => (++sent === 2 ? new Promise(() => {}) : route.continue()));
    await dropFiles(page, 'Your video', clips);
    await takes(page).first().getByText('waits to be measured').waitFor();
    await page.unroute(isSecond);
    await page.reload();
    const lost = page.getByRole('alert').getByText('two.mp4 had not arrived when the page was closed');
    await lost.waitFor();
    await dropFiles(page, 'Your video', [clips[1]!]);
    await lost.waitFor({ state: 'detached' });
    await takes(page).nth(1).getByText('waits to be measured').waitFor();
    await page.reload();
    await takes(page).nth(1).waitFor();
    assert.equal(await lost.count(), 0);
  });
});
