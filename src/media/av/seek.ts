import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import type { Input } from './input.ts';

/**
 * Goes to the key frame of the picture at a time (seconds from the start of the presentation) or before it; false: the file cannot,
 * or its clock jumps, so that a stamp names several moments. Files without an index are searched by guesses, and some land late: look at the first frame that is decoded then.
 */
export function seekBefore({ context, video, clock, startSeconds }: Input, seconds: number): boolean {
  if (video === null || clock?.isEven === false) return false;
  const { index, timeBase } = video;
  const stamp = ((Math.max(0, seconds) + startSeconds) * timeBase.den) / timeBase.num;
  return context.seekFrameSync(index, BigInt(Math.floor(stamp)), AVSEEK_FLAG_BACKWARD) >= 0;
}
