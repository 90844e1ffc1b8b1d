import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, openPage } from './page.ts';

/** Videos and results are stored for 17 s. */
const RETENTION_DAYS = '0.0002';

describe('expired files', { timeout: 600_000 }, () => {
  let service: Service;
  let browser: Browser;
  let videoId: string;
  let jobId: string;

  before(async () => {
    [service, browser] = await Promise.all([startService({ RETENTION_DAYS }), startBrowser()]);
    videoId = await uploaded(
      service,
      await makeClip(temporaryFolder(), { name: 'gone', durationSeconds: 1 }),
    );
    await using job = await createJob(service, { video_id: videoId });
    jobId = job.jobId;
    assert.equal((await job.ended()).status, 'completed');
    for (const path of [`videos/${videoId}`, `jobs/${jobId}/output`])
      while ((await fetch(`${service.baseUrl}/api/v1/${path}`)).status !== 410) await sleep(500);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('an expired result is explained, with the next step', async () => {
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`);
    const { page } = opened;
    opened.allow(/status of 410/);
    await page.getByRole('alert').getByText('This result has expired').waitFor();
    await page.getByRole('link', { name: 'Again with changes' }).waitFor();
    await assertAccessible(page, 'expired');
  });

  test('an expired chosen video is explained and removed', async () => {
    await using opened = await openPage(browser, `${service.baseUrl}/?from=${jobId}`);
    const { page } = opened;
    opened.allow(/status of 410/);
    const well = page.getByRole('region', { name: 'Your video' });
    await well.getByText('This video has expired').waitFor();
    await assertAccessible(page, 'the video expired');
    await well.getByRole('button', { name: 'Take it out' }).click();
    await well.getByRole('button', { name: 'Choose files' }).waitFor();
  });
});
