/** The player of plans, alone on a page with the service's policy: its frames are those of the schedule. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { PlaybackPlan } from '../../web/src/player/playback-plan.ts';
import { startBrowser } from '../support/chromium.ts';
import { temporaryFolder } from '../support/clips.ts';
import { Firefox, firefoxPath } from '../support/firefox.ts';
import { timelineClip } from '../support/timeline-clip.ts';
import {
  expectedNumbers,
  moments,
  numberedFiles,
  numbersAt,
  PLAN,
  pairsAt,
  RENDERED_PLAN,
  TAKE_SECONDS,
  TIMELINE,
} from './edit-player/numbered-plan.ts';
import { makePlayer, openPlayer, type PlayerScope } from './edit-player/opening.ts';
import { type PlayerPage, servePlayer } from './edit-player/serving.ts';

const FORCED = {
  'the worker and WebGL': {},
  'the worker and a 2D canvas': { painter: 'canvas' },
  'video elements and a 2D canvas': { pictures: 'elements', painter: 'canvas' },
} as const;

const FIREFOX = firefoxPath();

describe('the player of plans', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let served: PlayerPage;
  let browser: Browser;

  before(async () => {
    [served, browser] = await Promise.all([servePlayer(await numberedFiles(folder)), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });

  for (const [name, force] of Object.entries(FORCED)) {
    test(`with ${name}, each moment shows the frame of the schedule`, async () => {
      await using opened = await openPlayer(browser, served, PLAN, force);
      assertShown(await opened.page.evaluate(numbersAt, moments(TIMELINE)));
    });
  }

  for (const [name, force] of [
    ['what it has', {}],
    ['video elements', { pictures: 'elements' }],
  ] as const) {
    test(`in Firefox with ${name}, each moment shows the frame of the schedule`, {
      skip: FIREFOX === null ? 'firefox-esr is not installed' : false,
    }, async () => {
      await using firefox = await Firefox.start(FIREFOX!);
      const page = await firefox.open(served.url);
      await page.until(() => 'createPlayer' in globalThis);
      await page.evaluate(makePlayer, { plan: PLAN, force });
      assertShown(await page.evaluate(numbersAt, moments(TIMELINE)));
      assert.deepEqual(await page.evaluate(() => (globalThis as unknown as PlayerScope).failures), []);
      assert.deepEqual(page.complaints, []);
    });
  }

  for (const [name, force] of Object.entries(FORCED)) {
    test(`with ${name}, a rendered output stands next to the moments of the takes that it shows`, async () => {
      await using opened = await openPlayer(browser, served, RENDERED_PLAN, force);
      assertPairs(await opened.page.evaluate(pairsAt, moments(TIMELINE)));
    });
  }

  test('in Firefox with video elements, a rendered output stands next to what it shows', {
    skip: FIREFOX === null ? 'firefox-esr is not installed' : false,
  }, async () => {
    await using firefox = await Firefox.start(FIREFOX!);
    const page = await firefox.open(served.url);
    await page.until(() => 'createPlayer' in globalThis);
    await page.evaluate(makePlayer, { plan: RENDERED_PLAN, force: { pictures: 'elements' as const } });
    assertPairs(await page.evaluate(pairsAt, moments(TIMELINE)));
    assert.deepEqual(page.complaints, []);
  });

  test('with video elements, before and after stay together while they play', async () => {
    const clips = [timelineClip(0, TAKE_SECONDS)];
    const timeline = { ...TIMELINE, clips, takes: [{ grade: null }] };
    const plan = { ...RENDERED_PLAN, timeline, takes: [{ videoId: 'take-0.mp4' }] };
    await using opened = await openPlayer(browser, served, plan, { pictures: 'elements' });
    const pairs = await opened.page.evaluate(playBeside, 3000);
    assert.ok(new Set(pairs.map(([one]) => one)).size > 10, 'it plays');
    const distances = pairs.map(([one, other]) => Math.abs(one! - other!)).sort((a, b) => a - b);
    assert.ok(distances[distances.length >> 1]! <= 2, `frames apart: ${distances}`);
  });

  test('another plan is shown at the same moment, and a playing one continues', async () => {
    await using opened = await openPlayer(browser, served, PLAN);
    const clips = [...TIMELINE.clips].reverse();
    const next = { ...PLAN, timeline: { ...TIMELINE, clips } };
    const shown = await opened.page.evaluate(changePlan, next);
    const expected = expectedNumbers(next.timeline);
    assert.deepEqual(shown, { frame: 40, number: expected[40], isPlaying: true });
  });

  for (const [name, force] of Object.entries(FORCED)) {
    test(`with ${name}, a file that arrives while its still plays takes its place`, async () => {
      await using opened = await openPlayer(browser, served, PLAN, force);
      const { before, after, interruptions } = await opened.page.evaluate(arriveWhilePlaying, PLAN);
      assert.deepEqual([...new Set(before.map(([, number]) => number))], [1000], 'a still until then');
      const expected = expectedNumbers(TIMELINE);
      const distances = after.map(([frame, number]) => Math.abs(number! - expected[frame!]!));
      // Video elements play roughly in time, and a picture can be read while it changes.
      const [most, last] = 'pictures' in force ? [8, distances.slice(-3)] : [0, distances.slice(-1)];
      assert.ok(Math.min(...last) <= most, `frames apart: ${distances}`);
      assert.equal(interruptions, 0);
    });
  }

  test('while it plays, frames follow each other in the order of the schedule', async () => {
    await using opened = await openPlayer(browser, served, PLAN, {});
    const expected = expectedNumbers(TIMELINE);
    const pairs = await opened.page.evaluate(playThrough);
    for (const [frame, number] of pairs) assert.equal(number, expected[frame!], `frame ${frame}`);
    const frames = pairs.map(([frame]) => frame!);
    assert.deepEqual(
      frames,
      [...frames].sort((a, b) => a - b),
    );
    assert.equal(frames.at(-1), expected.length - 1);
    assert.ok(
      frames.length > expected.length / 2,
      `${frames.length} of ${expected.length} frames were drawn`,
    );
  });
});

function assertShown(shown: readonly number[]): void {
  const wanted = moments(TIMELINE);
  const expected = expectedNumbers(TIMELINE);
  assert.ok(wanted.length >= 20);
  assert.deepEqual(
    wanted.map((frame, index) => [frame, shown[index]]),
    wanted.map((frame) => [frame, expected[frame]]),
  );
}

/** Runs in the page: plays for some time, and returns the numbers before and after that were shown. */
async function playBeside(milliseconds: number): Promise<number[][]> {
  const { player } = globalThis as unknown as PlayerScope;
  const canvas = document.querySelector('canvas')!;
  player.setView('beside');
  await player.seekFrame(0);
  await player.play();
  const pairs: number[][] = [];
  const until = performance.now() + milliseconds;
  while (performance.now() < until) {
    const copy = new OffscreenCanvas(canvas.width, 1).getContext('2d')!;
    copy.drawImage(canvas, 0, -(canvas.height >> 1));
    const row = copy.getImageData(0, 0, canvas.width, 1).data;
    const numberIn = (part: number) => {
      let number = 0;
      for (let bit = 0; bit < 10; bit++)
        if (row[4 * Math.floor(((part + (bit + 0.5) / 10) * canvas.width) / 2)]! > 125) number |= 1 << bit;
      return number;
    };
    pairs.push([numberIn(0), numberIn(1)]);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return pairs;
}

/** Before the frame of the take, after that of the output. */
function assertPairs(pairs: readonly (readonly number[])[]): void {
  const wanted = moments(TIMELINE);
  const expected = expectedNumbers(TIMELINE);
  assert.deepEqual(
    wanted.map((frame, index) => [frame, ...pairs[index]!]),
    wanted.map((frame) => [frame, expected[frame], frame]),
  );
}

/** Runs in the page: another plan at frame 40, then while it plays. */
async function changePlan(plan: PlaybackPlan) {
  const { player } = globalThis as unknown as PlayerScope;
  const proxyOf = (videoId: string) => ({
    kind: videoId.endsWith('.jpg') ? ('image' as const) : ('video' as const),
    address: `media/${videoId}`,
    hasSound: false,
  });
  await player.seekFrame(40);
  player.setPlan(plan, proxyOf);
  await player.seekFrame(40);
  const canvas = document.querySelector('canvas')!;
  const copy = new OffscreenCanvas(canvas.width, 1).getContext('2d')!;
  copy.drawImage(canvas, 0, -(canvas.height >> 1));
  const row = copy.getImageData(0, 0, canvas.width, 1).data;
  let number = 0;
  for (let bit = 0; bit < 10; bit++)
    if (row[4 * Math.floor(((bit + 0.5) * canvas.width) / 10)]! > 125) number |= 1 << bit;
  const { frame } = player.state;
  await player.play();
  player.setPlan(plan, proxyOf);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return { frame, number, isPlaying: player.state.isPlaying };
}

/** Runs in the page: plays to the end, and returns each frame that was shown with the number in its picture. */
async function playThrough(): Promise<number[][]> {
  const { player } = globalThis as unknown as PlayerScope;
  const canvas = document.querySelector('canvas')!;
  const pairs: number[][] = [];
  let last = -1;
  const ended = new Promise<void>((resolve) => {
    player.on(({ frame, isPlaying, isLoading }) => {
      if (isPlaying && !isLoading && frame !== last) {
        const copy = new OffscreenCanvas(canvas.width, 1).getContext('2d')!;
        copy.drawImage(canvas, 0, -(canvas.height >> 1));
        const row = copy.getImageData(0, 0, canvas.width, 1).data;
        let number = 0;
        for (let bit = 0; bit < 10; bit++)
          if (row[4 * Math.floor(((bit + 0.5) * canvas.width) / 10)]! > 125) number |= 1 << bit;
        pairs.push([frame, number]);
        last = frame;
      }
      if (!isPlaying && pairs.length > 0) resolve();
    });
  });
  await player.seekFrame(0);
  await player.play();
  await ended;
  return pairs;
}

/** Runs in the page: the still of the first clip, then its file; each frame that was shown with the number in its picture. */
async function arriveWhilePlaying(plan: PlaybackPlan) {
  const { player } = globalThis as unknown as PlayerScope;
  const canvas = document.querySelector('canvas')!;
  const photo = { kind: 'image', address: 'media/photo.jpg', hasSound: false } as const;
  const video = (name: string) => ({ kind: 'video', address: `media/${name}`, hasSound: true }) as const;
  const fileOf = (isThere: boolean) => (name: string) =>
    name === 'photo.jpg' || (name === 'take-1.mp4' && !isThere) ? photo : video(name);
  const pairs: number[][] = [];
  let interruptions = 0;
  player.setPlan(plan, fileOf(false));
  await player.seekFrame(0);
  await player.play();
  const stop = player.on(({ frame, isPlaying }) => {
    if (!isPlaying) interruptions++;
    if (frame === pairs.at(-1)?.[0]) return;
    const copy = new OffscreenCanvas(canvas.width, 1).getContext('2d')!;
    copy.drawImage(canvas, 0, -(canvas.height >> 1));
    const row = copy.getImageData(0, 0, canvas.width, 1).data;
    let number = 0;
    for (let bit = 0; bit < 10; bit++)
      if (row[4 * Math.floor(((bit + 0.5) * canvas.width) / 10)]! > 125) number |= 1 << bit;
    pairs.push([frame, number]);
  });
  const until = async (frame: number) => {
    while (player.state.frame < frame) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(3);
  const before = pairs.splice(0);
  player.setPlan(plan, fileOf(true));
  await until(26);
  stop();
  player.pause();
  return { before, after: pairs, interruptions };
}
