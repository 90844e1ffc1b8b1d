/**
 * The page as a newcomer meets it: an empty service, ten takes, a song and a reel in one drop, the storyboard, the first moving picture, a pin,
 * the strength, scrubbing, rendering, the file. Wall time of each step, in a browser without a graphics card: `node bench/walk.ts`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page, Request } from 'playwright-core';
import { median } from '../src/signal/statistics.ts';
import { startBrowser } from '../test/support/chromium.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { serve, stop } from './lib/served.ts';

const USAGE = 'node bench/walk.ts [--no-save] [--pictures FOLDER]';
const REEL = join(MEDIA, 'edits/edit_vertical_a.mp4');
const SONG = join(MEDIA, 'music/feelings_95bpm_60s.ogg');
const TAKES = [
  'video/mdn_crystal.mp4',
  'video/mdn_flower.mp4',
  'video/mdn_frog.mp4',
  'video/mdn_pig.mp4',
  'video/roof_zoom_17s.mp4',
  'video/cartoon_surf_8s.mp4',
  'video/cartoon_cake_8s.mp4',
  'video/nasa_webb_13s.mp4',
  'more/video/mdn_monster.mp4',
  'more/video/sam2_cups.mp4',
].map((name) => join(MEDIA, name));
const PATIENCE_MS = 120_000;
const PINS = 3;
const SCRUBS = 8;
const MOVES = 5;
/** *Cuts* only once: it chooses other takes, whose copies for scrubbing may not exist yet. */
const DIALS = ['Cuts', 'Warmth', 'Contrast', 'Warmth', 'Contrast'];

const { values } = parseArgs({
  allowNegative: true,
  options: {
    save: { type: 'boolean', default: true },
    pictures: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(USAGE);
  process.exit(0);
}

const conditions = currentConditions();
console.log(conditionsInWords(conditions));
const rows: { readonly step: string; readonly seconds: number }[] = [];
const note = (step: string, seconds: number) => {
  rows.push({ step, seconds });
  console.log(`${step}: ${seconds.toFixed(3)} s`);
};
const since = (start: number) => (performance.now() - start) / 1000;

const folder = await mkdtemp(join(tmpdir(), 'styledna-walk-'));
const served = await serve(folder);
const browser = await startBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  await context.addInitScript(noteScrubs);
  await context.addInitScript(noteAnalyses);
  await context.addInitScript(noteChanges);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const service = watched(page);
  const begun = performance.now();
  await page.goto(served.baseUrl);
  await page.getByRole('region', { name: 'Your video' }).waitFor();
  note('page opened, until it can be used', since(begun));
  await walk(page, service, begun);
  note('whole walk', since(begun));
} finally {
  await browser.close();
  await stop(served);
  await rm(folder, { recursive: true, force: true });
}
console.log(
  table(
    ['step', 'seconds'],
    rows.map(({ step, seconds }) => [step, seconds.toFixed(3)]),
  ),
);
if (values.save) console.log(saveResult('walk', { conditions, rows }));

async function walk(page: Page, service: ReturnType<typeof watched>, begun: number): Promise<void> {
  const dropped = performance.now();
  const files = (well: string) => page.getByRole('region', { name: well }).locator('input[type=file]');
  await files('The look').setInputFiles(REEL);
  await files('Your video').setInputFiles([...TAKES, SONG]);
  await page.getByRole('list', { name: 'Takes' }).waitFor();
  await picture(page, '1-dropped');
  await page.getByRole('button', { name: /^Shot 1,/ }).waitFor();
  const storyboard = performance.now();
  const analysed = await lastAnalysis(page);
  note('files dropped, until the last analysis', (analysed - dropped) / 1000);
  note('last analysis, until the storyboard', (storyboard - analysed) / 1000);
  await picture(page, '2-storyboard');
  const player = page.getByRole('region', { name: 'Player' });
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => {
    const bar = document.querySelector<HTMLInputElement>('[aria-label="Player"] [aria-label="Position"]');
    return bar !== null && bar.valueAsNumber > 0;
  });
  const moving = performance.now();
  note('last analysis, until the first moving picture (15)', (moving - (await lastAnalysis(page))) / 1000);
  note('page opened, until the first moving picture', since(begun));
  await picture(page, '3-moving');
  note('playing to the end, its longest stop', (await longestStop(page)) / 1000);
  await changes(page, service);
  await scrub(page);
  await render(page);
}

/** Milliseconds, until the edit has played to its end. */
function longestStop(page: Page): Promise<number> {
  return page.evaluate((patience) => {
    const bar = document.querySelector<HTMLInputElement>('[aria-label="Player"] [aria-label="Position"]')!;
    const { promise, resolve } = Promise.withResolvers<number>();
    let [frame, shownAt, longest] = [bar.valueAsNumber, performance.now(), 0];
    const look = () => {
      const now = performance.now();
      longest = Math.max(longest, now - shownAt);
      if (bar.valueAsNumber !== frame) [frame, shownAt] = [bar.valueAsNumber, now];
      if (frame >= Number(bar.max) - 1 || longest > patience) resolve(longest);
      else requestAnimationFrame(look);
    };
    look();
    return promise;
  }, PATIENCE_MS);
}

async function changes(page: Page, service: ReturnType<typeof watched>): Promise<void> {
  const settled = () => page.getByText('planning again').waitFor({ state: 'detached' });
  /** Seconds from the key that `press` presses to the frame that shows its plan. */
  const planned = async (press: () => Promise<void>) => {
    await page.evaluate(() => {
      (globalThis as unknown as Changed).changes.length = 0;
    });
    await press();
    const shown = await page.waitForFunction(() => (globalThis as unknown as Changed).changes[0]);
    return Number(await shown.jsonValue()) / 1000;
  };
  const seen: number[] = [];
  service.plansMs.length = 0;
  for (let shot = 2; shot < 2 + PINS; shot++) {
    await page.getByRole('button', { name: new RegExp(`^Shot ${shot},`) }).focus();
    seen.push(await planned(() => page.keyboard.press('p')));
    await page.getByRole('button', { name: new RegExp(`^Shot ${shot},.*pinned`) }).waitFor();
  }
  note('a pin, until it is on the screen', median(seen));
  note('the same, the service alone (.3)', median(service.plansMs) / 1000);
  service.plansMs.length = 0;
  const lengths: number[] = [];
  // Each is a different request, because answers are cached.
  for (const [shot, key] of [
    [5, '+'],
    [6, '-'],
    [1, '+'],
  ] as const) {
    await page.getByRole('button', { name: new RegExp(`^Shot ${shot},`) }).focus();
    lengths.push(await planned(() => page.keyboard.press(key)));
    // A change that these takes cannot fill would leave nothing to render.
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await settled();
  }
  note('a beat longer, until it is on the screen', median(lengths));
  note('the same, the service alone', median(service.plansMs) / 1000);
  const slider = page.getByRole('slider', { name: 'Strength' }).first();
  await slider.focus();
  const [moves, exact]: [number[], number[]] = [[], []];
  for (let move = 0; move < MOVES; move++) {
    exact.push(
      await planned(async () => {
        const start = performance.now();
        await page.keyboard.press('ArrowLeft');
        await page.evaluate(
          () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
        );
        moves.push(since(start));
      }),
    );
  }
  note('strength moved, until the next picture', median(moves));
  note('the same, until the plan of the exact colors', median(exact));
  await page.getByText('Change the look').click();
  service.plansMs.length = 0;
  const dials: number[] = [];
  for (const name of DIALS)
    dials.push(await planned(() => page.getByRole('slider', { name, exact: true }).press('ArrowRight')));
  note('a dial moved, until its plan is on the screen (.5)', median(dials));
  note('the same, longest', Math.max(...dials));
  note('the same, the service alone', median(service.plansMs) / 1000);
}

interface Changed {
  readonly changes: number[];
}

/** Runs in the page: milliseconds from each key to the frame after *planning again* ends. A look from outside is up to half a second late. */
function noteChanges(): void {
  const noted: Changed = { changes: [] };
  Object.assign(globalThis, noted);
  let [pressedAt, isPlanning] = [0, false];
  addEventListener('keydown', ({ timeStamp }) => ([pressedAt, isPlanning] = [timeStamp, false]), true);
  const watch = () => {
    const state = document.querySelector('[aria-label=Storyboard] [role=status]')?.textContent ?? '';
    const wasPlanning = isPlanning;
    isPlanning = state.includes('planning again');
    if (!wasPlanning || isPlanning) return;
    const from = pressedAt;
    requestAnimationFrame(() => noted.changes.push(performance.now() - from));
  };
  new MutationObserver(watch).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Until the frame is on the screen, in the page itself. */
async function scrub(page: Page): Promise<void> {
  const tile = page.getByRole('button', { name: /^Shot 4,/ });
  await tile.scrollIntoViewIfNeeded();
  const box = (await tile.boundingBox())!;
  for (let at = 0; at <= SCRUBS; at++) {
    const share = 0.05 + (0.9 * at) / SCRUBS;
    await page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
    await page.waitForFunction((count) => (globalThis as unknown as Scrubbed).scrubs.length > count, at);
  }
  const scrubs = await page.evaluate(() => (globalThis as unknown as Scrubbed).scrubs);
  note('a shot under the pointer, until its first frame', scrubs[0]! / 1000);
  note('scrubbing, until the next frame, median', median(scrubs.slice(1)) / 1000);
  note('the same, longest', Math.max(...scrubs.slice(1)) / 1000);
  await picture(page, '4-scrubbing');
  await page.mouse.move(0, 0);
}

interface Scrubbed {
  readonly scrubs: number[];
}

/** Milliseconds from each move of the pointer to the frame that it asks for. */
function noteScrubs(): void {
  const noted = { scrubs: [] as number[] };
  Object.assign(globalThis, noted);
  let movedAt = 0;
  addEventListener('pointermove', ({ timeStamp }) => (movedAt = timeStamp), true);
  const shown = () => {
    if (movedAt > 0) noted.scrubs.push(performance.now() - movedAt);
    movedAt = 0;
  };
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof HTMLVideoElement)) requestAnimationFrame(shown);
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-shows'] });
}

interface Analysed {
  /** When each video's analysis was known to be complete, by `Date.now()`. */
  readonly analysed: Map<string, number>;
}

/** Runs in the page: notes when it learns of complete analyses. */
function noteAnalyses(): void {
  const noted: Analysed = { analysed: new Map() };
  Object.assign(globalThis, noted);
  const { fetch } = globalThis;
  globalThis.fetch = async (...request: Parameters<typeof fetch>) => {
    const response = await fetch(...request);
    if (/\/analysis(\?|$)/.test(response.url)) {
      void response
        .clone()
        .json()
        .then(({ data }: { readonly data?: { readonly status: string; readonly video_id: string } }) => {
          if (data?.status === 'completed' && !noted.analysed.has(data.video_id))
            noted.analysed.set(data.video_id, Date.now());
        })
        .catch(() => {});
    }
    return response;
  };
}

/** When the page learned of the last complete analysis, by this process's `performance.now()`. */
async function lastAnalysis(page: Page): Promise<number> {
  const at = await page.evaluate(() => Math.max(...(globalThis as unknown as Analysed).analysed.values()));
  return performance.now() - (Date.now() - at);
}

async function render(page: Page): Promise<void> {
  const start = performance.now();
  await page.getByRole('button', { name: 'Render', exact: true }).click();
  await page.getByRole('list', { name: 'Shots of the result' }).waitFor();
  note('render pressed, until the result', since(start));
  await picture(page, '5-result');
  const pressed = performance.now();
  const arriving = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Video/ }).click();
  const { size } = await stat(await (await arriving).path());
  note(`download of ${(size / 1e6).toFixed(1)} MB`, since(pressed));
}

async function picture(page: Page, name: string): Promise<void> {
  if (values.pictures !== undefined)
    await page.screenshot({ path: join(values.pictures, `${name}.png`), fullPage: true });
}

/** Times of the service's answers to the page. */
function watched(page: Page) {
  const times = { plansMs: [] as number[] };
  const isPlan = (request: Request) => request.method() === 'POST' && request.url().endsWith('/previews');
  const sent = new Map<Request, number>();
  page.on('request', (request) => {
    if (isPlan(request)) sent.set(request, performance.now());
  });
  page.on('requestfinished', (request) => {
    const at = sent.get(request);
    if (at !== undefined) times.plansMs.push(performance.now() - at);
  });
  return times;
}
