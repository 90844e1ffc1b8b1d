/** Files of the service in pages of other origins, in a real browser: refused, unless `CORS_ORIGINS` names the page. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

/** Pages whose content is in their address, on an origin of their own. */
const pages = createServer(({ url }, response) => {
  const query = new URL(url!, 'http://localhost').searchParams;
  response.setHeader('content-type', 'text/html');
  for (const name of ['referrer-policy', 'content-security-policy'])
    if (query.has(name)) response.setHeader(name, query.get(name)!);
  response.end(`<!doctype html>${query.get('body') ?? ''}`);
});
pages.listen(0, '127.0.0.1');
await once(pages, 'listening');
const { port } = pages.address() as AddressInfo;
const ALLOWED = `http://localhost:${port}`;
const SAME_SITE = `http://127.0.0.1:${port}`;

let service: Service;
let browser: Browser;
let videoId: string;
before(async () => {
  service = await startService({ CORS_ORIGINS: ALLOWED });
  videoId = await uploaded(service, await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 }));
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
  pages.close();
});

const FILES = ['poster', 'filmstrip', 'file'] as const;

/** A page with the three files of a video, each as an element of HTML. */
function embedding(more = ''): string {
  return FILES.map((name) => {
    const element = name === 'file' ? 'video' : 'img';
    return `<${element} ${more} src="${service.baseUrl}/api/v1/videos/${videoId}/${name}"></${element}>`;
  }).join('');
}

/** Which of the elements in a page are shown. Resolves when each is shown or refused. */
async function shown(page: Page): Promise<boolean[]> {
  const states = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLImageElement | HTMLVideoElement>('img, video')].map((element) =>
        element instanceof HTMLVideoElement
          ? element.error === null
            ? element.readyState > 0 && element.videoWidth > 0
              ? 'shown'
              : 'open'
            : 'refused'
          : !element.complete
            ? 'open'
            : element.naturalWidth > 0
              ? 'shown'
              : 'refused',
      ),
    );
  const found = await waitFor('each is shown or refused', async () => {
    const now = await states();
    return now.length === FILES.length && !now.includes('open') ? now : undefined;
  });
  return found.map((state) => state === 'shown');
}

describe('posters, filmstrips and videos', () => {
  for (const [what, origin, isShown, more, headers] of [
    ['in a page of CORS_ORIGINS', ALLOWED, true, '', {}],
    ['in a page of the same site, another port', SAME_SITE, false, '', {}],
    ['in a page that hides its address', ALLOWED, false, '', { 'referrer-policy': 'no-referrer' }],
    ['in the same in CORS mode', ALLOWED, true, 'crossorigin', { 'referrer-policy': 'no-referrer' }],
    ['in another page in CORS mode', SAME_SITE, false, 'crossorigin', {}],
    ['in a sandboxed page', ALLOWED, false, '', { 'content-security-policy': 'sandbox allow-scripts' }],
  ] as const) {
    test(`${what} are ${isShown ? 'shown' : 'refused'}`, async () => {
      await using context = await browser.newContext();
      const page = await context.newPage();
      const query = new URLSearchParams({ body: embedding(more), ...headers });
      await page.goto(`${origin}/?${query}`);
      assert.deepEqual(
        await shown(page),
        FILES.map(() => isShown),
      );
    });
  }

  test('an answer in the cache of the browser is not shown to another page', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    for (const [origin, isShown] of [
      [ALLOWED, true],
      [SAME_SITE, false],
      [ALLOWED, true],
    ] as const) {
      await page.goto(`${origin}/?${new URLSearchParams({ body: embedding() })}`);
      assert.deepEqual(
        await shown(page),
        FILES.map(() => isShown),
        origin,
      );
    }
  });

  test('the service’s own page shows them', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/docs`);
    const sources = FILES.map((name) => `/api/v1/videos/${videoId}/${name}`);
    const sizes = await page.evaluate(
      (all) =>
        Promise.all(
          all.map((source) =>
            fetch(source)
              .then((answer) => answer.blob())
              .then(({ size }) => size),
          ),
        ),
      sources,
    );
    assert.ok(sizes.every((size) => size > 0));
  });

  test('a sandboxed report plays the video from which it was made', { timeout: 180_000 }, async () => {
    const analysis = `/api/v1/videos/${videoId}/analysis`;
    await call(service.baseUrl, 'POST', analysis, {});
    const address = `${service.baseUrl}${analysis}/report`;
    await waitFor('the report is made', async () => (await fetch(address)).status === 200, 120_000, 200);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    assert.equal(await page.evaluate(() => self.origin), 'null');
    await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0);
  });
});
