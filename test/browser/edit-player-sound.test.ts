/** The sound that the player of plans mixes is the renderer's, before mastering. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { AssembledSound } from '../../src/render/sound/assembled-sound.ts';
import { MixedSound } from '../../src/render/sound/mixed-sound.ts';
import type { OutputSound } from '../../src/render/sound/output-sound.ts';
import type { SoundMix, Timeline } from '../../src/style/model/timeline.ts';
import type { PlayedFiles } from '../../web/src/player/playback-plan.ts';
import type { SoundMixer } from '../../web/src/player/sound-mixer.ts';
import { startBrowser, watchedPage } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';
import { type PlayerPage, servePlayer } from './edit-player/serving.ts';

/** Two decoders of AAC differ by rounding; a shift by one sample would differ by .1. */
const MAX_RMS = 0.003;
const NAMES = ['take-0.mp4', 'take-1.mp4', 'song.mp4'] as const;
const AUDIO = { equalizer: [], compressor: null, targetLufs: null, truePeakDbtp: null };

const CUT: Timeline = {
  ...timelineOf([timelineClip(0.5, 1.5), timelineClip(1.5, 2.2), timelineClip(3, 4.1)]),
  audio: AUDIO,
};
const MIX: SoundMix = {
  spans: [
    span('music', 1, 0, 3),
    span(0, 0.5, 0.2, 1.4, { gainDb: -3, fadeInSeconds: 0.1, fadeOutSeconds: 0.2 }),
    span(1, 2, 1.2, 2.8, { fadeInSeconds: 0.2 }),
  ],
  musicGain: [
    { timeSeconds: 0.5, gainDb: 0 },
    { timeSeconds: 0.8, gainDb: -12 },
    { timeSeconds: 2, gainDb: 0 },
  ],
};
const MIXED: Timeline = {
  ...timelineOf([timelineClip(0, 3)]),
  takes: [{ grade: null }, { grade: null }],
  audio: AUDIO,
  sound: MIX,
};

function span(
  source: number | 'music',
  sourceStartSeconds: number,
  startSeconds: number,
  endSeconds: number,
  more: Partial<SoundMix['spans'][number]> = {},
): SoundMix['spans'][number] {
  return {
    ...{ source, sourceStartSeconds, startSeconds, endSeconds },
    ...{ gainDb: 0, fadeInSeconds: 0, fadeOutSeconds: 0 },
    ...more,
  };
}

describe('sound of the player of plans', { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  let served: PlayerPage;
  let browser: Browser;
  let paths: readonly string[];

  before(async () => {
    paths = await Promise.all(
      NAMES.map((name, number) => soundingClip(name.slice(0, -4), 200 + 130 * number)),
    );
    [served, browser] = await Promise.all([
      servePlayer(Object.fromEntries(NAMES.map((name, number) => [name, paths[number]!]))),
      startBrowser(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });

  /** Its pitch rises, so that each moment sounds different. */
  function soundingClip(name: string, hertz: number): Promise<string> {
    return makeClip(folder, {
      ...{ name, durationSeconds: 6, width: 64, height: 36 },
      audio: (seconds) => 0.3 * Math.sin(2 * Math.PI * (hertz + 40 * seconds) * seconds),
    });
  }

  async function mixedInPage(timeline: Timeline, seconds: number): Promise<Float32Array> {
    const context = await browser.newContext();
    const { page } = await watchedPage(context, new URL(served.url).origin);
    await page.goto(served.url);
    await page.waitForFunction(() => 'SoundMixer' in globalThis);
    const values = await page.evaluate(mixInPage, { timeline, names: NAMES, seconds });
    await context.close();
    return Float32Array.from(values);
  }

  test('of one take, cut like its picture', async () => {
    const expected = await leftOf(new AssembledSound(paths[0]!, CUT));
    assertSame(await mixedInPage(CUT, 2.8), expected);
  });

  test('of takes over a song that is ducked', async () => {
    const expected = await leftOf(new MixedSound(MIXED, MIX, paths.slice(0, 2), paths[2]));
    assertSame(await mixedInPage(MIXED, 3), expected);
  });
});

async function leftOf(sound: OutputSound): Promise<Float32Array> {
  const blocks: number[] = [];
  for await (const [left] of sound.blocks()) for (const value of left) blocks.push(value);
  return Float32Array.from(blocks);
}

function assertSame(shown: Float32Array, expected: Float32Array): void {
  assert.equal(shown.length, expected.length);
  const error = Math.sqrt(
    shown.reduce((sum, value, at) => sum + (value - expected[at]!) ** 2, 0) / shown.length,
  );
  const level = Math.sqrt(expected.reduce((sum, value) => sum + value ** 2, 0) / expected.length);
  assert.ok(level > 0.05, `level ${level}`);
  assert.ok(error < MAX_RMS, `RMS of the difference ${error}`);
}

/** Runs in the page: the left channel in blocks of uneven length, as the player requests them. */
async function mixInPage({
  timeline,
  names,
  seconds,
}: {
  readonly timeline: Timeline;
  readonly names: readonly string[];
  readonly seconds: number;
}): Promise<number[]> {
  const { SoundMixer: Mixer } = globalThis as unknown as { SoundMixer: new () => SoundMixer };
  const [one, other, music] = names.map((name) => ({
    ...{ kind: 'video' as const, hasSound: true },
    address: new URL(`media/${name}`, document.baseURI).href,
  }));
  const files: PlayedFiles = { timeline, takes: [one!, other!], music: music! };
  const mixer = new Mixer();
  mixer.setFiles(files);
  const out: number[] = [];
  const total = Math.round(seconds * 48_000);
  for (let from = 0; from < total; ) {
    const count = Math.min(from === 0 ? 12_000 : 48_000, total - from);
    const [left] = await mixer.mix(from, count);
    out.push(...left);
    from += count;
  }
  return out;
}
