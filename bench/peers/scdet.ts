/** FFmpeg's scene-change detector, of the `ffmpeg` that the system has: hard cuts to compare ours with. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The filter's own default. */
export const SCDET_THRESHOLD = 10;

/** Times of the first frames of new shots, in seconds from the container's start; null where there is no `ffmpeg`. */
export async function scdetCuts(path: string, threshold = SCDET_THRESHOLD): Promise<number[] | null> {
  try {
    const words = ['-hide_banner', '-nostats', '-i', path, '-an', '-vf', `scdet=threshold=${threshold}`];
    const { stderr } = await run('ffmpeg', [...words, '-f', 'null', '-'], { maxBuffer: 2 ** 26 });
    return [...stderr.matchAll(/lavfi\.scd\.time:\s*([\d.]+)/g)].map(([, seconds]) => Number(seconds));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
