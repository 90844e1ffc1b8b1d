/** Frame numbers that the player's canvases show (`drawNumber`). */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Waits until both canvases show the frame. */
export async function settled(page: Page, frame: number): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const shown = await framesShown(page);
    if (shown[0] === frame && shown[1] === frame) return;
    await page.waitForTimeout(50);
  }
  assert.deepEqual(await framesShown(page), [frame, frame]);
}

/** The numbers that the two canvases show now. */
export async function framesShown(page: Page): Promise<number[]> {
  return (await page.evaluate(readPairs, 0))[0];
}

/**
 * Reads the numbers of both pictures (`drawNumber`) again and again for some time, in pairs. -1: the video has no frame yet; its black
 * canvas would read as frame 0.
 */
export async function readPairs(milliseconds: number): Promise<number[][]> {
  const read = (canvas: HTMLCanvasElement) => {
    if (document.querySelector('video')!.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return -1;
    const { width, height } = canvas;
    const row = canvas.getContext('2d')!.getImageData(0, Math.floor(height / 2), width, 1).data;
    const bits = Array.from({ length: 10 }, (_, bit) =>
      Number(row[Math.floor(((bit + 0.5) * width) / 10) * 4] > 125),
    );
    return bits.reduce((sum, bit, place) => sum + (bit << place), 0);
  };
  const pairs: number[][] = [];
  const until = performance.now() + milliseconds;
  do {
    pairs.push([...document.querySelectorAll('canvas')].map(read));
    await new Promise((resolve) => setTimeout(resolve, 30));
  } while (performance.now() < until);
  return pairs;
}
