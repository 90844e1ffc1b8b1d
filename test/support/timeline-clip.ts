import { type Clip, wholeClip } from '../../src/style/model/timeline.ts';

/** A run of the source with the whole picture standing still; parts may be given. */
export function timelineClip(
  sourceStartSeconds: number,
  sourceEndSeconds: number,
  change: Partial<Clip> = {},
): Clip {
  return { ...wholeClip(sourceStartSeconds, sourceEndSeconds), ...change };
}
