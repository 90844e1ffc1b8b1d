import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { isAnimation } from './animation.ts';
import type { Input } from './input.ts';

/**
 * A time at most this far ahead is reached by decoding on instead of seeking. CPU of decoding over seeking,
 * four clips with key frames 2 to 8 s apart: .7 at 2 s, .9 at 3 s, 1.2 at 4 s.
 */
export const MAX_DECODE_ON_SECONDS = 3;

/**
 * Seeks to the last key frame at or before a time (seconds from the start of the presentation). False: the file cannot seek, as an
 * animation, or its clock jumps, so that a time stamp is ambiguous. In files without an index the seek may land late: check the first decoded frame.
 */
export function seekBefore(
  { context, video, clock, startSeconds, formatName }: Input,
  seconds: number,
): boolean {
  if (video === null || clock?.isContinuous === false || isAnimation(formatName)) return false;
  const { index, timeBase } = video;
  const stamp = ((Math.max(0, seconds) + startSeconds) * timeBase.den) / timeBase.num;
  return context.seekFrameSync(index, BigInt(Math.floor(stamp)), AVSEEK_FLAG_BACKWARD) >= 0;
}
