/** Takes, a template and a song for tests of edits. */
import { join } from 'node:path';
import { drawNumber, makeClip, type TestClip } from './clips.ts';
import { writeWave } from './wave-file.ts';

/** The output shows the takes' pictures as they are, so that their numbers can be read. */
export const NUMBERS_STAY = {
  quality: 'low',
  resolution: 'source',
  components: { color: false, transitions: false, motion: false, aspect_ratio: false, frame_rate: false },
} as const;
export const EDIT_SIZE = { width: 192, height: 108 };
export const NUMBERS_PER_TAKE = 300;
const NUMBERS_PER_SECOND = 25;
const BPM = 120;

/** A take over a texture that moves, so that nothing is frozen or blurred; each 25th of a second has its number, at any rate. */
export function numberedTake(
  folder: string,
  name: string,
  take: number,
  more: Omit<TestClip, 'name' | 'draw'> = {},
): Promise<string> {
  const { width, height } = { ...EDIT_SIZE, ...more };
  const draw = drawNumber(width, height);
  return makeClip(folder, {
    ...{ name, width, height, durationSeconds: 8 },
    ...more,
    draw: (rgb, seconds) => {
      const index = Math.floor(seconds * NUMBERS_PER_SECOND + 1e-6);
      draw(rgb, seconds, index + take * NUMBERS_PER_TAKE);
      // The number is read from the middle line; the rest may show anything.
      for (let y = 0; y < height; y++) {
        if (Math.abs(y - height / 2) < 12) continue;
        for (let x = 0; x < width; x++) {
          const tile = Math.floor((x + 3 * index) / (24 + 8 * take)) + Math.floor(y / 20);
          const level = tile % 2 === 0 ? 60 + 30 * take : 200 - 20 * take;
          rgb.fill(level, 3 * (y * width + x), 3 * (y * width + x) + 3);
        }
      }
    },
  });
}

/** Eight shots of a second. */
export function eightShots(folder: string): Promise<string> {
  const tones = [40, 200, 90, 160, 60, 220, 110, 180, 70, 140];
  return makeClip(folder, {
    name: 'template',
    ...EDIT_SIZE,
    durationSeconds: 8,
    draw: (rgb, seconds, index) => {
      const tone = tones[Math.floor(seconds)]!;
      for (let at = 0; at < rgb.length; at += 3) {
        const pixel = at / 3;
        const stripe =
          ((pixel % EDIT_SIZE.width) + index * (1 + (Math.floor(seconds) % 3))) % 40 < 20 ? 20 : -20;
        rgb.fill(Math.max(0, Math.min(255, tone + stripe)), at, at + 3);
      }
    },
  });
}

/** Kicks on every beat, stronger on the first of four. */
export function kickedSong(folder: string): string {
  const rate = 48_000;
  const samples = new Float32Array(rate * 40);
  for (let beat = 0; beat * (60 / BPM) < 39; beat++) {
    const start = Math.round(beat * (60 / BPM) * rate);
    const level = beat % 4 === 0 ? 0.9 : 0.5;
    for (let n = 0; n < 4000; n++)
      samples[start + n]! += level * Math.exp(-n / 900) * Math.sin((2 * Math.PI * 70 * n) / rate);
  }
  return writeWave(join(folder, 'song.wav'), rate, [samples, samples]);
}
