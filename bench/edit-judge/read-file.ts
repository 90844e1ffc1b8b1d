/** Pictures and sound of a file as `ffmpeg` decodes them: the judge shares no decoder and no detector with what it judges. */
import { execFileSync } from 'node:child_process';

/** Small pictures keep what a person sees of a cut, and lose most noise. */
const [WIDTH, HEIGHT] = [80, 45];
export const SAMPLE_RATE = 48_000;
const MAX_BYTES = 2 ** 30;

export interface GreyFrames {
  /** 0..255, one picture each. */
  readonly frames: readonly Uint8Array[];
  readonly rate: number;
}

/** @param span Seconds of the file; left out: all. */
export function greyFrames(
  path: string,
  span?: { readonly startSeconds: number; readonly endSeconds: number },
): GreyFrames {
  const part =
    span === undefined ? [] : ['-ss', `${span.startSeconds}`, '-t', `${span.endSeconds - span.startSeconds}`];
  const bytes = ffmpeg([
    ...['-noautorotate', ...part, '-i', path, '-an', '-fps_mode', 'passthrough'],
    ...['-vf', `scale=${WIDTH}:${HEIGHT}:flags=area,format=gray`, '-f', 'rawvideo', '-'],
  ]);
  const size = WIDTH * HEIGHT;
  const frames = Array.from({ length: Math.floor(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const words = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=avg_frame_rate'];
  const text = execFileSync('ffprobe', [...words, '-of', 'csv=p=0', path], { encoding: 'utf8' });
  const [over, under] = text.trim().split('/').map(Number);
  return { frames, rate: over! / (under || 1) };
}

/** One channel at `SAMPLE_RATE`; empty: no sound. */
export function monoSound(path: string): Float32Array {
  const words = ['-i', path, '-vn', '-ac', '1', '-ar', `${SAMPLE_RATE}`, '-f', 'f32le', '-'];
  const bytes = ffmpeg(words);
  return new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 4)),
  );
}

/** Mean difference of two pictures, 0..255. */
export function difference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs(one[at]! - other[at]!);
  return sum / one.length;
}

function ffmpeg(words: readonly string[]): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', ...words], {
    maxBuffer: MAX_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
