/** Points that a client requests in view: decision 0084. */
import type { Box, Span } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { placeAt } from '../../signal/interpolation.ts';
import type { Reframe, TrackKey } from '../model/timeline.ts';

export type Focus = JobConfig['framing_focus'];

/** Points of a focus in time, ascending; at least one. */
export type FocusPoints = readonly [TrackKey, ...TrackKey[]];

/** The points of the focus for one shot; null: it is framed automatically. */
export function focusIn(focus: Focus, { startSeconds, endSeconds }: Span): FocusPoints | null {
  if (focus === null) return null;
  if (!Array.isArray(focus)) return [{ timeSeconds: startSeconds, x: focus.x, y: focus.y }];
  const [first, ...others] = focus
    .filter(({ at_seconds }) => at_seconds >= startSeconds && at_seconds < endSeconds)
    .map(({ at_seconds, x, y }) => ({ timeSeconds: at_seconds, x, y }))
    .sort((one, other) => one.timeSeconds - other.timeSeconds);
  return first === undefined ? null : [first, ...others];
}

/** The window of a size, inside `outer`, with the focus at a time as close to its middle as possible. */
export function focusedWindow(
  points: FocusPoints,
  seconds: number,
  outer: Reframe,
  { width, height }: Size,
): Reframe {
  return { ...windowOn(placeAt(points, seconds), outer, { width, height }), width, height };
}

/** The path of a framing of a size with the focus in its middle. */
export function focusPath(points: FocusPoints, size: Size, area: Box): TrackKey[] {
  return points.map((point) => ({ timeSeconds: point.timeSeconds, ...windowOn(point, area, size) }));
}

function windowOn({ x, y }: Pick<TrackKey, 'x' | 'y'>, outer: Box, { width, height }: Size) {
  const start = (middle: number, length: number, from: number, whole: number) =>
    Math.max(from, Math.min(from + whole - length, middle - length / 2));
  return {
    x: start(x, width, outer.x, outer.width),
    y: start(y, height, outer.y, outer.height),
  };
}
