import { framingAt } from './framing.ts';
import type { Reframe, Timeline } from './timeline.ts';

/** Position of a source moment in the output, and the visible part of its picture. */
export interface OutputMoment {
  readonly outputSeconds: number;
  readonly framing: Reframe;
}

/** Null if the output omits the moment. After the last clip, its last frame is shown. */
export function outputMoment({ clips }: Pick<Timeline, 'clips'>, sourceSeconds: number): OutputMoment | null {
  let before = 0;
  for (const [index, clip] of clips.entries()) {
    const { sourceStartSeconds: start, sourceEndSeconds: end } = clip;
    const inside = sourceSeconds < end || index === clips.length - 1;
    if (inside && sourceSeconds < start) return null;
    if (inside) {
      const seconds = Math.min(sourceSeconds, end) - start;
      const framing = framingAt(clip, end > start ? seconds / (end - start) : 0, sourceSeconds);
      return { outputSeconds: before + seconds, framing };
    }
    before += end - start;
  }
  return null;
}
