import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Picture } from '../../src/domain/footage.ts';
import { type DrawnClip, writeDrawnClip } from './drawn-clip.ts';

/** A folder that is gone when the test process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const BITS = 10;

/** Draws the frame's number as ten vertical bars: what a frame shows can be read back after any re-encoding. */
export function drawNumber(width: number, height: number): DrawnClip['draw'] {
  return (rgb, _seconds, index) => {
    for (let bit = 0; bit < BITS; bit++) {
      const [from, to] = [bit, bit + 1].map((edge) => 3 * Math.ceil((edge * width) / BITS));
      rgb.fill((index >> bit) & 1 ? 200 : 50, from, to);
    }
    // Every line shows the same.
    for (let y = 1; y < height; y++) rgb.copyWithin(3 * y * width, 0, 3 * width);
  };
}

/** Irregular blocks with levels of 40 to 140 that move: sharp and lively enough for an edit. */
export function drawBlocks(width: number, height: number): DrawnClip['draw'] {
  return (rgb, seconds) => {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const block = Math.floor((x + 30 * seconds) / 12) * 7 + Math.floor(y / 12) * 13;
        rgb.fill(40 + ((block * 37) % 101), 3 * (y * width + x), 3 * (y * width + x + 1));
      }
  };
}

/** Reads the number back from a picture of the whole frame. */
export function readNumber({ width, height, channels, data }: Picture): number {
  let number = 0;
  const row = Math.floor(height / 2) * width;
  for (let bit = 0; bit < BITS; bit++) {
    const column = Math.floor(((bit + 0.5) * width) / BITS);
    if (data[(row + column) * channels] > 125) number |= 1 << bit;
  }
  return number;
}

/** A click of a millisecond at the start of every second. */
export function clicks(seconds: number): number {
  return seconds % 1 < 0.001 ? 0.8 : 0;
}

export interface TestClip extends Partial<DrawnClip> {
  readonly name: string;
  /** No sound stream at all. */
  readonly silent?: boolean;
}

/** Writes a clip of numbered frames (default: 320×180, 25 frames/s, 3 s, a click each second). */
export async function makeClip(folder: string, clip: TestClip): Promise<string> {
  const width = clip.width ?? 320;
  const height = clip.height ?? 180;
  const path = join(folder, `${clip.name}.mp4`);
  await writeDrawnClip(path, {
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: 3,
    draw: drawNumber(width, height),
    ...(clip.silent === true ? {} : { audio: clicks }),
    ...clip,
    width,
    height,
  });
  return path;
}
