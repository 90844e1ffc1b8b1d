import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, openPage, shiftOf, THEMES } from './page.ts';

const JOBS = 1000;
const AT_ONCE = 20;
/** While a thousand are scrolled through. Seen: 72 ms under a load of 16 on two cores, 211 ms under 22. */
const LONGEST_TASK_MS = 500;

/** Nothing works here: every job stays as it was put. */
describe('the library', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;

  before(async () => {
    [service, browser] = await Promise.all([startService({ WORKER_CONCURRENCY: '0' }), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const open = (path: string, options = {}) => openPage(browser, `${service.baseUrl}${path}`, options);
  const totalOf = async (list: string) =>
    (await call(service.baseUrl, 'GET', `/api/v1/${list}?page_size=1`)).body.data.total as number;

  test('an empty library shows what to do first', async () => {
    await using opened = await open('/library');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Nothing was made yet' }).waitFor();
    await assertAccessible(page, 'empty');
    await page.getByRole('link', { name: 'Videos' }).click();
    await page.getByRole('heading', { name: 'No videos yet' }).waitFor();
    await page.getByRole('link', { name: 'Add a video' }).click();
    await page.getByRole('button', { name: 'Choose files' }).first().waitFor();
  });

  test('videos are deleted, had back within ten seconds, and used again', async () => {
    for (const name of ['first', 'second', 'third'])
      await uploaded(service, await makeClip(folder, { name, durationSeconds: 1 }));
    await using opened = await open('/library?of=videos');
    const { page } = opened;
    const card = (name: string) => page.getByRole('listitem').filter({ hasText: `${name}.mp4` });
    await page.getByRole('checkbox', { name: 'Select first.mp4' }).check();
    await page.getByRole('checkbox', { name: 'Select second.mp4' }).check();
    await page.getByText('2 videos selected').waitFor();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 videos are deleted').waitFor();
    assert.equal(await page.getByRole('listitem').count(), 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await card('second').waitFor();
    assert.equal(await totalOf('videos'), 3, 'nothing had happened yet');

    // The page that goes away leaves no order behind.
    await page.getByRole('checkbox', { name: 'Select first.mp4' }).check();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
    await page.goto('about:blank');
    await until(async () => (await totalOf('videos')) === 2);

    // Nor does one who waits.
    await page.goto(`${service.baseUrl}/library?of=videos`);
    await page.getByRole('checkbox', { name: 'Select second.mp4' }).check();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('second.mp4 is deleted').waitFor();
    await until(async () => (await totalOf('videos')) === 1);
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Use as look: third.mp4' }).click();
    await page.getByRole('region', { name: 'The look' }).getByText('third.mp4').first().waitFor();
  });

  test('a thousand jobs are scrolled through without a jerk, found by state and by name', async () => {
    const videoId = await uploaded(service, await makeClip(folder, { name: 'of-all', durationSeconds: 1 }));
    const other = await uploaded(service, await makeClip(folder, { name: 'of-one', durationSeconds: 1 }));
    const create = (video_id: string) =>
      call(service.baseUrl, 'POST', '/api/v1/jobs', { json: { video_id } });
    const one = (await create(other)).body.data.job_id as string;
    await call(service.baseUrl, 'POST', `/api/v1/jobs/${one}/cancel`);
    for (let made = 0; made < JOBS; made += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => create(videoId)));

    await using opened = await open('/library');
    const { page } = opened;
    await page.getByRole('listitem').first().waitFor();
    await page.evaluate(noteLongTasks);
    await scrollToEnd(page, JOBS + 1);
    assert.ok((await longestTask(page)) < LONGEST_TASK_MS, `a task of ${await longestTask(page)} ms`);
    assert.ok((await shiftOf(page)) < 0.01, 'nothing jumps');

    await page.getByRole('radio', { name: 'Cancelled' }).check();
    await page.getByRole('link', { name: /of-one\.mp4/ }).waitFor();
    await until(async () => (await page.getByRole('listitem').count()) === 1);
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByRole('searchbox', { name: 'Name' }).fill('OF-ONE');
    await until(async () => (await page.getByRole('listitem').count()) === 1);
    await page.getByRole('searchbox', { name: 'Name' }).fill('of-none');
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await page.getByRole('searchbox', { name: 'Name' }).fill('of-one');
    await until(async () => new URL(page.url()).search === '?q=of-one');
    await page.reload();
    assert.equal(await page.getByRole('searchbox', { name: 'Name' }).inputValue(), 'of-one');
    await page.getByRole('link', { name: /of-one\.mp4/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('It was stopped').waitFor();
  });

  // After an error of the service the user repeats the request, after an outage the page does.
  for (const [status, who] of [
    [500, 'can be requested again'],
    [502, 'is requested again when the service is back'],
  ] as const)
    test(`a page that fails to load with ${status} is reported in its place, and ${who}`, async () => {
      await using opened = await open('/library');
      const { page } = opened;
      opened.allow(new RegExp(`status of ${status}`));
      // While the health endpoint answers, the page repeats failed requests every two seconds, and the notice disappears each time.
      const failing = status === 502 ? /\bcursor=|\/health$/ : /\bcursor=/;
      await page.route(failing, (route) => route.fulfill({ status, body: 'failed' }));
      await page.getByRole('listitem').first().waitFor();
      const seen = await page.getByRole('listitem').count();
      const again = page.getByRole('button', { name: 'Try again' });
      await until(async () => {
        await page.mouse.wheel(0, 6000);
        return again.isVisible();
      });
      const last = await page.getByRole('listitem').last().boundingBox();
      assert.ok((await again.boundingBox())!.y > last!.y, 'it is below the last card');
      assert.equal(await page.getByRole('listitem').count(), seen, 'what is there stays');
      await page.unroute(failing);
      if (status === 500) await again.click();
      await until(async () => (await page.getByRole('listitem').count()) > seen);
      assert.equal(await again.count(), 0);
    });

  test('results are found by their look, of a template and of a preset, over a reload', async () => {
    const [one, other] = [
      await uploaded(service, await makeClip(folder, { name: 'plain', durationSeconds: 1 })),
      await uploaded(service, await makeClip(folder, { name: 'trailer', durationSeconds: 1 })),
    ];
    for (const json of [
      { video_id: one, template_video_id: other },
      { video_id: one, preset: 'noir' },
      { video_id: other, preset: 'noir' },
    ])
      await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
    await using opened = await open('/library');
    const { page } = opened;
    const count = (wanted: number) =>
      until(async () => (await page.getByRole('listitem').count()) === wanted);
    await page.getByText('In the style of trailer.mp4').getByRole('link').first().click();
    await count(1);
    await page.reload();
    await count(1);
    await page.getByRole('button', { name: /^In the style of trailer\.mp4/ }).click();
    await page.getByText('In the style of Noir').getByRole('link').first().click();
    await count(2);
    await page.getByRole('radio', { name: 'Failed' }).check();
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await page.reload();
    assert.ok(await page.getByRole('radio', { name: 'Failed' }).isChecked());
    await assertAccessible(page, 'by look');
    await page.getByRole('button', { name: /^In the style of Noir/ }).click();
    assert.equal(new URL(page.url()).search, '?state=failed');
  });

  for (const theme of THEMES) {
    test(`it is for everybody and fits a phone: ${theme}`, async () => {
      for (const width of theme === 'light' ? [390, 1280] : [390]) {
        await using opened = await open('/library', { theme, width });
        const { page } = opened;
        await page.getByRole('listitem').first().waitFor();
        await assertAccessible(page, `jobs, ${width} px`);
        await assertFits(page, `jobs, ${width} px`);
        await page.getByRole('link', { name: 'Videos' }).click();
        await page.getByRole('checkbox').first().check();
        await page.getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('checkbox').first().check();
        await assertAccessible(page, `videos, selected and deleted, ${width} px`);
        await assertFits(page, `videos, ${width} px`);
        await page.getByRole('button', { name: 'Undo' }).click();
      }
    });
  }
});

/** Scrolls until there are so many cards, while new ones appear. */
async function scrollToEnd(page: Page, count: number): Promise<void> {
  const MOST_TRIES_WITHOUT_ANY = 200;
  let seen = 0;
  for (let tries = 0; tries < MOST_TRIES_WITHOUT_ANY; tries++) {
    await page.mouse.wheel(0, 6000);
    await page.waitForTimeout(100);
    const there = await page.getByRole('listitem').count();
    if (there === count) return;
    if (there > seen) tries = 0;
    seen = there;
  }
  assert.equal(await page.getByRole('listitem').count(), count);
}

function noteLongTasks(): void {
  const noted = globalThis as unknown as { longest: number };
  noted.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.longest = Math.max(noted.longest, duration);
  }).observe({ entryTypes: ['longtask'] as never });
}

function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('it did not come to be');
}
