import type { Box, ClipFacts } from '../../analysis/facts.ts';
import type { Reframe, TrackKey } from '../model/timeline.ts';
import { type FrameGrid, type Segment, secondsAt } from './segments.ts';
import { stretchesOf } from './stretches.ts';
import { followSubject } from './tracking.ts';

/** Shares of the framing: a smaller move from one shot to the next is not worth moving a picture for. */
const MIN_MOVE = 0.05;

/**
 * The path of a framing over a run of frames. It follows a subject. During a gradual transition of the source
 * it moves to the next shot's place. Undefined where it does not move. `still` is the framing at rest;
 * `stillIn` returns it for a part of the run.
 */
export function framingPath(
  source: ClipFacts,
  grid: FrameGrid,
  run: Segment,
  still: Reframe,
  options: { readonly area: Box; readonly stillIn: (part: Segment) => Reframe },
): readonly TrackKey[] | undefined {
  const { area, stillIn } = options;
  const stretches = stretchesOf(source.video, grid, run);
  const [only] = stretches;
  if (stretches.length === 1)
    return followSubject(
      source,
      still,
      secondsAt(grid, only!.startFrame),
      secondsAt(grid, only!.endFrame),
      area,
    );
  const keys: TrackKey[] = [];
  let startSeconds = secondsAt(grid, run.startFrame);
  for (const stretch of stretches) {
    const endSeconds = stretch.leaving?.startSeconds ?? secondsAt(grid, stretch.endFrame);
    const wanted = stillIn(stretch);
    const last = keys.at(-1);
    const place =
      last !== undefined && isNear(last, wanted, still) ? { ...wanted, x: last.x, y: last.y } : wanted;
    // Two long transitions may leave nothing between them.
    if (endSeconds > startSeconds) {
      const followed = followSubject(source, place, startSeconds, endSeconds, area);
      keys.push(
        ...(followed ??
          [startSeconds, endSeconds].map((timeSeconds) => ({ timeSeconds, x: place.x, y: place.y }))),
      );
    }
    startSeconds = Math.max(startSeconds, stretch.leaving?.endSeconds ?? endSeconds);
  }
  return !leavesStart(keys) && isNear(keys[0], still, still) ? undefined : keys;
}

/** Whether a path ever leaves the place where it begins. */
export function leavesStart(keys: readonly TrackKey[]): boolean {
  return keys.some(({ x, y }) => x !== keys[0].x || y !== keys[0].y);
}

function isNear(one: TrackKey, other: Reframe, size: Reframe): boolean {
  return (
    Math.abs(one.x - other.x) < MIN_MOVE * size.width && Math.abs(one.y - other.y) < MIN_MOVE * size.height
  );
}
