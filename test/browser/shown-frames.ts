/** Frame numbers that the player of a job shows (`drawNumber`). */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Small copies of short clips are made within seconds. */
const PREPARED_MS = 90_000;

/** Turns before and after on, next to each other. */
export async function showBeside(page: Page): Promise<void> {
  await showBoth(page);
  await page.keyboard.press('2');
}

export async function showBoth(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Before and after' }).click();
  await page.locator('video[aria-hidden="true"]').waitFor({ state: 'attached', timeout: PREPARED_MS });
}

/** Waits until all pictures show the frame. */
export async function settled(page: Page, frame: number): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if ((await framesShown(page)).every((shown) => shown === frame)) return;
    await page.waitForTimeout(50);
  }
  const shown = await framesShown(page);
  assert.deepEqual(
    shown,
    shown.map(() => frame),
  );
}

/** The numbers that are shown now: of the result, or before and after. */
export async function framesShown(page: Page): Promise<number[]> {
  return (await page.evaluate(readShown, 0))[0]!;
}

/**
 * Runs in the page: reads the numbers again and again for some time. Of the video alone one, of before and after next to each other two.
 * -1: there is no frame yet.
 */
export async function readShown(milliseconds: number): Promise<number[][]> {
  const numbers = (
    image: HTMLVideoElement | HTMLCanvasElement,
    width: number,
    height: number,
    parts: number,
  ) => {
    const copy = new OffscreenCanvas(width, 1).getContext('2d')!;
    copy.drawImage(image, 0, -(height >> 1), width, height);
    const row = copy.getImageData(0, 0, width, 1).data;
    return Array.from({ length: parts }, (_, part) => {
      let number = 0;
      for (let bit = 0; bit < 10; bit++) {
        const column = Math.floor(((part + (bit + 0.5) / 10) * width) / parts);
        if (row[4 * column]! > 125) number |= 1 << bit;
      }
      return number;
    });
  };
  const read = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('section[aria-label="Player"] canvas');
    const video = document.querySelector('video');
    if (canvas !== null && video?.ariaHidden === 'true')
      return numbers(canvas, canvas.width, canvas.height, 2);
    if (video === null || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return [-1];
    return numbers(video, video.videoWidth, video.videoHeight, 1);
  };
  const all: number[][] = [];
  const until = performance.now() + milliseconds;
  do {
    all.push(read());
    await new Promise((resolve) => setTimeout(resolve, 30));
  } while (performance.now() < until);
  return all;
}
