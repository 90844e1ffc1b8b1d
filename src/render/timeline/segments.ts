import { framesPerSecond } from '../../domain/time.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import type { FrameRange } from './frame-schedule.ts';
import { FrameSchedule } from './frame-schedule.ts';

/** A border is moved to a cut at most this share of a segment away. */
const MAX_SHIFT_SHARE = 0.4;

/**
 * Divides a long output into segments of about `segmentSeconds`, in order and without gaps. Borders are at cuts if there are any nearby, else within
 * a shot, never within a transition. The result depends on the arguments only.
 */
export function segmentsOf(timeline: Timeline, segmentSeconds: number): readonly FrameRange[] {
  const { frameCount, visible } = new FrameSchedule(timeline);
  const length = segmentSeconds * framesPerSecond(timeline.frameRate);
  const count = Math.max(1, Math.round(frameCount / length));
  const cuts = visible.flatMap(({ startFrame }, index) =>
    index > 0 && visible[index - 1].endFrame === startFrame ? [startFrame] : [],
  );
  const borders = [0];
  for (let number = 1; number < count; number++) {
    const wanted = Math.round((number * frameCount) / count);
    const cut = nearest(cuts, wanted);
    const border =
      cut !== null && Math.abs(cut - wanted) <= MAX_SHIFT_SHARE * length
        ? cut
        : outsideTransitions(visible, wanted);
    if (border > borders.at(-1)! && border < frameCount) borders.push(border);
  }
  return borders.map((from, index) => ({ from, to: borders[index + 1] ?? frameCount }));
}

function nearest(places: readonly number[], wanted: number): number | null {
  let best: number | null = null;
  for (const place of places)
    if (best === null || Math.abs(place - wanted) < Math.abs(best - wanted)) best = place;
  return best;
}

/** The frame itself, or the first one after the transition that contains it. */
function outsideTransitions(visible: FrameSchedule['visible'], frame: number): number {
  for (const [index, { startFrame }] of visible.entries()) {
    const before = visible[index - 1];
    if (before !== undefined && frame > startFrame && frame < before.endFrame) return before.endFrame;
  }
  return frame;
}
