/** The main journey in Firefox. Where Firefox ESR is not installed, it is left out. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { Firefox, type FirefoxPage, firefoxPath } from '../support/firefox.ts';
import { type Service, startService } from '../support/service.ts';
import { readShown } from './shown-frames.ts';

const PATH = firefoxPath();

describe('the page in Firefox', {
  skip: PATH === null ? 'firefox-esr is not installed' : false,
  timeout: 300_000,
}, () => {
  const folder = temporaryFolder();
  let service: Service;
  let firefox: Firefox;
  let page: FirefoxPage;

  before(async () => {
    [service, firefox] = await Promise.all([startService(), Firefox.start(PATH!)]);
    page = await firefox.open(service.baseUrl);
  });
  after(async () => {
    await firefox?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });

  test('files are dropped, and a preview shows before and after', async () => {
    const draw = drawNumber(320, 180);
    const source = await makeClip(folder, { name: 'numbered', durationSeconds: 4, draw });
    const look = await makeClip(folder, { name: 'look', durationSeconds: 5, draw });
    await dropOn(page, 'Your video', [source]);
    await dropOn(page, 'The look', [look]);
    await page.find('slider', 'Line between before and after');
  });

  test('it is rendered', async () => {
    // The numbers of the frames are read below: nothing of them is to change.
    await page.evaluate(() => document.querySelector<HTMLInputElement>('form input[type=range]')!.focus());
    await page.press('Home');
    await page.until(() => document.querySelector<HTMLInputElement>('form input[type=range]')!.value === '0');
    await page.click('radio', 'Draft');
    await page.click('button', 'Render');
    // The preview has a player too.
    await page.until(() => location.pathname !== '/');
    await page.find('button', 'Play');
    assert.match(await page.evaluate(() => location.pathname), /^\/jobs\/[0-9a-f-]{36}$/);
  });

  test('before and after play and step in sync', async () => {
    await settledAt(page, [0]);
    await page.press('ArrowRight');
    await settledAt(page, [1]);
    await page.click('button', 'Before and after');
    await page.find('radio', 'Side by side');
    await page.press('2');
    await settledAt(page, [1, 1]);
    await page.press('ArrowRight');
    await settledAt(page, [2, 2]);
    await page.press(' ');
    const pairs = await page.evaluate(readShown, 1500);
    for (const [one, other] of pairs) assert.equal(one, other);
    assert.ok(new Set(pairs.map(([one]) => one)).size > 5, 'it plays');
    await page.press(' ');
    await page.find('button', 'Play');
    await page.press('1');
    await page.press(']');
    assert.equal(await page.evaluate(lineValue), '0.55');
  });

  test('the space bar plays after the view was chosen by pointer', async () => {
    await page.click('radio', 'Side by side');
    await page.press(' ');
    await page.find('button', 'Pause');
    await page.press(' ');
    await page.find('button', 'Play');
  });

  test('the video is downloaded', async () => {
    await page.evaluate(() => document.querySelector<HTMLElement>('a[download]')!.click());
    const name = await arrived(firefox.downloads);
    assert.match(name, /\.mp4$/);
    assert.equal(readFileSync(join(firefox.downloads, name)).toString('latin1', 4, 8), 'ftyp');
  });

  test('the report of the job opens, as do the library and the reference', async () => {
    const report = await page.evaluate(
      () => document.querySelector<HTMLAnchorElement>('a[href$="report.html"]')!.href,
    );
    for (const address of [report, `${service.baseUrl}/library`, `${service.baseUrl}/docs`]) {
      await page.goto(address);
      await page.until(() => document.querySelector('h1') !== null);
    }
  });

  test('nothing was wrong meanwhile', () => assert.deepEqual(page.complaints, []));
});

/** As `dropFiles` of `page.ts`. */
function dropOn(page: FirefoxPage, well: string, paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => ({
    name: path.split('/').at(-1)!,
    base64: readFileSync(path).toString('base64'),
  }));
  return page.evaluate(
    (name, all) => {
      const dataTransfer = new DataTransfer();
      for (const file of all) {
        const content = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([content], file.name, { type: 'video/mp4' }));
      }
      const target = [...document.querySelectorAll(`section[aria-label="${name}"] > div`)].at(-1)!;
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    well,
    files,
  );
}

function lineValue(): string {
  return document.querySelector<HTMLInputElement>('input[aria-label^="Line between"]')!.value;
}

/** `frames`: of the result, or before and after. */
async function settledAt(page: FirefoxPage, frames: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const [shown] = await page.evaluate(readShown, 0);
    if (isDeepStrictEqual(shown, frames)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(await page.evaluate(readShown, 0), [frames]);
}

/** The name of the file, once it is whole: Firefox makes it empty, then writes it under another name. */
async function arrived(folder: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const names = readdirSync(folder);
    const isWhole = (name: string) =>
      !name.endsWith('.part') && !names.includes(`${name}.part`) && statSync(join(folder, name)).size > 0;
    const whole = names.find(isWhole);
    if (whole !== undefined) return whole;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('nothing was downloaded');
}
