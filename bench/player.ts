/**
 * How many frames the page's player shows late, without a graphics card: 20 s of an edit of two graded takes with a cut every 1.5 s and
 * dissolves, at 540 lines. `node bench/player.ts [CLIP CLIP]`: clips of at least 12 s; left out: drawn ones.
 */
import { join } from 'node:path';
import { render } from '../src/render/render.ts';
import type { Grade, Timeline } from '../src/style/model/timeline.ts';
import { openPlayer, type PlayerScope } from '../test/browser/edit-player/opening.ts';
import { servePlayer } from '../test/browser/edit-player/serving.ts';
import { startBrowser } from '../test/support/chromium.ts';
import { drawNumber, makeClip, temporaryFolder } from '../test/support/clips.ts';
import { timelineClip, timelineOf } from '../test/support/timeline-clip.ts';

const SIZE = { width: 960, height: 540 };
const RATE = 30;
const CLIP_SECONDS = 1.5;
const CLIPS = 14;
const TAKE_SECONDS = 12;
const GRADE: Grade = {
  lightness: [
    { in: 0, out: 5 },
    { in: 100, out: 96 },
  ],
  chroma: 1.1,
  offsets: [{ at: 50, a: 2, b: 6 }],
  skinGuardDegrees: 8,
};

const folder = temporaryFolder();
const frameRate = { numerator: RATE, denominator: 1 };
const paths = process.argv.length > 3 ? process.argv.slice(2, 4) : [await drawn(0), await drawn(1)];
const proxies = await Promise.all(paths.map(proxyOf));
await using served = await servePlayer({ 'take-0.mp4': proxies[0]!, 'take-1.mp4': proxies[1]! });
const browser = await startBrowser();
await using stack = new AsyncDisposableStack();
stack.defer(() => browser.close());
for (const moves of [false, true]) {
  const plan = {
    timeline: edit(moves),
    gainDb: 0,
    takes: [0, 1].map((n) => ({ videoId: `take-${n}.mp4` })),
    music: null,
  };
  await using opened = await openPlayer(browser, served, plan);
  const { shown, late, startMs } = await opened.page.evaluate(playThrough);
  const share = ((100 * late) / shown).toFixed(1);
  console.log(
    `${moves ? 'moving' : 'fixed'} framings: ${late} of ${shown} frames late (${share} %), first frame ${startMs} ms after play`,
  );
}

function edit(moves: boolean): Timeline {
  const clips = Array.from({ length: CLIPS }, (_, index) => {
    const start = (index * 2.3) % (TAKE_SECONDS - CLIP_SECONDS - 0.5);
    const from = { x: 0, y: 0, width: 1, height: 1 };
    const to = moves ? { x: 0.1, y: 0.1, width: 0.8, height: 0.8 } : from;
    return timelineClip(start, start + CLIP_SECONDS, { take: index % 2, from, to });
  });
  const transitions = [4, 8, 12].map((clipIndex) => ({
    ...{ clipIndex, type: 'dissolve' as const, durationSeconds: 0.5, easing: 'linear' as const },
  }));
  return {
    ...timelineOf(clips, transitions),
    ...SIZE,
    frameRate,
    takes: [{ grade: GRADE }, { grade: GRADE }],
  };
}

function drawn(number: number): Promise<string> {
  return makeClip(folder, {
    ...{ name: `drawn-${number}`, durationSeconds: TAKE_SECONDS, ...SIZE, frameRate },
    draw: drawNumber(SIZE.width, SIZE.height),
  });
}

async function proxyOf(path: string, number: number): Promise<string> {
  const timeline: Timeline = { ...timelineOf([timelineClip(0, TAKE_SECONDS)]), ...SIZE, frameRate };
  const outputPath = join(folder, `proxy-${number}.mp4`);
  await render({ timeline, takePaths: [path], outputPath, preset: 'veryfast', crf: 23 }, () => {});
  return outputPath;
}

/** Runs in the page. */
async function playThrough(): Promise<{ shown: number; late: number; startMs: number }> {
  const { player } = globalThis as unknown as PlayerScope;
  await player.ready();
  await player.seekFrame(0);
  const begun = performance.now();
  const ended = new Promise<void>((resolve) => {
    let hasPlayed = false;
    player.on(({ isPlaying }) => {
      hasPlayed ||= isPlaying;
      if (hasPlayed && !isPlaying) resolve();
    });
  });
  await player.play();
  const startMs = Math.round(performance.now() - begun);
  await ended;
  return { ...player.lateness(), startMs };
}
