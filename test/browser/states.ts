/** Every state of the page that was designed, and how to get there. */
import type { BrowserContext, Page } from 'playwright-core';
import { StyleDnaClient } from '../../src/client/client.ts';
import { STAGE_NAMES, type StageName } from '../../src/domain/stage.ts';
import { call } from '../support/client.ts';
import { createJob, type RunningJob, uploaded } from '../support/running-job.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { dropFiles } from './page.ts';
import { standingStill, type World } from './world.ts';

export interface State {
  readonly name: string;
  /** Shows the state to `look`. Suspended processes continue afterwards. */
  readonly show: (world: World, open: Open, look: Look) => Promise<void>;
}

export type Open = (
  address: string,
  prepare?: (page: Page, context: BrowserContext) => Promise<void>,
) => Promise<{ readonly page: Page; readonly context: BrowserContext }>;
type Look = (page: Page) => Promise<void>;

const PATIENCE_MS = 120_000;
const JOBS = 1000;
const AT_ONCE = 20;
/** Bytes a second: an upload of five megabytes takes its time. */
const SLOW = 60_000;
/** The browser reports a broken connection only when delayed data would have been sent. */
const BREAKABLE = 400_000;

const well = (page: Page, name: string) => page.getByRole('region', { name });
const choose = (page: Page, place: string, path: string) =>
  well(page, place).locator('input[type=file]').setInputFiles(path);

/** A state that is reached by going to an address and waiting for words there. */
function place(
  name: string,
  address: (world: World) => string,
  reach: (page: Page) => Promise<unknown>,
): State {
  return {
    name,
    show: async (world, open, look) => {
      const { page } = await open(address(world));
      await reach(page);
      await look(page);
    },
  };
}

const seen = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor();
const jobAt = (id: (world: World) => string) => (world: World) =>
  `${world.working.baseUrl}/jobs/${id(world)}`;

/** With the video, the look and the preview there. */
async function ready(world: World, open: Open): Promise<Page> {
  const { page } = await open(world.working.baseUrl);
  page.setDefaultTimeout(PATIENCE_MS);
  await choose(page, 'Your video', world.files.source);
  await choose(page, 'The look', world.files.look);
  await page.getByText('Drag the line to compare').waitFor();
  await page.getByRole('region', { name: 'The style' }).waitFor();
  return page;
}

/** With takes, a song and a look there, and their plan. */
async function planned(
  world: World,
  open: Open,
  {
    takes = world.takes,
    look = world.files.look,
    baseUrl = world.working.baseUrl,
  }: { readonly takes?: readonly string[]; readonly look?: string; readonly baseUrl?: string } = {},
): Promise<Page> {
  const { page } = await open(baseUrl);
  page.setDefaultTimeout(PATIENCE_MS);
  const files = [...takes, world.files.song];
  await well(page, 'Your video').locator('input[type=file]').setInputFiles(files);
  await choose(page, 'The look', look);
  await page.getByRole('button', { name: /^Shot 1,/ }).waitFor();
  return page;
}

/** Until a piece has arrived, of which its speed is known. */
async function uploadSlowly(page: Page, context: BrowserContext, path: string, rate = SLOW): Promise<void> {
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  const rates = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: rate };
  await network.send('Network.emulateNetworkConditions', rates);
  await choose(page, 'Your video', path);
  await well(page, 'Your video').getByText(/kB\/s/).waitFor({ timeout: PATIENCE_MS });
}

const MAKE: readonly State[] = [
  place('make, empty', ({ unused }) => unused.baseUrl, seen('or drop one video here')),
  {
    name: 'make, uploading',
    show: async ({ unused, files }, open, look) => {
      const { page, context } = await open(unused.baseUrl);
      await uploadSlowly(page, context, files.look);
      await well(page, 'Your video').getByText(/kB\/s/).waitFor({ timeout: PATIENCE_MS });
      await look(page);
    },
  },
  {
    name: 'make, upload without connection',
    show: async ({ unused, files }, open, look) => {
      await using proxy = await startTcpProxy(unused.baseUrl);
      const { page, context } = await open(proxy.url);
      await uploadSlowly(page, context, files.look, BREAKABLE);
      proxy.cut('closed');
      await well(page, 'Your video')
        .getByText(/No connection/)
        .waitFor();
      await look(page);
    },
  },
  {
    name: 'make, files refused',
    show: async ({ unused, files }, open, look) => {
      const { page } = await open(unused.baseUrl);
      await choose(page, 'Your video', files.letter);
      await choose(page, 'The look', files.prices);
      await seen('This file format is not supported')(page);
      await seen('is not a Style DNA file')(page);
      await look(page);
    },
  },
  {
    name: 'make, three files dropped',
    show: async ({ idle, files }, open, look) => {
      const { page } = await open(idle.baseUrl);
      await dropFiles(page, 'Your video', [files.source, files.look, files.long]);
      await page
        .getByRole('button', { name: /^Take .* out$/ })
        .nth(1)
        .waitFor();
      await look(page);
    },
  },
  {
    name: 'make, measuring',
    show: async ({ idle, files }, open, look) => {
      const { page } = await open(idle.baseUrl);
      await choose(page, 'Your video', files.source);
      await choose(page, 'The look', files.look);
      await page
        .getByRole('button', { name: /^Take .* out$/ })
        .nth(1)
        .waitFor();
      await look(page);
    },
  },
  {
    name: 'make, preview shown',
    show: async (world, open, look) => look(await ready(world, open)),
  },
  {
    name: 'make, dials of the look',
    show: async (world, open, look) => {
      const page = await ready(world, open);
      await page.getByText('Change the look').click();
      await page.getByRole('slider', { name: 'Warmth' }).fill('60');
      await page.getByText('60 warmer').waitFor();
      await look(page);
    },
  },
  {
    name: 'make, parts that count',
    show: async (world, open, look) => {
      const page = await ready(world, open);
      await page
        .getByRole('slider', { name: /^Begin of the part of/ })
        .first()
        .focus();
      await page.keyboard.press('Shift+ArrowRight');
      await page
        .getByRole('slider', { name: /^End of the part of/ })
        .last()
        .focus();
      await page.keyboard.press('Shift+ArrowLeft');
      await page
        .getByText(/^Counts from/)
        .nth(1)
        .waitFor();
      await page.getByText('Drag the line to compare').waitFor();
      await look(page);
    },
  },
  {
    name: 'make, storyboard',
    show: async (world, open, look) => look(await planned(world, open)),
  },
  {
    name: 'make, storyboard, a shot and a take open',
    show: async (world, open, look) => {
      const page = await planned(world, open);
      await page.getByRole('button', { name: /^Shot 2,/ }).click();
      await page.getByRole('button', { name: 'Pin', exact: true }).click();
      await page.getByRole('button', { name: /^Shot 2,.*pinned/ }).waitFor();
      await page
        .getByRole('button', { name: /^Details of/ })
        .first()
        .click();
      await look(page);
    },
  },
  {
    name: 'make, storyboard, what stays in view moved',
    show: async (world, open, look) => {
      const page = await planned(world, open, { look: world.files.upright });
      await page
        .getByRole('group', { name: 'Shape of the look' })
        .getByRole('radio')
        .nth(1)
        .check({ force: true });
      await page.getByText('planning again').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Shot 1,/ }).click();
      await page.getByRole('button', { name: /^Part of shot 1/ }).focus();
      await page.keyboard.press('Shift+ArrowRight');
      await page.getByRole('button', { name: 'Frame by itself' }).waitFor();
      await look(page);
    },
  },
  {
    name: 'make, storyboard, a shot refused',
    show: async (world, open, look) => {
      const page = await planned(world, open);
      await page.getByRole('button', { name: /^Shot 2,/ }).focus();
      await page.keyboard.press('Delete');
      await page.getByText(/shots? changed/).waitFor();
      await look(page);
    },
  },
  {
    name: 'make, storyboard, a length that cannot be',
    show: async (world, open, look) => {
      const page = await planned(world, open);
      await page.getByRole('button', { name: /^Shot 2,/ }).focus();
      for (let presses = 0; presses < 14; presses++) await page.keyboard.press('-');
      await page.getByText('Shot 2 cannot be shorter').waitFor();
      await look(page);
    },
  },
  {
    name: 'make, storyboard, too little material',
    show: async (world, open, look) => {
      const page = await planned(world, open, { takes: world.takes.slice(0, 1) });
      await page.getByText(/lasts .* instead of/).waitFor();
      await look(page);
    },
  },
  {
    name: 'make, storyboard, without connection',
    show: async (world, open, look) => {
      await using proxy = await startTcpProxy(world.working.baseUrl);
      const page = await planned(world, open, { baseUrl: proxy.url });
      await page.getByText('the others follow').waitFor({ state: 'detached' });
      proxy.cut('closed');
      await page.getByRole('button', { name: 'Another version' }).click();
      await page.getByText('No other version was looked for').waitFor();
      await look(page);
    },
  },
  {
    name: 'make, storyboard, a title',
    show: async (world, open, look) => {
      const page = await planned(world, open);
      await page.getByRole('button', { name: 'Add a title' }).click();
      await page.getByRole('textbox', { name: 'Text of title 1' }).fill('A day at the sea');
      await page.getByText('planning again').waitFor({ state: 'detached' });
      await look(page);
    },
  },
  {
    name: 'make, captions of a file',
    show: async (world, open, look) => {
      const page = await ready(world, open);
      await page.getByText('Captions from a file', { exact: true }).click();
      await page.locator('input[aria-label="Caption file"]').setInputFiles(world.files.captions);
      await page.getByText('Edit the words').click();
      await page.getByLabel('Words at 0:02').waitFor();
      await look(page);
    },
  },
  {
    name: 'make, a take refused',
    show: async ({ idle, takes, files }, open, look) => {
      const { page } = await open(idle.baseUrl);
      await dropFiles(page, 'Your video', [...takes, files.letter, files.song]);
      await well(page, 'Your video').getByRole('alert').waitFor();
      await look(page);
    },
  },
  {
    name: 'make, a preset, settings open',
    show: async (world, open, look) => {
      const { page } = await open(world.working.baseUrl);
      page.setDefaultTimeout(PATIENCE_MS);
      await choose(page, 'Your video', world.files.source);
      await page.getByRole('radio', { name: 'Golden hour' }).check({ force: true });
      await page.getByText('Drag the line to compare').waitFor();
      await page.getByText('More', { exact: true }).click();
      await page
        .getByRole('button', { name: /as above/ })
        .first()
        .click();
      await look(page);
    },
  },
  {
    name: 'make, the video is gone',
    show: async (world, open, look) => {
      const { page } = await open(world.forgetful.baseUrl);
      const id = await uploaded(world.forgetful, world.files.source);
      await page.evaluate(
        (videoId) =>
          sessionStorage.setItem(
            'styledna-make',
            JSON.stringify({
              takes: [{ id: 1, source: { kind: 'video', videoId }, exclude: [], mustUse: false }],
            }),
          ),
        id,
      );
      await until(
        async () => (await call(world.forgetful.baseUrl, 'GET', `/api/v1/videos/${id}`)).status === 410,
      );
      await page.reload();
      await seen('Take it out')(page);
      await look(page);
    },
  },
];

/** A job whose child is suspended in a stage. */
function atStage(stage: StageName): State {
  return {
    name: `job, at ${stage.replace('_', ' ')}`,
    show: async (world, open, look) => {
      const { working, files } = world;
      const client = new StyleDnaClient({ baseUrl: working.baseUrl });
      // A copy that nobody has measured.
      const video_id = await uploaded(working, files.long);
      await client.deleteVideo(video_id).catch(() => undefined);
      await using job = await createJob(working, {
        video_id: await uploaded(working, files.long),
        config: { quality: 'medium', comparison: true },
      });
      await reach(job, stage);
      await standingStill(working, async () => {
        const { page } = await open(`${working.baseUrl}/jobs/${job.jobId}`);
        await page.getByRole('list', { name: 'Stages' }).waitFor();
        await look(page);
      });
      await client.cancelJob(job.jobId);
      await job.ended();
    },
  };
}

function reach(job: RunningJob, stage: StageName): Promise<number> {
  return stage === 'rendering' ? job.childDrawing() : job.childAt(stage);
}

const JOB: readonly State[] = [
  {
    name: 'job, waiting',
    show: async ({ idle, files }, open, look) => {
      const video_id = await uploaded(idle, files.source);
      await using job = await createJob(idle, { video_id, preset: 'noir' });
      const { page } = await open(`${idle.baseUrl}/jobs/${job.jobId}`);
      await seen('Waiting')(page);
      await look(page);
      await new StyleDnaClient({ baseUrl: idle.baseUrl }).cancelJob(job.jobId);
      await job.ended();
    },
  },
  ...STAGE_NAMES.map(atStage),
  place(
    'job, failed',
    jobAt(({ failedId }) => failedId),
    (page) => page.getByRole('alert').waitFor(),
  ),
  place(
    'job, cancelled',
    jobAt(({ cancelledId }) => cancelledId),
    seen('It was stopped'),
  ),
  place(
    'job, done',
    jobAt(({ doneId }) => doneId),
    (page) => page.getByRole('button', { name: 'Play' }).waitFor(),
  ),
  place(
    'job, done, before and after',
    jobAt(({ doneId }) => doneId),
    async (page) => {
      await page.getByRole('button', { name: 'Before and after' }).click();
      await page.locator('video[aria-hidden="true"]').waitFor({ state: 'attached', timeout: PATIENCE_MS });
    },
  ),
  {
    name: 'job, done, its video deleted',
    show: async ({ working, files }, open, look) => {
      const client = new StyleDnaClient({ baseUrl: working.baseUrl });
      const video_id = await uploaded(working, files.look);
      await using job = await createJob(working, { video_id, config: { quality: 'low' } });
      await job.ended();
      await client.deleteVideo(video_id);
      const { page } = await open(`${working.baseUrl}/jobs/${job.jobId}`);
      await seen('the original video was deleted')(page);
      await look(page);
    },
  },
  place(
    'job, done, side by side, keys shown',
    jobAt(({ doneId }) => doneId),
    async (page) => {
      await page.getByRole('button', { name: 'Before and after' }).click();
      await page.getByRole('radio', { name: 'Side by side' }).check();
      await page.locator('video[aria-hidden="true"]').waitFor({ state: 'attached', timeout: PATIENCE_MS });
      await page.keyboard.press('?');
      await seen('One frame back or forward')(page);
    },
  ),
  {
    name: 'job, expired',
    show: async (world, open, look) => {
      const { forgetful, expiredId } = world;
      const output = `/api/v1/jobs/${expiredId}/output`;
      await until(async () => (await fetch(forgetful.baseUrl + output)).status === 410);
      const { page } = await open(`${forgetful.baseUrl}/jobs/${expiredId}`);
      await page.getByRole('alert').waitFor();
      await look(page);
    },
  },
  place(
    'job, not there',
    jobAt(() => '01900000-0000-7000-8000-000000000000'),
    seen('This job does not exist'),
  ),
];

const LIBRARY: readonly State[] = [
  place('library, empty', ({ unused }) => `${unused.baseUrl}/library`, heading('Nothing was made yet')),
  place(
    'library, videos, empty',
    ({ unused }) => `${unused.baseUrl}/library?of=videos`,
    heading('No videos yet'),
  ),
  place(
    'library, looks, empty',
    ({ unused }) => `${unused.baseUrl}/library?of=looks`,
    heading('No looks yet'),
  ),
  place(
    'library, looks',
    ({ working }) => `${working.baseUrl}/library?of=looks`,
    (page) => page.getByText('Not used yet').first().waitFor(),
  ),
  place(
    'library, a look is renamed',
    ({ working }) => `${working.baseUrl}/library?of=looks`,
    async (page) => {
      await page.getByRole('button', { name: 'Rename Evening light' }).click();
      await page.getByRole('textbox', { name: 'New name of Evening light' }).waitFor();
    },
  ),
  place(
    'library, a look of several videos is named',
    ({ working }) => `${working.baseUrl}/library?of=videos`,
    async (page) => {
      for (const at of [0, 1]) await page.getByRole('checkbox').nth(at).check();
      await page.getByRole('button', { name: 'Save as one look' }).click();
      await page.getByRole('textbox', { name: 'Name of the look' }).waitFor();
    },
  ),
  place(
    'library, few',
    ({ working }) => `${working.baseUrl}/library`,
    (page) => page.getByRole('listitem').first().waitFor(),
  ),
  place(
    'library, nothing fits',
    ({ working }) => `${working.baseUrl}/library`,
    async (page) => {
      await page.getByRole('searchbox', { name: 'Name' }).fill('no such name');
      await heading('No matches')(page);
    },
  ),
  place(
    'library, videos, some chosen',
    ({ working }) => `${working.baseUrl}/library?of=videos`,
    async (page) => {
      await page.getByRole('checkbox').first().check();
      await page.getByText('1 video selected').waitFor();
    },
  ),
  place(
    'library, deleted with undo',
    ({ working }) => `${working.baseUrl}/library`,
    async (page) => {
      await page.getByRole('checkbox').first().check();
      await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  ),
  {
    name: 'library, a thousand',
    show: async ({ idle, files }, open, look) => {
      const ids = [await uploaded(idle, files.source), await uploaded(idle, files.look)];
      const create = (at: number) =>
        call(idle.baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: ids[at % 2] } });
      for (let made = 0; made < JOBS; made += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => create(at)));
      const { page } = await open(`${idle.baseUrl}/library`);
      await page.getByRole('listitem').first().waitFor();
      await look(page);
    },
  },
];

/** A proxy's answer in the place of the service's. */
function refused(status: number, said: string): State {
  return {
    name: `not let in: ${status}`,
    show: async ({ unused }, open, look) => {
      const { page } = await open(unused.baseUrl, async (page) => {
        await page.route('**/api/**', (route) =>
          route.fulfill({ status, contentType: 'text/plain', body: 'no' }),
        );
      });
      await seen(said)(page);
      await look(page);
    },
  };
}

const OTHER: readonly State[] = [
  place('no such place', ({ unused }) => `${unused.baseUrl}/nowhere`, heading('There is nothing here')),
  refused(401, 'You are not signed in'),
  refused(403, 'You may not do this'),
  {
    name: 'service away',
    show: async ({ unused }, open, look) => {
      const { page, context } = await open(unused.baseUrl);
      await seen('or drop one video here')(page);
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Library' }).click();
      await seen('This page could not be shown')(page);
      await look(page);
    },
  },
  place(
    'report of a job',
    ({ working, doneId }) => `${working.baseUrl}/api/v1/jobs/${doneId}/artifacts/report.html`,
    (page) => page.getByRole('heading', { level: 1 }).first().waitFor(),
  ),
  {
    name: 'report of a video',
    show: async ({ working, files }, open, look) => {
      const id = await uploaded(working, files.look);
      const analysis = `/api/v1/videos/${id}/analysis`;
      await call(working.baseUrl, 'POST', analysis, {});
      await until(async () => (await fetch(`${working.baseUrl}${analysis}/report`)).status === 200);
      const { page } = await open(`${working.baseUrl}${analysis}/report`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await look(page);
    },
  },
  place(
    'reference',
    ({ unused }) => `${unused.baseUrl}/docs`,
    (page) => page.getByRole('heading', { level: 1 }).first().waitFor(),
  ),
];

export const STATES: readonly State[] = [...MAKE, ...JOB, ...LIBRARY, ...OTHER];

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('It did not come to be');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
