import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { addressOfParts } from '../../web/src/state/edit-address.ts';
import { type Make, NO_EDIT } from '../../web/src/state/edit-parts.ts';
import { DEFAULT_SETTINGS } from '../../web/src/state/settings.ts';
import { startBrowser } from '../support/chromium.ts';
import { temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { beatSong, takeClip } from '../support/reel-clips.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, dropFiles, FRAME_GONE, openPage, THEMES, wearTheme } from './page.ts';

const PLANNED_MS = 120_000;
const IS_LONG = process.env['TEST_LONG'] !== undefined;

const shownSeconds = (page: Page) =>
  page.evaluate(() =>
    Number(document.querySelector<HTMLElement>('video[data-shows]')?.dataset['shows'] ?? 0),
  );

describe('the storyboard', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let files: { readonly one: string; readonly two: string; readonly reel: string; readonly song: string };
  let photo: string;
  let ids: { readonly one: string; readonly two: string; readonly reel: string; readonly song: string };

  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    files = {
      one: await takeClip(folder, { name: 'one', tone: 30, durationSeconds: 7 }),
      two: await takeClip(folder, { name: 'two', tone: 90, durationSeconds: 7 }),
      reel: await takeClip(folder, { name: 'reel', tone: 40, durationSeconds: 8, shotSeconds: 1 }),
      song: beatSong(folder),
    };
    photo = join(folder, 'photo.png');
    const size = { width: 192, height: 108 };
    writeFileSync(photo, await encodeImage('png', size, (x, y) => [x, 2 * y, (3 * x + 5 * y) % 256]));
    ids = {
      one: await uploaded(service, files.one),
      two: await uploaded(service, files.two),
      reel: await uploaded(service, files.reel),
      song: await uploaded(service, files.song),
    };
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const videoOf = (videoId: string) => ({ kind: 'video', videoId }) as const;
  /** The page with two takes, a song and a look that are at the service. */
  const addressOf = (more: Partial<Make> = {}) => {
    const takes = [ids.one, ids.two].map((id, at) => ({
      ...{ id: at + 1, source: videoOf(id), exclude: [], mustUse: false },
    }));
    const make: Make = {
      ...{ ...NO_EDIT, takes, song: { source: videoOf(ids.song), startSeconds: null } },
      ...{ look: videoOf(ids.reel), settings: DEFAULT_SETTINGS, revises: null, ...more },
    };
    return `${service.baseUrl}/#${addressOfParts(make)}`;
  };
  const shot = (page: Page, number: number) =>
    page.getByRole('button', { name: new RegExp(`^Shot ${number},`) });
  const planned = (page: Page) => shot(page, 1).waitFor({ timeout: PLANNED_MS });
  /** Labels of all shots, once no plan is pending. */
  const shotsOf = async (page: Page) => {
    await page.getByText('planning again').waitFor({ state: 'detached' });
    const list = page.getByRole('list', { name: 'Shots of your edit' });
    // The names of the takes may arrive after the plan.
    await list
      .getByRole('button', { name: /, a take/ })
      .first()
      .waitFor({ state: 'detached' });
    const buttons = await list.getByRole('button').all();
    return Promise.all(buttons.map((button) => button.locator('.unseen').textContent()));
  };
  const takesOf = (page: Page) =>
    page
      .getByRole('list', { name: 'Takes' })
      .getByRole('button', { name: /^Take .* out$/ })
      .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel));

  /** The list is updated a moment later. */
  const takesBecome = async (page: Page, names: readonly string[]) => {
    for (let tries = 0; tries < 100 && (await takesOf(page)).join() !== names.join(); tries++)
      await page.waitForTimeout(50);
    assert.deepEqual(await takesOf(page), names);
  };

  test('the example shows each of its takes', async () => {
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(FRAME_GONE);
    await page.getByRole('button', { name: 'Try with an example' }).click();
    await planned(page);
    await page.getByText('of the first').waitFor({ state: 'detached', timeout: PLANNED_MS });
    const shots = (await shotsOf(page)).join();
    for (const name of ['cat.jpg', 'frog.mp4', 'rocket.jpg', 'pig.mp4', 'rabbit.mp4'])
      assert.ok(shots.includes(name), `${name} in ${shots}`);
  });

  test('without a look the song decides the cuts, and a look can follow', async () => {
    await using opened = await openPage(browser, addressOf({ look: null }));
    const { page } = opened;
    opened.allow(FRAME_GONE);
    await planned(page);
    assert.ok((await shotsOf(page)).every((label) => label?.includes('on the beat')));
    await page.getByText('the song alone decides the cuts').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Render' }).isEnabled());
    await page.getByRole('radio', { name: /^Noir/ }).check({ force: true });
    await page.getByText('the song alone decides the cuts').waitFor({ state: 'detached' });
    await planned(page);
  });

  test('takes, a photo and a song of one drop become an edit, which is rendered and changed again', async () => {
    const notes = join(folder, 'notes.txt');
    writeFileSync(notes, 'Dear editor');
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    opened.allow(FRAME_GONE);
    let copies = 0;
    const open = new Set<Request>();
    let mostOpen = 0;
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/proxy')) return;
      copies++;
      open.add(request);
      mostOpen = Math.max(mostOpen, open.size);
    });
    page.on('response', (response) => open.delete(response.request()));
    const plan = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/previews'),
      { timeout: PLANNED_MS },
    );
    const copiesAtPlan = plan.then(() => copies);
    await dropFiles(page, 'Your video', [files.one, files.two, photo, files.song, notes, files.one]);
    await page.getByRole('alert').getByText('notes.txt was not added').waitFor();
    await page.getByRole('alert').getByText('one.mp4 is here already').waitFor();
    await page.getByText('3 takes and a song').waitFor();
    await takesBecome(page, ['Take one.mp4 out', 'Take two.mp4 out', 'Take photo.png out']);
    await page.getByRole('region', { name: 'Song' }).getByText('song.wav').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).first().click();
    await dropFiles(page, 'The look', [files.reel]);
    await planned(page);
    assert.equal(await copiesAtPlan, 2, 'the song and the first take need no plan');
    await page.getByRole('region', { name: 'Player' }).waitFor({ timeout: PLANNED_MS });
    assert.equal(mostOpen, 1, 'requests arrive in the order in which copies are played');
    await assertAccessible(page, 'planned');
    await page.getByRole('radio', { name: 'Draft' }).check();
    await shot(page, 2).click();
    await page.getByRole('region', { name: 'Shot 2' }).getByRole('button', { name: 'Pin' }).click();
    await page.getByRole('button', { name: /^Shot 2,.*pinned/ }).waitFor();
    await page.getByRole('button', { name: 'Render', exact: true }).click();
    const result = page.getByRole('list', { name: 'Shots of the result' });
    await result.waitFor({ timeout: PLANNED_MS });
    await assertAccessible(page, 'rendered');
    await result.getByRole('button', { name: /^Shot 3,/ }).click();
    await page.getByText('Shot 3: ').waitFor();
    await page.getByRole('link', { name: 'Again with changes' }).click();
    await page.getByRole('button', { name: /^Shot 2,.*pinned/ }).waitFor({ timeout: PLANNED_MS });
    await takesBecome(page, ['Take one.mp4 out', 'Take two.mp4 out', 'Take photo.png out']);
    assert.ok(await page.getByRole('radio', { name: 'Draft' }).isChecked());
  });

  test('by keyboard a shot is opened, pinned, refused and moved; undo and redo restore each; a reload and a link keep it', async () => {
    await using opened = await openPage(browser, addressOf());
    const { page } = opened;
    await planned(page);
    const first = await shotsOf(page);
    await shot(page, 1).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('p');
    await page.getByRole('button', { name: /^Shot 2,.*pinned/ }).waitFor();
    await page.keyboard.press('ArrowRight');
    const refused = await shot(page, 3).locator('.unseen').textContent();
    await page.keyboard.press('Delete');
    await page.getByText(/shots? changed/).waitFor();
    assert.notEqual((await shotsOf(page))[2], refused);
    await page.keyboard.press('Control+z');
    await page.getByText(/shots? changed/).waitFor();
    assert.equal((await shotsOf(page))[2], refused);
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: /^Shot 2,.*pinned/ }).waitFor({ state: 'detached' });
    assert.deepEqual(await shotsOf(page), first);
    await page.keyboard.press('Control+Shift+z');
    await page.getByRole('button', { name: /^Shot 2,.*pinned/ }).waitFor();
    await shot(page, 1).focus();
    await page.keyboard.press('Enter');
    const slip = page.getByRole('slider', { name: /that the shot shows$/ });
    await slip.focus();
    const wasAt = Number(await slip.inputValue());
    await page.keyboard.press(wasAt > 1 ? 'ArrowLeft' : 'ArrowRight');
    await page.getByRole('button', { name: /^Shot 1,.*pinned/ }).waitFor();
    assert.ok(Math.abs(Math.abs(Number(await slip.inputValue()) - wasAt) - 0.04) < 0.011, 'one frame');
    const kept = await shotsOf(page);
    await page.reload();
    await planned(page);
    assert.deepEqual(await shotsOf(page), kept);
    await using other = await openPage(browser, page.url());
    await planned(other.page);
    assert.deepEqual(await shotsOf(other.page), kept);
  });

  test('another shot is chosen from the alternatives', async () => {
    await using opened = await openPage(browser, addressOf());
    const { page } = opened;
    await planned(page);
    await shot(page, 2).click();
    const panel = page.getByRole('region', { name: 'Shot 2' });
    const offer = panel.getByRole('button', { name: /^Use / }).first();
    const [, name, at] = /^Use (\S+) (\d+:\d\d\.\d)/.exec((await offer.textContent())!)!;
    await offer.click();
    await page.getByRole('button', { name: new RegExp(`^Shot 2,.*${name}, from ${at},.*pinned`) }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  test('takes are moved, removed and restored, required, and trimmed by keyboard', async () => {
    await using opened = await openPage(browser, addressOf());
    const { page } = opened;
    await planned(page);
    await page.getByRole('button', { name: 'Move one.mp4' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('one.mp4 is now 2 of 2').waitFor();
    await takesBecome(page, ['Take two.mp4 out', 'Take one.mp4 out']);
    await page.waitForFunction(() => /^Move one\.mp4/.test(document.activeElement?.ariaLabel ?? ''));
    await page.getByRole('button', { name: 'Take two.mp4 out' }).click();
    await page.getByText('two.mp4 was taken out.').waitFor();
    await page
      .getByRole('list', { name: 'Takes' })
      .locator('..')
      .getByRole('button', { name: 'Undo' })
      .click();
    await takesBecome(page, ['Take two.mp4 out', 'Take one.mp4 out']);
    for (const name of ['two', 'one'])
      await page.getByRole('button', { name: `Take ${name}.mp4 out` }).click();
    await shot(page, 1).waitFor({ state: 'detached' });
    await page.getByText('Add videos or photos').waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.getByText('2 takes and a song').waitFor();
    await planned(page);
    await page.getByRole('button', { name: 'Details of one.mp4' }).click();
    await page.getByRole('switch', { name: 'Must be used' }).check();
    await page.getByText('must use', { exact: true }).waitFor();
    await page.getByRole('slider', { name: /^End of the part of one\.mp4/ }).focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.getByText('0:00.0 to 0:06.0').first().waitFor();
    await page.waitForURL(/!~6~7/);
    await planned(page);
    await assertAccessible(page, 'details open');
  });

  test('a changed plan replaces the one in the player before all of its copies are made', async () => {
    const takeOf = (id: string) => [{ id: 1, source: videoOf(id), exclude: [], mustUse: false }];
    await using opened = await openPage(browser, addressOf({ takes: takeOf(ids.one), duration: 5 }), {
      prepare: async (page) => {
        await page.route(`**/videos/${ids.two}/proxy`, () => new Promise(() => {}));
      },
    });
    const { page } = opened;
    const position = page.getByRole('region', { name: 'Player' }).getByRole('slider', { name: 'Position' });
    await position.waitFor({ timeout: PLANNED_MS });
    const before = Number(await position.getAttribute('max'));
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      new URL(addressOf({ takes: takeOf(ids.two), duration: 3 })).hash,
    );
    await page.getByText('Until then, their shots are stills').waitFor({ timeout: PLANNED_MS });
    assert.ok(Number(await position.getAttribute('max')) < before);
  });

  test('sound, length, order and titles are those that were chosen, in the address too', async () => {
    await using opened = await openPage(browser, addressOf());
    const { page } = opened;
    await planned(page);
    // The player has a choice of that name too.
    await page.getByRole('form', { name: 'Settings' }).getByRole('radio', { name: 'Both' }).check();
    await page.getByRole('radio', { name: 'Seconds' }).check();
    await page.getByRole('spinbutton', { name: 'Seconds' }).fill('4');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Free' }).check();
    await page.getByRole('button', { name: 'Add a title' }).click();
    await page.getByRole('textbox', { name: 'Text of title 1' }).fill('Lisbon, May');
    await page.getByRole('combobox', { name: 'Style of title 1' }).selectOption('bold');
    await page.getByRole('combobox', { name: 'Box of title 1' }).selectOption('on');
    await page.getByRole('combobox', { name: 'Animation of title 1' }).selectOption('slide');
    await page.getByRole('button', { name: /^Place of title 1/ }).press('ArrowUp');
    await page.getByText(/shots? in 0:0[34]\.\d/).waitFor({ timeout: PLANNED_MS });
    await page.waitForURL(
      /&n=start:Lisbon%2C%20May:bold:0\.5:0\.48:b1:aslide&sound=mix&order=free&duration=4/,
    );
    await assertAccessible(page, 'options of the edit');
    await page.reload();
    await page.getByRole('textbox', { name: 'Text of title 1' }).waitFor();
    assert.equal(await page.getByRole('spinbutton', { name: 'Seconds' }).inputValue(), '4');
  });

  test('a refused file has an error in its row, and the others are planned without it', async () => {
    const letter = join(folder, 'letter.mp4');
    writeFileSync(letter, 'Dear editor');
    await using opened = await openPage(browser, addressOf());
    const { page } = opened;
    opened.allow(/415/);
    await dropFiles(page, 'Your video', [letter]);
    const row = page.getByRole('listitem').filter({ hasText: 'letter.mp4' });
    await row.getByRole('alert').getByText('This file format is not supported').waitFor();
    await planned(page);
    await assertAccessible(page, 'a take refused');
    assert.ok(await page.getByRole('button', { name: 'Render', exact: true }).isEnabled());
  });

  test('pins of shots beyond the end are set aside, and wait for a longer edit', async () => {
    const pins = [{ slot: 3, videoId: ids.one, startSeconds: 1 }];
    await using opened = await openPage(browser, addressOf({ pins, duration: 2 }));
    const { page } = opened;
    opened.allow(/422/);
    await page.getByText(/^The edit ends before shot 4: /).waitFor({ timeout: PLANNED_MS });
    await page.getByRole('radio', { name: 'As the look' }).check();
    await page.getByRole('button', { name: /^Shot 4,.*pinned/ }).waitFor();
    assert.equal(await page.getByText(/^The edit ends before/).count(), 0);
  });

  test('a render pressed while the plan is pending leaves out pins beyond the end', async () => {
    const pins = [{ slot: 4, videoId: ids.one, startSeconds: 1 }];
    await using opened = await openPage(browser, addressOf({ pins, duration: 2 }));
    const { page } = opened;
    opened.allow(/422/);
    opened.allow(FRAME_GONE);
    await page.route('**/api/v1/previews', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.continue();
    });
    await page.reload();
    const creation = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/v1/jobs'),
    );
    await page.getByRole('button', { name: 'Render', exact: true }).click();
    assert.deepEqual((await creation).postDataJSON().edit.pins, []);
    await page.getByRole('list', { name: 'Shots of the result' }).waitFor({ timeout: PLANNED_MS });
  });

  test('a shot is a beat longer and shorter by key and button; what cannot be is said, and undone', async () => {
    await using opened = await openPage(browser, addressOf({ duration: 4 }));
    const { page } = opened;
    opened.allow(/422/);
    await planned(page);
    const before = await shotsOf(page);
    await shot(page, 2).focus();
    await page.keyboard.press('+');
    await page.getByText(/shots? changed/).waitFor();
    const longer = await shotsOf(page);
    // In little material an in-point may move to make room.
    const takeAndTime = (label: string | null | undefined) => label?.replace(/, from [^,]+/, '');
    for (const [at, label] of before.entries())
      if (at !== 1 && at !== 2) assert.equal(takeAndTime(longer[at]), takeAndTime(label));
    const seconds = (label: string | null | undefined) => Number(/([\d.]+) seconds/.exec(label!)![1]);
    assert.deepEqual(
      [seconds(longer[1]) - seconds(before[1]), seconds(longer[2]) - seconds(before[2])],
      [0.5, -0.5],
    );
    await shot(page, 2).click();
    const panel = page.getByRole('region', { name: 'Shot 2' });
    await panel.getByText('a beat longer than planned').waitFor();
    await page.waitForURL(/&g=1:1/);
    await page.reload();
    await planned(page);
    assert.deepEqual(await shotsOf(page), longer);
    await shot(page, 2).click();
    await panel.getByRole('button', { name: 'A beat shorter' }).click();
    await panel.getByText('than planned').waitFor({ state: 'detached' });
    assert.deepEqual(await shotsOf(page), before);
    const beats = seconds(before[1]) / 0.5;
    for (let presses = 0; presses < beats; presses++)
      await panel.getByRole('button', { name: 'A beat shorter' }).click();
    await page.getByText('Shot 2 cannot be shorter').waitFor();
    await assertAccessible(page, 'a length refused');
    assert.equal((await shotsOf(page)).length, before.length, 'the plan before stays');
    await page.getByRole('button', { name: /^Undo: Make shot 2/ }).click();
    await page.getByText('Shot 2 cannot be shorter').waitFor({ state: 'detached' });
  });

  test('what must stay in view is dragged, moved by arrow keys, and given back', async () => {
    const upright = await takeClip(folder, {
      name: 'up',
      tone: 40,
      durationSeconds: 8,
      shotSeconds: 1,
      isUpright: true,
    });
    const look = videoOf(await uploaded(service, upright));
    const settings = { ...DEFAULT_SETTINGS, shape: true } as const;
    await using opened = await openPage(browser, addressOf({ look, settings }));
    const { page } = opened;
    await planned(page);
    await shot(page, 1).click();
    const panel = page.getByRole('region', { name: 'Shot 1' });
    const part = panel.getByRole('button', { name: /^Part of shot 1 that stays in view/ });
    const across = async () => Number(/middle (\d+) %/.exec((await part.getAttribute('aria-label'))!)![1]);
    const chosen = await across();
    const picture = (await part.locator('..').boundingBox())!;
    const pointTo = (share: number) =>
      page.mouse.move(picture.x + share * picture.width, picture.y + picture.height / 2);
    const aim = chosen > 50 ? 0.3 : 0.7;
    await pointTo(chosen / 100);
    await page.mouse.down();
    await pointTo(0.5);
    await pointTo(aim);
    assert.ok(Math.abs((await across()) - 100 * aim) <= 1, 'at once');
    await page.mouse.up();
    await page.getByRole('button', { name: /^Shot 1,.*pinned/ }).waitFor();
    await panel.getByRole('button', { name: 'Frame by itself' }).waitFor();
    assert.ok(Math.abs((await across()) - 100 * aim) <= 1, 'as planned');
    await page.waitForURL(new RegExp(`&p=0:\\d@[\\d.]+~${aim}~`));
    await part.focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.waitForURL(new RegExp(`~${(aim - 0.1).toFixed(1)}~`));
    assert.ok(Math.abs((await across()) - 100 * (aim - 0.1)) <= 1);
    await assertAccessible(page, 'a focus set');
    await part.focus();
    await page.keyboard.press('Delete');
    await panel.getByRole('button', { name: 'Frame by itself' }).waitFor({ state: 'detached' });
    for (let tries = 0; tries < 100 && (await across()) !== chosen; tries++) await page.waitForTimeout(50);
    assert.equal(await across(), chosen);
  });

  test('a shot under the pointer runs through its part of the take, to the frame', async () => {
    await using opened = await openPage(browser, addressOf());
    const { page } = opened;
    await planned(page);
    await page.getByRole('button', { name: 'Play', exact: true }).first().waitFor({ timeout: PLANNED_MS });
    // Playing begins before all copies are made; the line about them moves the shots.
    await page.getByText('Making small copies').waitFor({ state: 'detached' });
    const tile = (await shot(page, 2).boundingBox())!;
    const waits: number[] = [];
    for (const share of [0.2, 0.4, 0.6, 0.8]) {
      const last = waits.length === 0 ? 0 : await shownSeconds(page);
      const started = performance.now();
      await shot(page, 2).hover({ position: { x: share * tile.width, y: tile.height / 2 } });
      await page.waitForFunction(
        ([wanted, last]) => {
          const shown = document.querySelector<HTMLElement>('video[data-shows]')?.dataset['shows'];
          return shown !== undefined && (wanted === 0.2 || Number(shown) > last!);
        },
        [share, last],
      );
      waits.push(performance.now() - started);
    }
    console.log(
      `scrubbing: first frame ${waits[0]!.toFixed(0)} ms, then ${waits
        .slice(1)
        .map((wait) => wait.toFixed(0))
        .join(', ')} ms`,
    );
  });

  test('a link to an edit in a look that is a file names the file', async () => {
    const look = { kind: 'style', name: 'mine.json', style: {} } as unknown as Make['look'];
    await using opened = await openPage(browser, addressOf({ look }));
    const { page } = opened;
    await page.getByText('is the Style DNA file mine.json, which a link does not carry').waitFor();
    await assertAccessible(page, 'a look that a link does not carry');
  });

  /** Positions of the line that a picture shows while a finger moves across it. */
  async function fingerAcross(page: Page, picture: Locator): Promise<string[]> {
    await picture.scrollIntoViewIfNeeded();
    const still = picture.locator('img').first().locator('../..');
    const { x, y, width, height } = (await still.boundingBox())!;
    const input = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
      input.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: share === undefined ? [] : [{ x: x + share * width, y: y + height / 2 }],
      });
    const shown = new Set<string>();
    await touch('touchStart', 0.1);
    for (const share of [0.2, 0.35, 0.5, 0.65, 0.8, 0.95]) {
      await touch('touchMove', share);
      await page.waitForTimeout(50);
      const place = picture.locator('[style*="--share"]');
      if ((await place.count()) > 0) shown.add((await place.getAttribute('style'))!);
    }
    await touch('touchEnd');
    return [...shown];
  }

  test('on a phone it is a list that fits, in every theme', async () => {
    await using opened = await openPage(browser, addressOf(), { width: 390 });
    const { page } = opened;
    await planned(page);
    // A plan that arrives between press and release moves the list.
    await shotsOf(page);
    await shot(page, 2).click();
    await page.getByRole('region', { name: 'Shot 2' }).waitFor();
    await assertFits(page, 'the storyboard');
    const [first, second] = await Promise.all([1, 2].map((number) => shot(page, number).boundingBox()));
    assert.ok(second!.y >= first!.y + first!.height, 'one below the other');
    const places = await fingerAcross(page, shot(page, 1));
    assert.ok(places.length > 4, `a finger runs through the shot: ${places}`);
    for (const theme of THEMES) {
      await wearTheme(page, theme);
      await assertAccessible(page, `on a phone, ${theme}`);
    }
  });

  test('fifty takes are listed, planned and shared', {
    skip: IS_LONG ? false : 'takes a minute: npm run test:long',
  }, async () => {
    const clips = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        takeClip(folder, { name: `take-${at}`, tone: 10 + 3 * at, durationSeconds: 2 }),
      ),
    );
    await using opened = await openPage(browser, service.baseUrl);
    const { page } = opened;
    await page
      .getByRole('region', { name: 'Your video' })
      .locator('input[type=file]')
      .setInputFiles([...clips, files.one]);
    await page.getByRole('alert').getByText('one.mp4 was not added').waitFor();
    await dropFiles(page, 'The look', [files.reel]);
    await shot(page, 1).waitFor({ timeout: 400_000 });
    assert.equal((await takesOf(page)).length, 50);
    assert.ok(page.url().length < 2000, `${page.url().length}`);
    await assertAccessible(page, 'fifty takes');
  });
});
