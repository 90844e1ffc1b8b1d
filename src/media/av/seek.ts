import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import type { Input } from './input.ts';

/**
 * Seeks to the last key frame at or before a time (seconds from the start of the presentation). False: the file cannot seek, or its
 * clock jumps, so that a time stamp is ambiguous. In files without an index the seek may land late: check the first decoded frame.
 */
export function seekBefore({ context, video, clock, startSeconds }: Input, seconds: number): boolean {
  if (video === null || clock?.isContinuous === false) return false;
  const { index, timeBase } = video;
  const stamp = ((Math.max(0, seconds) + startSeconds) * timeBase.den) / timeBase.num;
  return context.seekFrameSync(index, BigInt(Math.floor(stamp)), AVSEEK_FLAG_BACKWARD) >= 0;
}
