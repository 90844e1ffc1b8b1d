/** Small takes, a reel and a song for edits: they take a second to make and to measure. */
import { join } from 'node:path';
import { drawNumber, makeClip } from './clips.ts';
import { writeWave } from './wave-file.ts';

const SIZE = { width: 192, height: 108 };
const SAMPLE_RATE = 48_000;

/** Tiles that move, in the tones of a take. */
export function takeClip(
  folder: string,
  {
    name,
    tone,
    durationSeconds,
    shotSeconds = Number.POSITIVE_INFINITY,
    isUpright = false,
  }: {
    readonly name: string;
    /** Gray of the darkest tile, 0..255. */
    readonly tone: number;
    readonly durationSeconds: number;
    readonly shotSeconds?: number;
    readonly isUpright?: boolean;
  },
): Promise<string> {
  const { width, height } = isUpright ? { width: SIZE.height, height: SIZE.width } : SIZE;
  const draw = drawNumber(width, height);
  return makeClip(folder, {
    ...{ name, width, height },
    durationSeconds,
    draw: (rgb, seconds, index) => {
      draw(rgb, seconds, index);
      const shot = Math.floor(seconds / shotSeconds);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const tile =
            Math.floor((x + (2 + (shot % 2)) * index) / (18 + 6 * (shot % 3))) + Math.floor(y / 15);
          const level = Math.min(230, tone + 40 * (shot % 4) + (tile % 2) * 60);
          rgb.fill(level, 3 * (y * width + x), 3 * (y * width + x) + 3);
        }
    },
  });
}

/** Twenty seconds of kicks, two a second, every fourth of them loud. */
export function beatSong(folder: string): string {
  const samples = new Float32Array(SAMPLE_RATE * 20);
  for (let beat = 0; beat < 39; beat++)
    for (let n = 0; n < 3000; n++)
      samples[beat * 24_000 + n]! += (beat % 4 === 0 ? 0.9 : 0.5) * Math.exp(-n / 700) * Math.sin(n / 100);
  return writeWave(join(folder, 'song.wav'), SAMPLE_RATE, [samples, samples]);
}
