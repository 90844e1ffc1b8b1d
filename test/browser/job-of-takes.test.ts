import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { startBrowser } from '../support/chromium.ts';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, openPage } from './page.ts';
import { framesShown, settled, showBeside } from './shown-frames.ts';

/** Frames of the second take are numbered from here. */
const NUMBERS_PER_TAKE = 200;
const FRAMES_PER_SECOND = 25;
/** The numbers of the frames are read back. */
const PLAIN = {
  ...{ color: false, motion: false, transitions: false, aspect_ratio: false, frame_rate: false },
  // A closer second camera would cut the numbers off.
  pacing: false,
};
const draw = drawNumber(320, 180);

describe('the job of an edit of takes', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let jobId: string;
  let takeIds: string[];
  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const [first, second, template] = await Promise.all(
      ['beach', 'harbor', 'reel'].map(async (name, take) =>
        uploaded(
          service,
          await makeClip(folder, {
            ...{ name, durationSeconds: 4 },
            draw: (rgb, seconds, index) => draw(rgb, seconds, index + take * NUMBERS_PER_TAKE),
          }),
        ),
      ),
    );
    takeIds = [first!, second!];
    await using job = await createJob(service, {
      ...{ video_id: first!, template_video_id: template!, config: { quality: 'low', components: PLAIN } },
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
    await page.getByRole('heading', { name: 'Reel of 2 takes' }).waitFor();
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

  test('before shows the takes in their shots, at the frames that the timeline names', async () => {
    const answer = await fetch(`${service.baseUrl}/api/v1/jobs/${jobId}/timeline`);
    const timeline: Timeline = (await answer.json()).data.timeline;
    const { takes } = (await (await fetch(`${service.baseUrl}/api/v1/jobs/${jobId}/timeline`)).json()).data;
    assert.deepEqual(
      takes.map(({ video_id }: { video_id: string }) => video_id),
      takeIds,
    );
    const schedule = new FrameSchedule(timeline);
    const numberAt = (frame: number) => {
      const { clipIndex, sourceSeconds } = schedule.at(frame).first;
      const number = Math.floor(sourceSeconds * FRAMES_PER_SECOND + 0.1);
      return number + timeline.clips[clipIndex]!.take * NUMBERS_PER_TAKE;
    };
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`);
    const { page } = opened;
    await showBeside(page);
    await settled(page, numberAt(0));
    const shots = page
      .getByRole('region', { name: 'What was done' })
      .getByRole('listitem')
      .getByRole('button');
    for (const [index, { startFrame }] of schedule.visible.entries()) {
      await shots.nth(index).click();
      await settled(page, numberAt(startFrame));
      await page.getByRole('region', { name: 'Player' }).getByRole('slider', { name: 'Position' }).focus();
      await page.keyboard.press('ArrowRight');
      await settled(page, numberAt(startFrame + 1));
    }
    assert.equal((await framesShown(page)).length, 2);
  });

  test('it is for everybody, and fits a phone', async () => {
    await using opened = await openPage(browser, `${service.baseUrl}/jobs/${jobId}`, { width: 390 });
    await opened.page.getByRole('region', { name: 'What was done' }).waitFor();
    await assertFits(opened.page, 'the job of an edit');
    await assertAccessible(opened.page, 'the job of an edit');
  });
});
