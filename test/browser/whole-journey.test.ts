/** From ten takes, a song and a reel to a posted reel, and from its look to the next job. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { StyleDnaClient } from '../../src/client/client.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { beatSong, takeClip } from '../support/reel-clips.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, dropFiles, FRAME_GONE, openPage } from './page.ts';

/** Twelve clips are measured; four other files with browsers may run beside it. */
const PATIENCE_MS = 180_000;
const TAKES = 10;
const WORDS = '1\n00:00:00,200 --> 00:00:01,500\nHello there\n';

const SIZE = { width: 192, height: 108 };

/** Colored tiles that move: another picture for each number. */
function scene(number: number) {
  const random = seededRandom(number);
  const colors = Array.from({ length: 63 }, () => [0, 0, 0].map(() => 40 + Math.floor(180 * random())));
  return (rgb: Uint8Array, _: number, index: number) => {
    for (let y = 0; y < SIZE.height; y++)
      for (let x = 0; x < SIZE.width; x++) {
        const column = Math.floor((x + index) / (12 + 3 * number)) % 9;
        const row = Math.floor(y / (10 + 2 * number)) % 7;
        rgb.set(colors[9 * row + column]!, 3 * (y * SIZE.width + x));
      }
  };
}

describe('the whole journey', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let takes: readonly string[];
  let reel: string;
  let talk: string;

  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    takes = await Promise.all(
      Array.from({ length: TAKES }, (_, at) =>
        makeClip(folder, { name: `take-${at + 1}`, ...SIZE, durationSeconds: 3, draw: scene(at + 1) }),
      ),
    );
    reel = await takeClip(folder, {
      ...{ name: 'reel', tone: 40, durationSeconds: 8, shotSeconds: 1 },
    });
    talk = await makeClip(folder, { name: 'talk', durationSeconds: 2 });
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const shots = (page: Page) => page.getByRole('list', { name: 'Shots of your edit' });
  const shot = (page: Page, number: number) =>
    page.getByRole('button', { name: new RegExp(`^Shot ${number},`) });
  const replanned = (page: Page) => page.getByText('planning again').waitFor({ state: 'detached' });

  test('takes, song, look, dial, pin, refusal, title, render, download, saved look, captions, second job', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    page.setDefaultTimeout(PATIENCE_MS);
    opened.allow(FRAME_GONE);
    await dropFiles(page, 'Your video', [...takes, beatSong(folder)]);
    await dropFiles(page, 'The look', [reel]);
    // Shots of fewer takes are shown while others are measured.
    await page.getByText(/^10 takes and a song/).waitFor();
    await shot(page, 1).waitFor();
    await page.getByText(/of the first \d+ takes/).waitFor({ state: 'detached' });
    await replanned(page);
    await page.getByRole('region', { name: 'Player' }).waitFor();

    await page.getByText('Change the look').click();
    const usual = await shots(page)
      .getByRole('button', { name: /^Shot \d+,/ })
      .count();
    await page.getByRole('slider', { name: 'Cuts' }).fill('-100');
    await page.getByText('100 calmer').waitFor();
    await shot(page, usual).waitFor({ state: 'detached' });
    await assertAccessible(page, 'dials');
    await page.getByRole('button', { name: 'Cuts as in the look' }).click();
    await shot(page, usual).waitFor();
    await page.getByRole('slider', { name: 'Warmth' }).fill('50');
    await page.getByText('50 warmer').waitFor();
    await replanned(page);

    await shot(page, 2).click();
    await page.getByRole('region', { name: 'Shot 2' }).getByRole('button', { name: 'Pin' }).click();
    await page.getByRole('button', { name: /^Shot 2,.*pinned/ }).waitFor();
    await replanned(page);
    const refused = await shot(page, 3).locator('.unseen').textContent();
    await shot(page, 3).click();
    const third = page.getByRole('region', { name: 'Shot 3' });
    await third.getByRole('button', { name: 'Not this' }).click();
    await shot(page, 3).filter({ hasNotText: refused! }).waitFor();
    await replanned(page);

    await page.getByRole('button', { name: 'Add a title' }).click();
    const title = page.getByRole('textbox', { name: 'Text of title 1' });
    await title.fill('Lisbon');
    await title.blur();
    await page.getByRole('heading', { name: /Lisbon/ }).waitFor();
    await replanned(page);
    await page.getByRole('radio', { name: 'Draft' }).check();
    await page.getByRole('button', { name: 'Render', exact: true }).click();

    const video = page.getByRole('link', { name: /^Video · / });
    await video.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), video.click()]);
    assert.equal(download.suggestedFilename(), 'Lisbon.mp4');
    assert.ok(statSync(await download.path()).size > 10_000);
    await page.getByRole('button', { name: 'Save this look' }).click();
    await page.getByRole('textbox', { name: 'Name of the look' }).fill('Warm evenings');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Warm evenings' }).click();
    await page.getByRole('button', { name: 'Use as look: Warm evenings' }).click();
    await page.getByRole('region', { name: 'The look' }).getByText('Warm evenings').first().waitFor();

    await page.getByRole('button', { name: 'New edit' }).click();
    await page.getByRole('radio', { name: 'Warm evenings' }).check({ force: true });
    await dropFiles(page, 'Your video', [talk]);
    await page.getByText('Captions from a file').click();
    const words = join(folder, 'words.srt');
    writeFileSync(words, WORDS);
    await page.locator('input[aria-label="Caption file"]').setInputFiles(words);
    await page.getByText('1 caption from a file (SRT)').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await assertFits(page, 'a saved look on a phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('radio', { name: 'Draft' }).check();
    await page.getByRole('button', { name: 'Render', exact: true }).click();
    await video.waitFor();
    await assertAccessible(page, 'the second result');
    await page.goto(`${service.baseUrl}/library?of=looks`);
    await page.getByRole('link', { name: 'Used once' }).click();
    await page.getByRole('link', { name: /talk\.mp4/ }).waitFor();
    assert.equal(await page.getByRole('link', { name: /Lisbon/ }).count(), 0);

    const client = new StyleDnaClient({ baseUrl: service.baseUrl });
    const { styles } = await client.listStyles();
    const { jobs } = await client.listJobs({ style_id: styles[0]!.style_id });
    const [second] = jobs;
    assert.deepEqual([jobs.length, second!.style_name], [1, 'Warm evenings']);
    const first = (await client.listJobs()).jobs.find(({ job_id: id }) => id !== second!.job_id)!;
    const measured = (await client.getJobResult(first.job_id)).style_json!;
    const warmer = styles[0]!.style_json.color_grade.temperature - measured.color_grade.temperature;
    assert.ok(warmer > 10, `the dial is in the saved look: ${warmer} warmer`);
  });
});
