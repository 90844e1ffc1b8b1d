/** The preview of one video becomes a player as soon as the plan and the proxy are there. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, dropFiles, openPage } from './page.ts';

const PATIENCE_MS = 90_000;

describe('the player on the place where things are made', { timeout: 600_000 }, () => {
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

  test('the video is played in the look, steps by keys, and follows the settings', async () => {
    const draw = drawNumber(320, 180);
    const clip = await makeClip(folder, { name: 'played', durationSeconds: 4, draw });
    const look = await makeClip(folder, { name: 'look', durationSeconds: 5, draw });
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await dropFiles(page, 'Your video', [clip]);
    await dropFiles(page, 'The look', [look]);
    const player = page.getByRole('region', { name: 'Player' });
    await player.getByRole('button', { name: 'Play' }).waitFor({ timeout: PATIENCE_MS });
    await player.getByText('Loading the picture').waitFor({ state: 'detached' });
    await assertAccessible(page, 'with the player');
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await assertFits(page, `${width} px`);
    }
    const position = player.getByRole('slider', { name: 'Position' });
    await position.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.equal(await position.inputValue(), '2');
    await player.getByRole('button', { name: 'Play' }).click();
    await player.getByRole('button', { name: 'Pause' }).click();
    assert.ok(Number(await position.inputValue()) >= 2);
    await player.getByRole('radio', { name: 'After' }).check();
    assert.equal(await player.getByRole('slider', { name: /line between/i }).count(), 0);
    assert.equal(await page.getByText('Drag the line to compare').count(), 0, 'a hint at no line');
    await page.getByRole('slider', { name: 'Strength' }).first().press('Home');
    await player.getByRole('button', { name: 'Play' }).waitFor();
    await page.getByText('Drawing', { exact: true }).waitFor({ state: 'detached' });
  });

  test('edited words of a caption file are in the player at once', async (t) => {
    const draw = drawNumber(320, 180);
    const clip = await makeClip(folder, { name: 'captioned', durationSeconds: 4, draw });
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(/status of 404/);
    const plans: { readonly videoId: string; readonly text: string }[] = [];
    await page.route('**/api/v1/previews', async (route) => {
      // The page leaves requests that a newer one replaces.
      const answer = await route.fetch().catch(() => null);
      if (answer === null) return;
      const { video_id: videoId } = JSON.parse(route.request().postData()!);
      const text = await answer.text();
      await route.fulfill({ response: answer, body: text }).catch(() => undefined);
      plans.push({ videoId, text });
    });
    const planned = (words: string) =>
      waitFor(`a plan with ${words}`, () => plans.some(({ text }) => text.includes(words)), PATIENCE_MS, 20);
    await dropFiles(page, 'Your video', [clip]);
    await page.getByRole('radio', { name: 'Noir' }).check({ force: true });
    const player = page.getByRole('region', { name: 'Player' });
    await player.getByRole('button', { name: 'Play' }).waitFor({ timeout: PATIENCE_MS });
    await page.getByText('Captions from a file', { exact: true }).click();
    await page.locator('input[aria-label="Caption file"]').setInputFiles({
      ...{ name: 'words.srt', mimeType: 'application/x-subrip' },
      buffer: Buffer.from('1\n00:00:00,200 --> 00:00:03,800\nFlower\n'),
    });
    await planned('Flower');
    await page.getByText('Edit the words').click();
    const start = performance.now();
    await page.getByLabel('Words at 0:00').fill('Rose');
    await planned('Rose');
    t.diagnostic(`in the plan after ${Math.round(performance.now() - start)} ms`);
    const { videoId } = plans.at(-1)!;
    const stored = async () =>
      await (await fetch(`${service.baseUrl}/api/v1/videos/${videoId}/captions`)).text();
    assert.equal(await stored(), '1\n00:00:00,200 --> 00:00:03,800\nRose\n');
    await assertAccessible(page, 'with the words of a file');
    await page.getByLabel('Words at 0:00').fill('Peony');
    await page.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('link', { name: 'Make', exact: true }).click();
    await page.getByText('Captions from a file', { exact: true }).click();
    await page.getByText('Edit the words').click();
    await page.getByLabel('Words at 0:00').waitFor();
    assert.equal(await page.getByLabel('Words at 0:00').inputValue(), 'Peony', 'the editor opened again');
    await page.getByLabel('Words at 0:00').fill('Lily');
    await page.goto('about:blank');
    await waitFor(
      'the words typed just before the page was left',
      async () => (await stored()).includes('Lily'),
      PATIENCE_MS,
      20,
    );
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
