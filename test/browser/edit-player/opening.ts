/** Opens the player alone in Chromium. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { createPlayer, EditPlayer, PlayerOptions } from '../../../web/src/player/create-player.ts';
import type { PlaybackPlan } from '../../../web/src/player/playback-plan.ts';
import { watchedPage } from '../../support/chromium.ts';
import type { PlayerPage } from './serving.ts';

export interface OpenedPlayer extends AsyncDisposable {
  readonly page: Page;
}

/** Runs in the page. */
export interface PlayerScope {
  createPlayer: typeof createPlayer;
  player: EditPlayer;
  failures: string[];
}

export async function openPlayer(
  browser: Browser,
  { url }: PlayerPage,
  plan: PlaybackPlan,
  force: NonNullable<PlayerOptions['force']> = {},
): Promise<OpenedPlayer> {
  const context = await browser.newContext();
  const { page, complaints } = await watchedPage(context, new URL(url).origin);
  await page.goto(url);
  await page.waitForFunction(() => 'createPlayer' in globalThis);
  await page.evaluate(makePlayer, { plan, force });
  return {
    page,
    async [Symbol.asyncDispose]() {
      const failures = await page.evaluate(() => (globalThis as unknown as PlayerScope).failures);
      await context.close();
      assert.deepEqual([...failures, ...complaints], []);
    },
  };
}

/** Runs in the page. */
export function makePlayer({
  plan,
  force,
}: {
  readonly plan: PlaybackPlan;
  readonly force: NonNullable<PlayerOptions['force']>;
}): void {
  const scope = globalThis as unknown as PlayerScope;
  scope.failures = [];
  scope.player = scope.createPlayer(document.querySelector('canvas')!, {
    plan,
    proxyOf: (videoId) => ({
      kind: videoId.endsWith('.jpg') ? 'image' : 'video',
      address: `media/${videoId}`,
      hasSound: videoId.endsWith('.mp4'),
    }),
    force,
    onFailure: (reason) => scope.failures.push(reason),
  });
}
