/** The reference at /docs: its content, and its behavior in a real browser, under the path of a proxy. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { OPERATIONS } from '../../src/http/contract/operations.ts';
import { startBrowser, watchedPage } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startStrippingProxy } from '../support/http-proxy.ts';
import { startService } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const service = await startService({ WORKER_CONCURRENCY: '0' });
after(() => service[Symbol.asyncDispose]());
const answer = await fetch(`${service.baseUrl}/docs`);
const html = await answer.text();

test('every operation is there, with its examples and its form', () => {
  for (const { id, method, path } of OPERATIONS) {
    const section = html
      .slice(html.indexOf(`<section class="operation" id="${id}"`))
      .split('</section>', 1)[0];
    assert.match(section, new RegExp(`<span class="method">${method}</span>`), id);
    assert.ok(section.includes(`data-path="${path}"`), id);
    assert.match(section, /data-language="curl"[\s\S]*curl '/, id);
    assert.match(section, /data-language="typescript"[\s\S]*client\./, id);
  }
  const anchors = [...html.matchAll(/href="#(\w+)"/g)].map((match) => match[1]);
  assert.ok(anchors.length > 100);
  for (const anchor of anchors) assert.ok(html.includes(`id="${anchor}"`), anchor);
});

test('it loads nothing from elsewhere, and runs only its own file', () => {
  const policy = answer.headers.get('content-security-policy')!;
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  const loaded = [...html.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map((match) => match[1]);
  assert.deepEqual(loaded, ['./icon.svg', './docs/reference.css', './docs/reference.js']);
  assert.doesNotMatch(html, /<style|style="|<script>|onclick/);
});

test('every address gets links of its own', async () => {
  for (const [path, root] of [
    ['/docs', './'],
    ['/docs/', '../'],
    ['/docs?x=1', './'],
  ] as const) {
    const page = await (await fetch(service.baseUrl + path)).text();
    assert.ok(page.includes(`<html lang="en" data-root="${root}">`), path);
  }
});

test('its TypeScript examples compile', async () => {
  const folder = temporaryFolder();
  const samples = OPERATIONS.map(({ id }) => {
    const section = html
      .slice(html.indexOf(`<section class="operation" id="${id}"`))
      .split('</section>', 1)[0];
    const code = /data-language="typescript"[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(section)![1];
    const text = code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&gt;', '>');
    return `export async function ${id}() {\n${text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')}\n}`;
  });
  const head = `import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { StyleDnaClient } from '${ROOT}src/client/client.ts';
declare const client: StyleDnaClient;
declare const piece: Blob;
`;
  writeFileSync(join(folder, 'samples.mts'), head + samples.join('\n'));
  const compilerOptions = { noUnusedLocals: false, typeRoots: [join(ROOT, 'node_modules', '@types')] };
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['samples.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { stdout } = await promisify(execFile)(compiler, ['-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, '');
});

describe('in a browser', { concurrency: 1 }, () => {
  let browser: Browser | undefined;
  after(() => browser?.close());

  async function open(url: string, options: { width: number; dark?: boolean }): Promise<Page> {
    browser ??= await startBrowser();
    const context = await browser.newContext({
      viewport: { width: options.width, height: 900 },
      colorScheme: options.dark === true ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    const { page, complaints } = await watchedPage(context, new URL(url).origin);
    page.once('close', () => assert.deepEqual(complaints, []));
    await page.goto(url);
    return page;
  }

  test('examples run, and the result of one fills in the next', async () => {
    await using proxy = await startStrippingProxy('/some/where', service.baseUrl);
    const page = await open(`${proxy.url}/some/where/docs`, { width: 1440 });
    const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 0.6 });
    const run = async (id: string) => {
      await page.locator(`#${id} .go`).click();
      await page.locator(`#${id} .outcome .status`).waitFor();
      return page.locator(`#${id} .outcome .status`).innerText();
    };
    assert.ok(
      (await page.locator('#listJobs .sample').first().innerText()).includes(
        `${proxy.url}/some/where/api/v1/jobs`,
      ),
    );
    await page.locator('#uploadVideo-body').setInputFiles(clip);
    assert.match(await run('uploadVideo'), /^201/);
    assert.match(await run('createJob'), /^201/);
    await page.locator('#getJob .outcome').waitFor({ state: 'attached' });
    assert.match(await run('getJob'), /^200/);
    assert.match(await page.locator('#getJob .outcome pre').innerText(), /"status": "queued"/);
    const jobId = await page.locator('#getJob-job_id').inputValue();
    assert.ok((await page.locator('#getJob .sample').first().innerText()).includes(jobId));
    assert.match(await run('watchJob'), /^200/);
    await page.locator('#watchJob .outcome pre', { hasText: 'event: status' }).waitFor();
    await page.locator('#watchJob .stop').click();
    assert.match(await run('cancelJob'), /^200/);
    await page.locator('#getPresetPicture-preset_id').fill('noir');
    assert.match(await run('getPresetPicture'), /^200/);
    await page.waitForFunction(`document.querySelector('#getPresetPicture img')?.naturalWidth`);
    assert.equal(await page.locator('#deleteJob-job_id').inputValue(), '');
    await page.locator('#find').fill('webhook redeliver');
    assert.equal(await page.locator('[data-words]:visible').count(), 1);
    await page.close();
  });

  test('it is accessible', async () => {
    const page = await open(`${service.baseUrl}/docs/`, { width: 1440, dark: true });
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(),
    );
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html: text }) => text)]),
      [],
    );
    await page.close();
  });

  for (const width of [320, 390, 1024]) {
    test(`it fits into ${width} pixels`, async () => {
      const page = await open(`${service.baseUrl}/docs`, { width });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
      await page.close();
    });
  }
});
