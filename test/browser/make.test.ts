import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { StyleDnaClient } from '../../src/client/client.ts';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { encodeImage } from '../support/image.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, dropFiles, openPage } from './page.ts';

/** How the page finds out that a video has no caption file. */
const NO_CAPTIONS = /status of 404/;
const WORDS = '1\n00:00:00,200 --> 00:00:01,500\nHello\n\n2\n00:00:01,600 --> 00:00:02,000\nagain\n';

describe('the place where things are made', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let clip: string;

  before(async () => {
    [service, browser, clip] = await Promise.all([
      // Measuring and rendering are tested elsewhere.
      startService({ WORKER_CONCURRENCY: '0' }),
      startBrowser(),
      makeClip(folder, { name: 'clip', durationSeconds: 2 }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const choose = (page: Page, place: string, path: string) =>
    page.getByRole('region', { name: place }).locator('input[type=file]').setInputFiles(path);

  test('a file dropped outside a well does not change the page', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    const isKeptIn = await page.evaluate(() => {
      const events = ['dragover', 'drop'].map(
        (name) => new DragEvent(name, { cancelable: true, bubbles: true }),
      );
      for (const event of events) document.querySelector('h1')!.dispatchEvent(event);
      return events.every((event) => event.defaultPrevented);
    });
    assert.ok(isKeptIn);
  });

  test('a picture is no video, but can be the look', async () => {
    const picture = join(folder, 'still.png');
    const size = { width: 64, height: 64 };
    writeFileSync(picture, await encodeImage('png', size, (x, y) => [4 * x, 4 * y, 128]));
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await choose(page, 'Your video', picture);
    await page.getByText('This is a picture').waitFor();
    await page.getByText('A picture alone cannot be rendered').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Render', exact: true }).isDisabled());
    await assertAccessible(page, 'a picture as the video');
    await page.getByRole('button', { name: 'Use it as the look' }).click();
    await page.getByRole('region', { name: 'The look' }).getByText('still.png').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Your video' }).getByText('still.png').count(), 0);
  });

  test('a file that is neither a video nor a Style DNA is refused in plain words', async () => {
    const text = join(folder, 'letter.mp4');
    writeFileSync(text, 'Dear editor');
    const json = join(folder, 'prices.json');
    writeFileSync(json, '{"apples": 3}');
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(/415/);
    await choose(page, 'Your video', text);
    const well = page.getByRole('region', { name: 'Your video' });
    await well.getByText('This file format is not supported').waitFor();
    await well.getByRole('button', { name: 'Take it out' }).click();
    await well.getByRole('button', { name: 'Choose files' }).waitFor();
    await choose(page, 'The look', json);
    await page.getByText('prices.json is not a Style DNA file').waitFor();
    await dropFiles(page, 'Your video', [clip, json]);
    await page.getByRole('button', { name: 'Take clip.mp4 out' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'prices.json is not a Style DNA file' }).waitFor();
    assert.equal(await page.getByText(/was added as the look/).count(), 0);
    assert.equal(await page.getByRole('alert').count(), 1);
    await assertAccessible(page, 'a file refused');
  });

  test('captions are added, found after a reload, and removed; a reload preserves the choices', async () => {
    const captions = join(folder, 'words.srt');
    writeFileSync(captions, WORDS);
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(NO_CAPTIONS);
    await choose(page, 'Your video', clip);
    await page.getByRole('button', { name: 'Take clip.mp4 out' }).waitFor();
    await page.getByText('Captions from a file', { exact: true }).click();
    await page.locator('input[aria-label="Caption file"]').setInputFiles(captions);
    await page.getByText('2 captions from a file (SRT)').waitFor();
    await page.getByRole('radio', { name: 'Best' }).check();
    await page.reload();
    await page.getByRole('button', { name: 'Take clip.mp4 out' }).waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Best' }).isChecked());
    await page.getByText('Captions from a file', { exact: true }).click();
    await page.getByText('Captions from a file (SRT)').waitFor();
    await assertAccessible(page, 'captions that the video has');
    await page.getByRole('button', { name: 'Take it out', exact: true }).click();
    await page.getByText('Without one, the video’s own text track is used').waitFor();
    await page.reload();
    await page.getByText('Captions from a file', { exact: true }).click();
    await page.getByText('Without one, the video’s own text track is used').waitFor();
  });

  test('an encoding of captions that was guessed is reported', async () => {
    const captions = join(folder, 'latin.srt');
    writeFileSync(captions, Buffer.from(WORDS.replace('Hello', 'Größe'), 'latin1'));
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(NO_CAPTIONS);
    await choose(page, 'Your video', clip);
    await page.getByText('Captions from a file', { exact: true }).click();
    await page.locator('input[aria-label="Caption file"]').setInputFiles(captions);
    await page.getByText('2 captions from a file (SRT)').waitFor();
    await page.getByText('The caption file is not UTF-8: it was read as').waitFor();
  });

  test('of two files dropped on the look the second is the video, and further ones are reported as left out', async () => {
    const others = await Promise.all(
      ['second', 'third'].map((name) => makeClip(folder, { name, durationSeconds: 1 })),
    );
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await dropFiles(page, 'The look', [others[0]!, clip]);
    await page.getByRole('status').getByText('clip.mp4 was added as your video.').waitFor();
    await page
      .getByRole('region', { name: 'Your video' })
      .getByRole('button', { name: /clip\.mp4 out/ })
      .waitFor();
    await page
      .getByRole('region', { name: 'The look' })
      .getByRole('button', { name: /second\.mp4 out/ })
      .waitFor();
    // Both wells are full: neither is emptied by a file that was meant for the other.
    await dropFiles(page, 'The look', [others[1]!, others[0]!]);
    await page.getByRole('alert').getByText('second.mp4 was not added').waitFor();
    await assertAccessible(page, 'a file was left out');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('region', { name: 'The look' }).getByText('third.mp4').first().waitFor();
    await page.getByRole('region', { name: 'Your video' }).getByText('clip.mp4').first().waitFor();
  });

  test('dropped text is reported as no file', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await dropFiles(page, 'Your video', []);
    await page.getByRole('alert').getByText('That was not a file').waitFor();
  });

  for (const width of [390, 1280]) {
    test(`at ${width} px the style is described in the column of its look`, async () => {
      await using opened = await openPage(browser, service.baseUrl, { width });
      const { page } = opened;
      await page.getByRole('radio', { name: 'Noir' }).check({ force: true });
      const [card, look] = await Promise.all(
        ['The style', 'The look'].map((name) => page.getByRole('region', { name }).boundingBox()),
      );
      assert.deepEqual([card!.x, card!.width], [look!.x, look!.width]);
      assert.ok(card!.y > look!.y + look!.height - 1, 'it is below');
      await assertFits(page, 'with a style');
    });
  }

  test('words replace a missing poster', async () => {
    const client = new StyleDnaClient({ baseUrl: service.baseUrl });
    const { videos } = await client.listVideos({ kind: 'video' });
    const { video_id, filename } = videos[0];
    await client.createJob({ video_id, template_video_id: video_id });
    const arrival = Promise.withResolvers<void>();
    const holdPosters = async (page: Page) => {
      await page.route('**/poster', async (route) => {
        await arrival.promise;
        await route.continue();
      });
    };
    await using opened = await openPage(browser, service.baseUrl, { prepare: holdPosters });
    const { page } = opened;
    const used = page.getByRole('button', { name: filename });
    await used.getByText(filename).waitFor();
    await page.getByRole('link', { name: 'Library' }).click();
    const card = page.getByRole('listitem').first();
    await card.getByText('No picture yet').waitFor();
    const ground = await card
      .getByText('No picture yet')
      .evaluate((words) => getComputedStyle(words.closest('[data-state]')!).backgroundColor);
    assert.equal(ground, 'rgb(231, 231, 231)');
    await assertAccessible(page, 'before posters arrive');
    arrival.resolve();
    await card.getByText('No picture yet').waitFor({ state: 'detached' });
    opened.allow(/ERR_FAILED/);
    await page.unroute('**/poster');
    await page.route('**/poster', (route) => route.abort());
    await page.reload();
    await card.getByText('No picture', { exact: true }).waitFor();
  });

  test('a job restores its inputs', async () => {
    const client = new StyleDnaClient({ baseUrl: service.baseUrl });
    const { videos } = await client.listVideos({ kind: 'video' });
    const job = await client.createJob({
      video_id: videos[0].video_id,
      preset: 'neon-night',
      config: { style_strength: 0.35, quality: 'high', components: { color: 0.6, motion: false } },
    });
    await using opened = await openPage(browser, `${service.baseUrl}/?from=${job.job_id}`);
    const { page } = opened;
    await page.getByRole('region', { name: 'The look' }).getByText('Neon night').waitFor();
    assert.equal(await page.getByRole('slider', { name: 'Strength', exact: true }).inputValue(), '35');
    assert.ok(await page.getByRole('radio', { name: 'High' }).isChecked());
    assert.ok(!(await page.getByRole('switch', { name: 'Camera' }).isChecked()));
    assert.equal(new URL(page.url()).search, '');
    await page.getByRole('button', { name: /60 %/ }).waitFor();
  });

  for (const [status, said] of [
    [401, 'You are not signed in'],
    [403, 'You may not do this'],
  ] as const) {
    test(`a proxy that answers ${status}: the page reports it`, async () => {
      await using proxy = await startHttpProxy(service.baseUrl, ({ url = '/' }, outgoing) => {
        if (!url.startsWith('/api/')) return url;
        outgoing.writeHead(status, { 'content-type': 'text/plain' }).end('no');
        return null;
      });
      await using opened = await openPage(browser, proxy.url);
      const { page } = opened;
      opened.allow(new RegExp(String(status)));
      await page.getByText(said).waitFor();
      await page.getByRole('button', { name: 'Reload' }).waitFor();
      await assertAccessible(page, `not allowed: ${status}`);
    });
  }
});
