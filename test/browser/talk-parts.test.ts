/** Parts of a talk on the page of its result: each with its reason; another result has the ones that a person restores. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { StyleDnaClient } from '../../src/client/client.ts';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, FRAME_GONE, openPage, THEMES } from './page.ts';

const REMOVED = [
  [1, 1.6],
  [3, 4],
];

describe('parts of a talk on the page', { timeout: 600_000 }, () => {
  let service: Service;
  let browser: Browser;
  let jobId: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const clip = await makeClip(temporaryFolder(), { name: 'talk', durationSeconds: 6 });
    await using job = await createJob(service, {
      video_id: await uploaded(service, clip),
      preset: 'noir',
      config: { quality: 'low', talk: { mode: 'off', remove: REMOVED } },
    });
    assert.equal((await job.ended()).status, 'completed');
    ({ jobId } = job);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  for (const [at, width] of [360, 768, 1280].entries())
    test(`fit and are accessible, ${width} pixels wide`, async () => {
      const options = { width, theme: THEMES[at]! };
      await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`, options);
      opened.allow(FRAME_GONE);
      const { page } = opened;
      await page.getByText('Parts of the talk').click();
      await page.getByRole('switch').first().waitFor();
      await page.getByText('1.6 s left out').waitFor();
      await assertAccessible(page, 'parts of a talk');
      await assertFits(page, 'parts of a talk');
      const folder = process.env['TEST_PICTURES'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/talk-${width}.png`, fullPage: true });
    });

  test('are restored in another result', async () => {
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`);
    opened.allow(FRAME_GONE);
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
