/** The player of plans, alone on a page with the service's policy: its frames are those of the schedule. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import type { Clip, Timeline } from '../../src/style/model/timeline.ts';
import type { PlaybackPlan } from '../../web/src/player/playback-plan.ts';
import { startBrowser } from '../support/chromium.ts';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';
import { openPlayer, type PlayerScope } from './edit-player/opening.ts';
import { type PlayerPage, servePlayer } from './edit-player/serving.ts';

const SIZE = { width: 320, height: 180 };
const RATE = 25;
const TAKE_SECONDS = 6;
/** Frames of take n are numbered from n × 200; the photo's number is 1000. */
const NUMBERS_PER_TAKE = 200;
const PHOTO_NUMBER = 1000;
/** Clips of the takes in any order, two of them next to each other in one take, one twice, and a photo. */
const CLIPS: readonly Clip[] = [
  slot(1, 2, 3.2),
  slot(0, 4, 5),
  slot(2, 0, 1),
  slot(1, 0.4, 1.4),
  slot(0, 5.2, 6),
  slot(0, 1, 2),
  slot(0, 2, 2.6),
];
const TIMELINE: Timeline = {
  ...timelineOf(CLIPS),
  ...SIZE,
  frameRate: { numerator: RATE, denominator: 1 },
  takes: [{ grade: null }, { grade: null }, { grade: null }],
};
const PLAN: PlaybackPlan = {
  timeline: TIMELINE,
  gainDb: 0,
  takes: [{ videoId: 'take-0.mp4' }, { videoId: 'take-1.mp4' }, { videoId: 'photo.jpg' }],
  music: null,
};

function slot(take: number, startSeconds: number, endSeconds: number): Clip {
  return timelineClip(startSeconds, endSeconds, { take, reason: 'slot' });
}

/** The number in the picture of each output frame. */
function expectedNumbers({ clips }: Timeline): number[] {
  return clips.flatMap(({ take, sourceStartSeconds, sourceEndSeconds }) => {
    const first = Math.round(sourceStartSeconds * RATE);
    const count = Math.round((sourceEndSeconds - sourceStartSeconds) * RATE);
    return Array.from({ length: count }, (_, at) =>
      take === 2 ? PHOTO_NUMBER : take * NUMBERS_PER_TAKE + first + at,
    );
  });
}

/** First and last frame of each clip, and as many as are missing to twenty from the middles. */
function moments({ clips }: Timeline): number[] {
  const { visible } = new FrameSchedule({ ...TIMELINE, clips });
  const ends = visible.flatMap(({ startFrame, endFrame }) => [startFrame, endFrame - 1]);
  const middles = visible.map(({ startFrame, endFrame }) => (startFrame + endFrame) >> 1);
  // Not in order: half of the seeks go back.
  return [...ends, ...middles].sort((a, b) => ((a * 7) % 31) - ((b * 7) % 31));
}

const FORCED = {
  'the worker and WebGL': {},
  'the worker and a 2D canvas': { painter: 'canvas' },
  'video elements and a 2D canvas': { pictures: 'elements', painter: 'canvas' },
} as const;

describe('the player of plans', { timeout: 200_000 }, () => {
  const folder = temporaryFolder();
  let served: PlayerPage;
  let browser: Browser;

  before(async () => {
    const [one, other, photo] = await Promise.all([numberedTake(0), numberedTake(1), numberedPhoto()]);
    [served, browser] = await Promise.all([
      servePlayer({ 'take-0.mp4': one, 'take-1.mp4': other, 'photo.jpg': photo }),
      startBrowser(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });

  async function numberedTake(take: number): Promise<string> {
    const draw = drawNumber(SIZE.width, SIZE.height);
    return makeClip(folder, {
      name: `take-${take}`,
      durationSeconds: TAKE_SECONDS,
      draw: (rgb, seconds, index) => draw(rgb, seconds, index + take * NUMBERS_PER_TAKE),
    });
  }

  async function numberedPhoto(): Promise<string> {
    const rgb = new Uint8Array(3 * SIZE.width * SIZE.height);
    drawNumber(SIZE.width, SIZE.height)(rgb, 0, PHOTO_NUMBER);
    const path = join(folder, 'photo.jpg');
    const at = (x: number, y: number) => {
      const from = 3 * (y * SIZE.width + x);
      return [rgb[from]!, rgb[from + 1]!, rgb[from + 2]!] as const;
    };
    writeFileSync(path, await encodeImage('jpeg', SIZE, at));
    return path;
  }

  for (const [name, force] of Object.entries(FORCED)) {
    test(`with ${name}, each moment shows the frame of the schedule`, async () => {
      await using opened = await openPlayer(browser, served, PLAN, force);
      const wanted = moments(TIMELINE);
      const expected = expectedNumbers(TIMELINE);
      const shown = await opened.page.evaluate(numbersAt, wanted);
      assert.ok(wanted.length >= 20);
      assert.deepEqual(
        wanted.map((frame, index) => [frame, shown[index]]),
        wanted.map((frame) => [frame, expected[frame]]),
      );
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

/** Runs in the page: the number that the picture shows at each frame. */
async function numbersAt(frames: readonly number[]): Promise<number[]> {
  const { player } = globalThis as unknown as PlayerScope;
  const numbers: number[] = [];
  for (const frame of frames) {
    await player.seekFrame(frame);
    const canvas = document.querySelector('canvas')!;
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, 1).getContext('2d')!;
    copy.drawImage(canvas, 0, -(height >> 1));
    const row = copy.getImageData(0, 0, width, 1).data;
    let number = 0;
    for (let bit = 0; bit < 10; bit++)
      if (row[4 * Math.floor(((bit + 0.5) * width) / 10)]! > 125) number |= 1 << bit;
    numbers.push(number);
  }
  return numbers;
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
