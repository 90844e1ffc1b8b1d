import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { errorTextOfCode } from '../../web/src/words/error-text.ts';
import { startBrowser } from '../support/chromium.ts';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, rottenVideo, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, FRAME_GONE, openPage, shiftOf, THEMES } from './page.ts';
import { framesShown, readShown, settled, showBeside, showBoth } from './shown-frames.ts';

const SECONDS = 4;
/** Nothing but the numbers that the frames carry is to be changed: they are read back. */
const PLAIN = {
  quality: 'low',
  style_strength: 0,
  comparison: true,
  components: { aspect_ratio: false, frame_rate: false },
};

describe('the place of a job', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let finishedId: string;
  let longId: string;

  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const path = await makeClip(folder, {
      name: 'numbered',
      durationSeconds: SECONDS,
      draw: drawNumber(320, 180),
    });
    const videoId = await uploaded(service, path);
    longId = await uploaded(service, await makeClip(folder, { name: 'long', durationSeconds: 10 }));
    await using job = await createJob(service, { video_id: videoId, config: PLAIN });
    finishedId = job.jobId;
    await job.ended();
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const open = (jobId: string, options = {}) =>
    openPage(browser, `${service.baseUrl}/jobs/${jobId}`, options);

  test('before and after show the same frame, playing or stepping, and continue where the result was', async () => {
    await using opened = await open(finishedId);
    const { page } = opened;
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await settled(page, 0);
    for (let frame = 1; frame <= 3; frame++) {
      await page.keyboard.press('ArrowRight');
      await settled(page, frame);
    }
    await showBeside(page);
    await settled(page, 3);
    assert.equal((await framesShown(page)).length, 2);
    await page.keyboard.press('ArrowLeft');
    await settled(page, 2);
    await page.keyboard.press(' ');
    const pairs = await page.evaluate(readShown, 1500);
    for (const [one, other] of pairs) assert.equal(one, other);
    assert.ok(new Set(pairs.map(([one]) => one)).size > 5, 'it plays');
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const [paused] = await framesShown(page);
    // The result alone is shown again at the same frame.
    await page.keyboard.press('b');
    await page.getByRole('radio', { name: 'Slider' }).waitFor({ state: 'detached' });
    await settled(page, paused!);
    assert.equal((await framesShown(page)).length, 1);
  });

  test('nothing is made for before and after until they are requested', async () => {
    const clip = await makeClip(folder, { name: 'quiet', durationSeconds: 1, draw: drawNumber(160, 90) });
    await using job = await createJob(service, { video_id: await uploaded(service, clip), config: PLAIN });
    const { video_id } = await job.ended();
    await using opened = await open(job.jobId);
    const { page } = opened;
    await page.getByRole('button', { name: 'Before and after' }).waitFor();
    const proxy = `${service.baseUrl}/api/v1/videos/${video_id}/proxy`;
    assert.equal((await fetch(proxy)).status, 404);
    await page.getByRole('button', { name: 'Before and after' }).click();
    await page.getByText('Preparing before and after').waitFor();
    await page.getByText('Preparing before and after').waitFor({ state: 'detached', timeout: 60_000 });
    assert.equal((await fetch(proxy)).status, 200);
  });

  test('a job whose video was deleted shows the result alone, and says why', async () => {
    const clip = await makeClip(folder, { name: 'deleted', durationSeconds: 1, draw: drawNumber(160, 90) });
    const videoId = await uploaded(service, clip);
    await using job = await createJob(service, { video_id: videoId, config: PLAIN });
    await job.ended();
    assert.equal(
      (await fetch(`${service.baseUrl}/api/v1/videos/${videoId}`, { method: 'DELETE' })).status,
      200,
    );
    await using opened = await open(job.jobId);
    const { page } = opened;
    opened.allow(/status of 404/);
    await page.getByText('No before and after: the original video was deleted.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Before and after' }).count(), 0);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('keys choose the view, move the line and show themselves', async () => {
    await using opened = await open(finishedId);
    const { page } = opened;
    await showBoth(page);
    const line = page.getByRole('slider', { name: /line between/i });
    await line.waitFor();
    await page.keyboard.press(']');
    assert.equal(await line.inputValue(), '0.55');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    assert.equal(await line.inputValue(), '0.45');
    await page.keyboard.press('3');
    assert.equal(await page.getByRole('img', { name: 'Your video', exact: true }).count(), 1);
    assert.equal(await page.getByRole('img', { name: 'The result' }).count(), 0);
    await page.keyboard.press('4');
    assert.equal(await page.getByRole('radio', { name: 'After', exact: true }).isChecked(), true);
    assert.equal(await page.getByRole('img', { name: 'The result' }).count(), 1);
    await page.keyboard.press('?');
    await page.getByText('One frame back or forward').waitFor();
    // A key of a control has no other effect.
    await page.getByRole('button', { name: 'Sound off' }).focus();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Sound on' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0);
    await page.getByRole('radio', { name: 'Sound before' }).check();
  });

  test('files have plain names, the video first', async () => {
    await using opened = await open(finishedId);
    const { page } = opened;
    const downloads = page.getByRole('region', { name: 'More downloads' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Video · \d/ }).click(),
    ]);
    assert.equal(download.suggestedFilename(), await nameGiven(download.url()));
    for (const name of [/^Style DNA/, /^Before and after/, /^Poster/])
      assert.match((await downloads.getByRole('link', { name }).getAttribute('href'))!, /download=1$/);
    assert.match(await page.title(), /^Done · numbered\.mp4/);
    await page.getByRole('link', { name: 'Again with changes' }).click();
    await page.getByRole('region', { name: 'Your video' }).getByText('numbered.mp4').first().waitFor();
  });

  test('timelines have a line for each program, named by the video', async () => {
    await using opened = await open(finishedId);
    const { page } = opened;
    const forEditors = page.getByRole('region', { name: 'For your editor' });
    await forEditors.getByText('with numbered.mp4').waitFor();
    const files = forEditors.getByRole('listitem');
    // At strength 0 there is no LUT.
    for (const [file, programs] of [
      ['Timeline (OTIO)', ['DaVinci Resolve', 'Kdenlive']],
      ['Timeline (Final Cut XML)', ['Premiere Pro', 'DaVinci Resolve', 'Final Cut Pro']],
    ] as const) {
      const item = files.filter({ hasText: file });
      assert.deepEqual(await item.getByRole('term').allTextContents(), programs);
      const address = (await item.getByRole('link', { name: /\d (bytes|kB|MB)$/ }).getAttribute('href'))!;
      assert.match((await nameGiven(new URL(address, page.url()).href))!, /^numbered-timeline\.(otio|xml)$/);
    }
  });

  test('a failed job shows what to do, and a retry has a page of its own', async () => {
    const rotten = await rottenVideo(service, await makeClip(folder, { name: 'rotten' }));
    await using job = await createJob(service, { video_id: rotten });
    const { error } = await job.ended();
    const { title } = errorTextOfCode(error.code, null);
    await using opened = await open(job.jobId);
    const { page } = opened;
    // While it is tried again there is no picture of it.
    opened.allow(/status of 422/);
    await page.getByRole('alert').getByText(title).waitFor();
    assert.match(await page.title(), /^Failed/);
    await assertAccessible(page, 'failed');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(job.jobId));
    await page.getByRole('alert').getByText(title).waitFor();
  });

  test('it is cancelled at its place', async () => {
    await using job = await createJob(service, { video_id: longId });
    await using opened = await open(job.jobId);
    const { page } = opened;
    opened.allow(FRAME_GONE);
    await page.getByRole('list', { name: 'Stages' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('It was stopped').waitFor();
    assert.equal((await job.ended()).status, 'cancelled');
    assert.match(await page.title(), /^Cancelled/);
    await assertAccessible(page, 'cancelled');
  });

  test('the page waits for a restarting service, and the job continues where it was', async () => {
    await using job = await createJob(service, { video_id: longId });
    await using opened = await open(job.jobId);
    const { page } = opened;
    opened.allow(/ERR_|status of (404|409|503)/);
    await page.getByText(/^\d+ %$/).waitFor();
    await service.kill();
    await page.getByText(/^Reconnecting\. /).waitFor();
    await assertAccessible(page, 'reconnecting');
    await service.restart();
    await page.getByText(/^Reconnecting\. /).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Video · / }).waitFor({ timeout: 60_000 });
  });

  test('a missing job is reported', async () => {
    await using opened = await open('01900000-0000-7000-8000-000000000000');
    // The picture of the video that has rotted.
    opened.allow(/status of (404|422)/);
    await opened.page.getByRole('alert').getByText('This job does not exist').waitFor();
    await assertAccessible(opened.page, 'not there');
    await opened.page.getByRole('link', { name: 'Look in the library' }).click();
    await opened.page.getByRole('heading', { name: 'Library' }).waitFor();
  });

  for (const theme of THEMES) {
    test(`done, it is for everybody and fits a phone: ${theme}`, async () => {
      await using opened = await open(finishedId, { theme, width: 390 });
      const { page } = opened;
      await page.getByRole('button', { name: 'Play' }).waitFor();
      await assertAccessible(page, 'done, the result alone');
      await showBoth(page);
      await page.getByRole('button', { name: 'Keys' }).click();
      for (const key of ['1', '2', '3']) {
        await page.keyboard.press(key);
        await assertAccessible(page, `done, view ${key}`);
        await assertFits(page, `done, view ${key}`);
      }
      assert.ok((await shiftOf(page)) < 0.01, 'nothing jumps');
    });
  }
});

/** As the service names the file: an address contains less. */
async function nameGiven(address: string): Promise<string | undefined> {
  const { headers } = await fetch(address, { method: 'HEAD' });
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
}
