import { framesPerSecond } from '../../domain/time.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { type FrameRange, FrameSchedule } from './frame-schedule.ts';

/** Shorter segments cost more bits and decoder starts than their reuse saves; only cuts may be nearer to each other. */
const MIN_SECONDS = 0.4;

/**
 * Divides an edit into segments that depend on few slots, in order and without gaps. It divides at each cut
 * and at both ends of each transition, and longer parts into equal ones of about `longestSeconds`. The result
 * depends on the arguments only.
 */
export function slotSegmentsOf(timeline: Timeline, longestSeconds: number): readonly FrameRange[] {
  const { frameCount, visible } = new FrameSchedule(timeline);
  const rate = framesPerSecond(timeline.frameRate);
  const minFrames = MIN_SECONDS * rate;
  const ranges: FrameRange[] = [];
  let from = 0;
  const divideAt = (to: number) => {
    const count = Math.max(1, Math.round((to - from) / (longestSeconds * rate)));
    const start = from;
    for (let number = 1; number <= count; number++) {
      const end = start + Math.round((number * (to - start)) / count);
      if (end > from) ranges.push({ from, to: end });
      from = end;
    }
  };
  for (const [index, { startFrame }] of visible.entries()) {
    const beforeEnd = visible[index - 1]?.endFrame ?? 0;
    if (index === 0) continue;
    if (beforeEnd === startFrame) divideAt(startFrame);
    else if (startFrame - from >= minFrames) divideAt(startFrame);
    const nextStart = visible[index + 1]?.startFrame ?? frameCount;
    if (beforeEnd > startFrame && nextStart - beforeEnd >= minFrames) divideAt(beforeEnd);
  }
  divideAt(frameCount);
  return ranges;
}
