/**
 * Takes pictures of every state of the page, at three widths and in three themes, a sheet for each theme:
 * `node test/browser/sheets.ts --out DIR [WORDS]`. WORDS: only states whose names contain one. With `--each` each picture has a file of
 * its own, in full size, instead. With `--axe` each is also checked by axe-core, in each theme and at the least width too; its findings are printed, and the exit code is 1.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { assertAccessible, THEMES, wearTheme } from './page.ts';
import { STATES, type State } from './states.ts';
import { visit } from './visit.ts';
import { makeWorld, type World } from './world.ts';

const WIDTHS = [390, 820, 1440];
const HEIGHT = 900;
/** Of a long page the beginning, in CSS pixels. */
const LONGEST = 1900;
/** Motion and loading have ended. */
const REST_MS = 400;
/** On the sheet, of the page's own size. */
const SCALE = 0.57;
const SHEET_WIDTH = 1550;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    axe: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
  },
});
if (values.out === undefined) {
  console.error('Say where to: node test/browser/sheets.ts --out DIR [--each] [--axe] [WORDS]');
  process.exit(2);
}
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const chosen = STATES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const browser = await startBrowser();
await using world = await makeWorld();
for (const state of chosen) {
  try {
    await drawSheets(browser, world, state);
    console.log(state.name);
  } catch (error) {
    console.error(`${state.name}: ${error}`);
    process.exitCode = 1;
  }
}
await browser.close();

async function drawSheets(browser: Browser, world: World, state: State): Promise<void> {
  const { name } = state;
  await visit(browser, world, state, async (page) => {
    for (const theme of THEMES) {
      await wearTheme(page, theme);
      const pictures: Picture[] = [];
      for (const width of WIDTHS) {
        pictures.push({ width, png: await picture(page, width) });
        // Its colors are the same at all widths; hiding and wrapping are visible at the least.
        if (values.axe && (width === WIDTHS.at(-1) || (width === WIDTHS[0] && theme === THEMES[0])))
          await assertAccessible(page, `${name}, ${theme}, ${width} px`);
      }
      const path = join(out, `${name.replaceAll(/[^\w]+/g, '-')}-${theme}`);
      if (values.each) for (const { width, png } of pictures) writeFileSync(`${path}-${width}.png`, png);
      else await compose(browser, pictures, `${path}.png`);
    }
  });
}

interface Picture {
  readonly width: number;
  readonly png: Buffer;
}

async function picture(page: Page, width: number): Promise<Buffer> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.waitForTimeout(REST_MS);
  const length = await page.evaluate(() => document.documentElement.scrollHeight);
  // A window as tall as the page, so that elements at the window's edge are at the page's.
  await page.setViewportSize({ width, height: Math.min(LONGEST, Math.max(HEIGHT, length)) });
  await page.waitForTimeout(REST_MS / 2);
  return page.screenshot();
}

/** Side by side. */
async function compose(browser: Browser, pictures: readonly Picture[], path: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: SHEET_WIDTH, height: HEIGHT } });
  const images = pictures.map(
    ({ width, png }) =>
      `<img width="${width * SCALE}" src="data:image/png;base64,${png.toString('base64')}" alt="">`,
  );
  await page.setContent(
    `<style>body{margin:8px;background:#888}div{display:flex;gap:8px;align-items:start}</style><div>${images.join('')}</div>`,
  );
  await page.locator('img').last().scrollIntoViewIfNeeded();
  await page.screenshot({ path, fullPage: true });
  await page.close();
}
