import { framingAt } from './framing.ts';
import type { Reframe, Timeline } from './timeline.ts';

/** Where a moment of the source is seen in the output, and which part of its picture. */
export interface OutputMoment {
  readonly outputSeconds: number;
  readonly framing: Reframe;
}

/** Null: the output leaves the moment out. Past the last clip's end stands its last frame. */
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
