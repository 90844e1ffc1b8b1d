import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, openPage } from './page.ts';

describe('the job of an edit of takes', { timeout: 200_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let jobId: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const [first, second, template] = await Promise.all(
      ['beach', 'harbor', 'reel'].map(async (name) =>
        uploaded(service, await makeClip(folder, { name, durationSeconds: 4 })),
      ),
    );
    await using job = await createJob(service, {
      ...{ video_id: first!, template_video_id: template!, config: { quality: 'low' } },
      edit: { takes: [{ video_id: second! }] },
    });
    const { status } = await job.ended();
    assert.equal(status, 'completed');
    jobId = job.jobId;
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('its shots are places to jump to, with the take and the reason of each', async () => {
    const { edit } = (await (await fetch(`${service.baseUrl}/api/v1/jobs/${jobId}/result`)).json()).data;
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'beach.mp4 and 1 more' }).waitFor();
    const done = page.getByRole('region', { name: 'What was done' });
    await done.getByText(/^\d+ shots? of /).waitFor();
    const shots = done.getByRole('listitem');
    assert.equal(await shots.count(), edit.slots.length);
    const last = edit.slots.at(-1);
    await shots
      .last()
      .getByText(/^(beach|harbor)\.mp4 from /)
      .waitFor();
    await shots.last().getByRole('button').click();
    await page.waitForFunction(
      (at) => Math.abs((document.querySelector('video')?.currentTime ?? -1) - at) < 0.1,
      last.start_seconds,
    );
    await page.getByRole('region', { name: 'For your editor' }).getByText('with 2 takes:').waitFor();
  });

  test('it is for everybody, and fits a phone', async () => {
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`, { width: 390 });
    await opened.page.getByRole('region', { name: 'What was done' }).waitFor();
    await assertFits(opened.page, 'the job of an edit');
    await assertAccessible(opened.page, 'the job of an edit');
  });
});
