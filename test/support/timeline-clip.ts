import type { Clip } from '../../src/style/timeline.ts';

/** The whole picture. */
export const WHOLE = { x: 0, y: 0, width: 1, height: 1 };

/** A run of the source with the whole picture standing still; parts may be given. */
export function timelineClip(
  sourceStartSeconds: number,
  sourceEndSeconds: number,
  change: Partial<Clip> = {},
): Clip {
  return {
    sourceStartSeconds,
    sourceEndSeconds,
    reason: 'start',
    from: WHOLE,
    to: WHOLE,
    easing: 'linear',
    fit: 'crop',
    ...change,
  };
}
