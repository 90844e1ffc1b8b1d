/** Plays a file to its end in a real browser, and returns its observations. */
import { readFileSync } from 'node:fs';
import { startBrowser } from './chromium.ts';

export interface Played {
  readonly error: string | null;
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly endedAtSeconds: number;
  readonly frames: number;
}

const ORIGIN = 'http://player.test';
const PAGE = '<!doctype html><video muted src="/video.mp4"></video>';
const PLAY = `new Promise((resolve) => {
  const video = document.querySelector('video');
  const answer = (error) => resolve({ error, width: video.videoWidth, height: video.videoHeight,
    durationSeconds: video.duration, endedAtSeconds: video.currentTime,
    frames: video.getVideoPlaybackQuality().totalVideoFrames });
  video.onended = () => answer(null);
  video.onerror = () => answer(video.error.message);
  video.play().catch((error) => answer(String(error)));
})`;

/** Plays a local MP4 muted. Throws when the browser does not end with it in time. */
export async function playInBrowser(path: string): Promise<Played> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.route(`${ORIGIN}/`, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await page.route(`${ORIGIN}/video.mp4`, (route) =>
      route.fulfill({ contentType: 'video/mp4', body: readFileSync(path) }),
    );
    await page.goto(`${ORIGIN}/`);
    return await page.evaluate<Played>(PLAY);
  } finally {
    await browser.close();
  }
}
