/** The web page in a real browser, on the real service. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { EntryType } from 'node:perf_hooks';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { watchedPage } from '../support/chromium.ts';

export const THEMES = ['light', 'dark', 'grading'] as const;
export type Theme = (typeof THEMES)[number];

export interface PageOptions {
  /** Of the window, in CSS pixels; default 1280. */
  readonly width?: number;
  readonly theme?: Theme;
  /** Called before the first request. */
  readonly prepare?: (page: Page, context: BrowserContext) => Promise<void>;
}

/** A page of a browser that nobody has used before. Disposing asserts that it had nothing to complain of, and closes it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Allowed in the console: requested files of the service that do not exist. */
  allow(complaint: RegExp): void;
}

const HEIGHT = 800;
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** The browser's message if the newest frame of a job is removed before the page has loaded it: the page shows the previous one. */
export const FRAME_GONE = /status of (404|409)/;

export async function openPage(
  browser: Browser,
  address: string,
  { width = 1280, theme = 'light', prepare }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    acceptDownloads: true,
  });
  if (theme === 'grading')
    await context.addInitScript(() => localStorage.setItem('styledna-theme', 'grading'));
  await context.addInitScript(noteShifts);
  const { page, complaints } = await watchedPage(context, new URL(address).origin);
  const allowed: RegExp[] = [];
  await prepare?.(page, context);
  await page.goto(address);
  return {
    page,
    context,
    allow: (complaint) => allowed.push(complaint),
    async [Symbol.asyncDispose]() {
      await context.close();
      const left = complaints.filter((complaint) => !allowed.some((one) => one.test(complaint)));
      assert.deepEqual(left, [], 'the page complained');
    },
  };
}

/** Sets the theme of an open page, independent of the system and the person. */
export async function wearTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' });
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name;
  }, theme);
  await page.evaluate(finishTransitions);
}

/** Colors during a transition belong to neither of its states. */
function finishTransitions(): void {
  for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
}

/** Sums up what moved on the page by itself (Layout Instability, as browsers measure it), where `shiftOf` finds it. */
function noteShifts(): void {
  const noted = globalThis as unknown as { shifts: { value: number; what: string }[] };
  noted.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as unknown as {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Element | null }[];
      };
      if (!hadRecentInput)
        noted.shifts.push({ value, what: sources.map(({ node }) => node?.nodeName ?? '').join(' ') });
    }
  }).observe({ type: 'layout-shift' as EntryType, buffered: true });
}

/** The sum of all shifts since the page was opened. */
export async function shiftOf(page: Page): Promise<number> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: { value: number }[] }).shifts);
  return shifts.reduce((sum, { value }) => sum + value, 0);
}

/** Asserts that axe-core finds nothing (WCAG 2.2 A and AA, and what it calls best practice). */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(AXE);
  await page.evaluate(finishTransitions);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  });
  assert.deepEqual(found, [], what);
}

/** Asserts that nothing sticks out to the side. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(content! <= window!, `${what}: ${content} px of content in a window of ${window} px`);
}

/** Least side of a target for fingers, CSS pixels (WCAG 2.2, 2.5.5). */
const TOUCH_PIXELS = 44;
/** Buttons, folds and choices; links within text and the switch of a labeled row are reached otherwise. */
const TARGETS = 'button, [role=button], summary, select, label:has(> input[type=radio]), input[type=range]';

/** Asserts that fingers meet each control of the page: for pages as wide as a phone. */
export async function assertTouchable(page: Page, what: string): Promise<void> {
  const small = await page.evaluate(
    ([targets, least]) =>
      [...document.querySelectorAll<HTMLElement>(targets)]
        .filter((target) => target.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        // Elements for screen readers alone have a pixel.
        .filter(({ box }) => box.width > 1 && Math.min(box.width, box.height) < least)
        .map(({ target, box }) => `${target.ariaLabel ?? target.textContent}: ${box.width} × ${box.height}`),
    [TARGETS, TOUCH_PIXELS - 0.5] as const,
  );
  assert.deepEqual(small, [], what);
}

/** As browsers guess them. */
const TYPES: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.wav': 'audio/wav',
};

/** Drops files on a well, as a person does from a folder; without any, text. */
export async function dropFiles(page: Page, well: string, paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => ({
    name: basename(path),
    type: TYPES[extname(path)] ?? '',
    bytes: readFileSync(path).toString('base64'),
  }));
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    if (all.length === 0) transfer.setData('text/plain', 'a text');
    for (const { name, type, bytes } of all) {
      const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], name, { type }));
    }
    return transfer;
  }, files);
  await page
    .getByRole('region', { name: well })
    .locator(':scope > div')
    .last()
    .dispatchEvent('drop', { dataTransfer });
}
