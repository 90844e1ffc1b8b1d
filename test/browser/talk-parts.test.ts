/** Parts of a talk on the page of its result: each with its reason; another result has the ones that a person restores. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { StyleDnaClient } from '../../src/client/client.ts';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { answerWords, type SpeechEngine, startSpeechEngine } from '../support/speech-engine.ts';
import { assertAccessible, assertFits, FRAME_GONE, openPage, THEMES } from './page.ts';

const REMOVED = [
  [1, 1.6],
  [3, 4],
];

/** How the page finds out that a video has no caption file. */
const NO_CAPTIONS = /status of 404/;
const HEARD = [
  { word: 'Good', start: 0.2, end: 0.5 },
  { word: 'morning.', start: 0.5, end: 0.9 },
  { word: 'So', start: 1.1, end: 1.4 },
  { word: 'this', start: 3.1, end: 3.4 },
  { word: 'is', start: 3.4, end: 3.6 },
  { word: 'it.', start: 3.6, end: 3.9 },
  { word: 'Bye.', start: 4.6, end: 4.9 },
];

describe('parts of a talk on the page', { timeout: 600_000 }, () => {
  let engine: SpeechEngine;
  let service: Service;
  let browser: Browser;
  let jobId: string;
  before(async () => {
    engine = await startSpeechEngine((reply) => answerWords(reply, HEARD));
    [service, browser] = await Promise.all([startService({ TRANSCRIPTION_URL: engine.url }), startBrowser()]);
    const clip = await makeClip(temporaryFolder(), { name: 'talk', durationSeconds: 6 });
    await using job = await createJob(service, {
      video_id: await uploaded(service, clip),
      preset: 'noir',
      config: { quality: 'low', captions: 'transcribe', talk: { mode: 'off', remove: REMOVED } },
    });
    assert.equal((await job.ended()).status, 'completed');
    ({ jobId } = job);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  for (const [at, width] of [360, 768, 1280].entries())
    test(`fit and are accessible, ${width} pixels wide`, async () => {
      const options = { width, theme: THEMES[at]! };
      await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`, options);
      opened.allow(FRAME_GONE);
      opened.allow(NO_CAPTIONS);
      const { page } = opened;
      await page.getByText('Parts of the talk').click();
      await page.getByRole('switch').first().waitFor();
      await page.getByText('1.6 s left out').waitFor();
      const words = page.getByRole('list', { name: 'What was said' }).getByRole('listitem');
      await words.first().waitFor();
      assert.deepEqual(await words.allTextContents(), ['Good morning.', 'So', 'this is it.', 'Bye.']);
      await assertAccessible(page, 'parts of a talk');
      await assertFits(page, 'parts of a talk');
      const folder = process.env['TEST_PICTURES'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/talk-${width}.png`, fullPage: true });
    });

  test('are played with and without them, and stop by the same key', async () => {
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`);
    opened.allow(FRAME_GONE);
    opened.allow(NO_CAPTIONS);
    const { page } = opened;
    await page.getByText('Parts of the talk').click();
    const parts = page.getByRole('region', { name: 'Parts of the talk' });
    const play = parts.getByRole('button', { name: 'Play with and without: Requested at 0:03.0' });
    await play.press('Enter');
    await parts.getByText('With this part').waitFor();
    assert.equal(await play.getAttribute('aria-pressed'), 'true');
    await assertAccessible(page, 'a played part');
    const folder = process.env['TEST_PICTURES'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/talk-played.png`, fullPage: true });
    await parts.getByText('Without it').waitFor();
    assert.ok(await parts.getByLabel('The result').isVisible());
    await play.press('Enter');
    await parts.getByText('Without it').waitFor({ state: 'detached' });
    assert.equal(await parts.getByLabel('The result').isVisible(), false);
  });

  test('are restored in another result', async () => {
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`);
    opened.allow(FRAME_GONE);
    opened.allow(NO_CAPTIONS);
    const { page } = opened;
    await page.getByText('Parts of the talk').click();
    const render = page.getByRole('button', { name: 'Render with these changes' });
    assert.equal(await render.isDisabled(), true);
    await page.getByRole('button', { name: /^0:03\.0 ?Requested/ }).click();
    // The join is at 2.4 s of the result.
    await page
      .getByText(/^0:01\.4/)
      .first()
      .waitFor();
    await page.getByRole('switch', { name: 'Leave out' }).nth(1).press(' ');
    await render.click();
    await page.waitForURL((url) => !url.pathname.endsWith(jobId));
    const client = new StyleDnaClient({ baseUrl: service.baseUrl });
    const { config, preset } = await client.getJob(new URL(page.url()).pathname.split('/').at(-1)!);
    assert.deepEqual(config?.['talk'], { mode: 'off', keep: [], remove: [[1, 1.6]] });
    assert.equal(preset, 'noir');
  });
});
