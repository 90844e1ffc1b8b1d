/** Contact sheets of shots. */
import { execFileSync } from 'node:child_process';

const [WIDTH, HEIGHT, RATE] = [160, 90, 10];
const FRAME_BYTES = WIDTH * HEIGHT * 3;
const SHOTS_PER_ROW = 4;
const FRAMES_PER_SHOT = 3;
const GAP = 8;
const WHITE = 255;
const MAX_BYTES = 2 ** 30;

export interface SheetShot {
  readonly file: string;
  readonly startSeconds: number;
  readonly seconds: number;
}

/** First, middle and last frame of each shot, in RGB. */
export function sheetOf(shots: readonly SheetShot[]): { pixels: Buffer; width: number; height: number } {
  const width = SHOTS_PER_ROW * (FRAMES_PER_SHOT * WIDTH + GAP);
  const height = Math.ceil(shots.length / SHOTS_PER_ROW) * (HEIGHT + GAP);
  const pixels = Buffer.alloc(width * height * 3, WHITE);
  for (const [at, { file, startSeconds, seconds }] of shots.entries()) {
    const left = (at % SHOTS_PER_ROW) * (FRAMES_PER_SHOT * WIDTH + GAP);
    const top = Math.floor(at / SHOTS_PER_ROW) * (HEIGHT + GAP);
    for (let frame = 0; frame < FRAMES_PER_SHOT; frame++) {
      const last = Math.max(0, seconds - 1 / RATE);
      const picture = frameAt(file, startSeconds + (last * frame) / (FRAMES_PER_SHOT - 1));
      for (let y = 0; y < HEIGHT; y++) {
        const to = ((top + y) * width + left + frame * WIDTH) * 3;
        picture.copy(pixels, to, y * WIDTH * 3, (y + 1) * WIDTH * 3);
      }
    }
  }
  return { pixels, width, height };
}

const known = new Map<string, Buffer>();

function frameAt(file: string, seconds: number): Buffer {
  const frames = known.get(file) ?? framesOf(file);
  known.set(file, frames);
  const at = Math.min(Math.round(seconds * RATE), frames.length / FRAME_BYTES - 1);
  return frames.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES);
}

function framesOf(file: string): Buffer {
  const size = `scale=${WIDTH}:${HEIGHT}:force_original_aspect_ratio=decrease`;
  const filter = `fps=${RATE},${size},pad=${WIDTH}:${HEIGHT}:-1:-1,format=rgb24`;
  return execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-an', '-vf', filter, '-f', 'rawvideo', '-'], {
    maxBuffer: MAX_BYTES,
  });
}
