import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/chromium.ts';
import { assertAccessible, assertFits, assertTouchable, THEMES, wearTheme } from './page.ts';
import { STATES } from './states.ts';
import { visit } from './visit.ts';
import { makeWorld, type World } from './world.ts';

/** They are reached by standing still at the right moment, or take minutes: `sheets.ts --axe` looks at all. */
const OF_A_MOMENT = /^job, at |upload|measuring|preview shown|is gone|expired|a thousand|of a video/;
/** For reading: their controls are small as in a text. */
const OF_A_DOCUMENT = /^report|^reference/;
const PHONE = { width: 390, height: 900 };
const DESKTOP = { width: 1280, height: 900 };

describe('every state that stays', () => {
  let browser: Browser;
  let world: World;
  before(async () => {
    browser = await startBrowser();
    world = await makeWorld();
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await browser.close();
  });

  const staying = STATES.filter(({ name }) => !OF_A_MOMENT.test(name));
  assert.ok(staying.length >= 20, `${staying.length} states`);
  for (const state of staying) {
    test(`${state.name}: fits a phone and fingers, and axe-core finds nothing in any theme`, async () => {
      await visit(browser, world, state, async (page) => {
        await page.setViewportSize(PHONE);
        await assertFits(page, state.name);
        if (!OF_A_DOCUMENT.test(state.name)) await assertTouchable(page, state.name);
        await assertAccessible(page, `${state.name} on a phone`);
        await page.setViewportSize(DESKTOP);
        for (const theme of THEMES) {
          await wearTheme(page, theme);
          await assertAccessible(page, `${state.name}, ${theme}`);
        }
      });
    });
  }
});
