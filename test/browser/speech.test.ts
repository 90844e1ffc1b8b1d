/** Captions from speech on the page: offered where there is an engine, and corrected on the page of the result. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { StyleDnaClient } from '../../src/client/client.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { answerWords, type SpeechEngine, startSpeechEngine } from '../support/speech-engine.ts';
import { assertAccessible, openPage } from './page.ts';

/** How the page finds out that a video has no caption file. */
const NO_CAPTIONS = /status of 404/;
const HEARD = [
  { word: 'Hallo', start: 0.2, end: 0.6 },
  { word: 'word.', start: 0.6, end: 1 },
  { word: 'Again', start: 1.2, end: 1.6 },
];

describe('captions from speech on the page', { timeout: 600_000 }, () => {
  let engine: SpeechEngine;
  let service: Service;
  let browser: Browser;
  let clip: string;
  before(async () => {
    engine = await startSpeechEngine((reply) => answerWords(reply, HEARD));
    [service, browser, clip] = await Promise.all([
      startService({ TRANSCRIPTION_URL: engine.url }),
      startBrowser(),
      makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 2 }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  test('they are offered beside the captions of the look, and the words can be corrected', async () => {
    const videoId = await uploaded(service, clip);
    const config = { quality: 'low', captions: 'transcribe', components: { audio: false } };
    await using job = await createJob(service, { video_id: videoId, style_json: CAPTIONED_STYLE, config });
    assert.equal((await job.ended()).status, 'completed');

    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${job.jobId}`);
    opened.allow(NO_CAPTIONS);
    const { page } = opened;
    await page.getByText('Correct the spoken words').click();
    const words = page.getByRole('form', { name: 'Spoken words' });
    await words.getByLabel('Words at 0:00').fill('Hello world.');
    await assertAccessible(page, 'the words of a result');
    await words.getByRole('button', { name: 'Keep these words' }).click();
    await words.getByText('Saved as the caption file').waitFor();
    const client = new StyleDnaClient({ baseUrl: service.baseUrl });
    const kept = await (await client.getCaptions(videoId)).text();
    assert.equal(
      kept,
      '1\n00:00:00,200 --> 00:00:01,000\nHello world.\n\n2\n00:00:01,200 --> 00:00:01,600\nAgain\n',
    );

    await words.getByRole('link', { name: 'Render with them' }).click();
    assert.equal(await page.getByRole('switch', { name: 'Captions from speech' }).isChecked(), true);
    await page.getByText('Captions from a file', { exact: true }).click();
    await page.getByText('2 captions from a file (SRT)').waitFor();
  });

  test('they are not offered without an engine', async () => {
    await using other = await startService({ WORKER_CONCURRENCY: '0' });
    await using job = await createJob(other, { video_id: await uploaded(other, clip), preset: 'noir' });
    await using opened = await openPage(browser, `${other.baseUrl}/?from=${job.jobId}`);
    opened.allow(NO_CAPTIONS);
    const { page } = opened;
    await page.getByRole('switch', { name: 'Captions as in the look' }).waitFor();
    assert.equal(await page.getByRole('switch', { name: 'Captions from speech' }).count(), 0);
  });
});
