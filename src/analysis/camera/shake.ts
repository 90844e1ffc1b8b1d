import type { MotionFacts, VideoFacts } from '../facts.ts';

/**
 * Camera shake between two times in frame diagonals per second: mean of the shots, weighted by their overlap;
 * null without any overlap.
 */
export function meanShake(
  video: Pick<VideoFacts, 'shots'>,
  motion: MotionFacts,
  start = Number.NEGATIVE_INFINITY,
  end = Number.POSITIVE_INFINITY,
): number | null {
  let [sum, seconds] = [0, 0];
  for (const [index, shot] of video.shots.entries()) {
    const length = Math.min(end, shot.endSeconds) - Math.max(start, shot.startSeconds);
    if (length <= 0) continue;
    sum += (motion.shots[index]?.shake ?? 0) * length;
    seconds += length;
  }
  return seconds > 0 ? sum / seconds : null;
}
