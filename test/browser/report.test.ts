/** Reports in a real browser: readable by everybody, at every width, by pointer and by keyboard. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { Studio } from '../../src/library.ts';
import { takesPage } from '../../src/report/takes-page.ts';
import { takesView } from '../../src/report/takes-view.ts';
import { startBrowser, watchedPage } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { takesReport } from '../support/takes-report.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = temporaryFolder();
const page = {
  alone: join(folder, 'alone.html'),
  job: join(folder, 'report.html'),
  edit: join(folder, 'edit.html'),
};
let browser: Browser;

before(async () => {
  const source = await makeClip(folder, {
    name: 'source',
    durationSeconds: 3,
    draw: (rgb, seconds) => {
      const late = seconds >= 1.5;
      for (let y = 0, at = 0; y < 180; y++) {
        for (let x = 0; x < 320; x++, at += 3) {
          rgb[at] = late ? 200 - ((x + y) % 150) : 40 + ((x + 30 * seconds) % 180);
          rgb[at + 1] = 50 + y;
          rgb[at + 2] = late ? 30 + (x % 97) : 200 - ((x + y) % 150);
        }
      }
    },
  });
  const studio = new Studio({ workRoot: join(folder, 'work') });
  const config = { quality: 'low' } as const;
  const output = join(folder, 'output.mp4');
  await studio.apply({ source, look: { template: source }, config, output, artifacts: folder });
  const analysis = await studio.analyze(source);
  const style = analysis.kind === 'clip' ? await studio.styleOf(analysis) : null;
  writeFileSync(page.alone, await studio.reportOf({ path: source, analysis, style, page: page.alone }));
  const edit = await takesReport();
  writeFileSync(
    page.edit,
    takesPage(takesView({ ...edit, outputAddress: 'output.mp4' }), edit.template!.shots),
  );
  browser = await startBrowser();
});
after(() => browser?.close());

async function opened(
  file: string,
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<{ shown: Page; complaints: string[]; [Symbol.asyncDispose](): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const { page: shown, complaints } = await watchedPage(context, 'null');
  await shown.goto(pathToFileURL(file).href);
  return { shown, complaints, [Symbol.asyncDispose]: () => context.close() };
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

async function violations(shown: Page): Promise<string[]> {
  await shown.evaluate(AXE);
  const { violations: found } = (await shown.evaluate('axe.run()')) as AxeResult;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

describe('a report', () => {
  for (const [name, width, theme] of [
    ['alone', 1440, 'light'],
    ['alone', 390, 'dark'],
    ['job', 834, 'light'],
    ['job', 390, 'dark'],
    ['edit', 1280, 'light'],
    ['edit', 390, 'dark'],
  ] as const) {
    test(`${name}, ${width} px, ${theme}: axe finds nothing, and nothing sticks out`, async () => {
      await using open = await opened(page[name], width, theme);
      assert.deepEqual(await violations(open.shown), []);
      const wide = (await open.shown.evaluate('document.documentElement.scrollWidth')) as number;
      assert.ok(wide <= width, `${wide} px`);
      assert.deepEqual(open.complaints, []);
    });
  }

  test('enlarges the frame under the pointer, and the one that has the focus', async () => {
    await using open = await opened(page.alone, 1200, 'light');
    const loupe = open.shown.locator('.loupe');
    assert.equal(await loupe.isVisible(), false);
    await open.shown.locator('.track.film').hover();
    assert.equal(await loupe.isVisible(), true);
    const { width } = (await loupe.boundingBox())!;
    assert.ok(width > 300, `${width} px`);
    await open.shown.locator('h1').hover();
    assert.equal(await loupe.isVisible(), false);
    await open.shown.locator('.frame').first().focus();
    assert.equal(await loupe.isVisible(), true);
    await open.shown.locator('.scroller').focus();
    assert.equal(await loupe.isVisible(), false);
    await open.shown.keyboard.press('ArrowRight');
    assert.equal(await loupe.isVisible(), true);
  });

  test('plays the film in its folder, from the pressed time of the axis', async () => {
    await using open = await opened(page.alone, 1200, 'light');
    const video = open.shown.locator('.monitor video');
    await video.waitFor({ state: 'visible' });
    await open.shown.locator('.track.film').click();
    await open.shown.waitForFunction('document.querySelector(".monitor video").currentTime > 1');
  });

  test('of a job shows one clip at a time, by the arrow keys', async () => {
    await using open = await opened(page.job, 1200, 'light');
    const [template, source] = [open.shown.locator('#part-template'), open.shown.locator('#part-source')];
    assert.deepEqual([await template.isVisible(), await source.isVisible()], [true, false]);
    await open.shown.locator('#tab-template').press('ArrowRight');
    assert.deepEqual([await template.isVisible(), await source.isVisible()], [false, true]);
    await open.shown.locator('.outcome video').waitFor({ state: 'visible' });
  });

  test('of an edit shows the slot under the cross-hair, and plays it, by the keyboard', async () => {
    await using open = await opened(page.edit, 1200, 'light');
    const readout = open.shown.locator('.readout');
    await open.shown.locator('.scroller').focus();
    for (let second = 0; second < 3; second++) await open.shown.keyboard.press('Shift+ArrowRight');
    assert.match((await readout.textContent()) ?? '', /slot 2day <1>\.mp4/);
    await open.shown.locator('.monitor video').waitFor({ state: 'visible' });
    await open.shown.locator('.slot-list .frame').nth(1).press('Enter');
    await open.shown.waitForFunction('document.querySelector(".monitor video").currentTime >= 1');
    await open.shown.locator('.others summary').last().press('Enter');
    assert.equal(await open.shown.locator('.take-list .others').last().getAttribute('open'), '');
  });
});
