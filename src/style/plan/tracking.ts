import { type Box, type ClipFacts, type Span, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { Reframe, TrackKey } from '../model/timeline.ts';
import { captionRoom, isWithin } from './area.ts';
import { bestPath } from './best-path.ts';
import { boxAt, looksBetween, weightOf } from './best-window.ts';
import { captionsBetween, subjectsBetween } from './segments.ts';

const MIN_SALIENCE = 0.2;
const STEP_SECONDS = 0.2;
/** The subject may move in this middle share of the framing before the framing moves. */
const REST_SHARE = 0.4;
/** Standard deviation of the smoothing over time; it looks both ways, so the framing does not lag behind. */
const SMOOTHING_SECONDS = 0.45;
/**
 * Smaller movements, in shares of the framing, are ignored, and the framing rests in their middle: a steady picture is worth more than a centered one.
 * Marked moments of the tuning halves: from .1 to .3 crops hold the same.
 */
const MIN_TRAVEL = 0.15;
/** Sums of shares are not exact. */
const ROUNDING = 1e-9;
/** Where the framing is nearly as large as the picture there is nothing to follow. */
const MIN_ROOM = 0.12;

/**
 * The path of a framing from `startSeconds` to `endSeconds`: where figures are seen, the one that holds most of what counts, and else
 * behind the most salient subject, with the captions inside that `still` holds; at one place where it need not move. Undefined: at that of `still`, which
 * gives the size, and the place on an axis without room; `area` the part of the picture that may be shown.
 */
export function followSubject(
  source: ClipFacts,
  still: Reframe,
  startSeconds: number,
  endSeconds: number,
  area: Box = WHOLE_PICTURE,
): readonly TrackKey[] | undefined {
  const run = { startSeconds, endSeconds };
  const count = Math.max(2, Math.ceil((endSeconds - startSeconds) / STEP_SECONDS) + 1);
  const step = (endSeconds - startSeconds) / (count - 1);
  const times = Array.from({ length: count }, (_, k) => startSeconds + k * step);
  const room = captionRoom(captionsBetween(source.video, startSeconds, endSeconds));
  const captions = room !== null && isWithin(room, still, ROUNDING) ? room : null;
  const boxes = showsFigures(source, run) ? null : leaderBoxes(source, run, times);
  if (boxes?.every((box) => box === null)) return undefined;
  const along = (axis: 'x' | 'y', side: 'width' | 'height') => {
    const fixed = times.map(() => still[axis]);
    if (area[side] - still[side] < MIN_ROOM) return fixed;
    let [least, most] = [area[axis], area[axis] + area[side] - still[side]];
    if (captions !== null) {
      least = Math.max(least, captions[axis] + captions[side] - still[side]);
      most = Math.min(most, captions[axis]);
    }
    const seen = boxes?.map((box) => box && { centre: box[axis] + box[side] / 2, size: box[side] });
    const centres =
      seen === undefined
        ? bestPath(source, run, times, { axis, area, size: still[side] })
        : rested(seen, still[side]);
    const starts = smoothed(centres, SMOOTHING_SECONDS / step).map((centre) =>
      Math.max(least, Math.min(most, centre - still[side] / 2)),
    );
    const [low, high] = [Math.min(...starts), Math.max(...starts)];
    if (high - low >= MIN_TRAVEL * still[side]) return starts;
    // The subject may be absent for a while: without movement, the whole shot decides the place.
    return seen?.includes(null) === true ? fixed : starts.fill((low + high) / 2);
  };
  const [xs, ys] = [along('x', 'width'), along('y', 'height')];
  if (xs.every((x) => x === still.x) && ys.every((y) => y === still.y)) return undefined;
  return times.map((timeSeconds, k) => ({ timeSeconds, x: xs[k], y: ys[k] }));
}

function showsFigures({ video }: ClipFacts, { startSeconds, endSeconds }: Span): boolean {
  return looksBetween(video.figures, startSeconds, endSeconds).some(({ across }) =>
    across.some((share) => share > 0),
  );
}

/** Of the most salient subject at each time. */
function leaderBoxes(
  { motion }: ClipFacts,
  { startSeconds, endSeconds }: Span,
  times: readonly number[],
): (Box | null)[] {
  const leader = subjectsBetween(motion, startSeconds, endSeconds)
    .filter(({ salience }) => salience >= MIN_SALIENCE)
    .toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  return times.map((time) => (leader === undefined ? null : boxAt(leader.boxes, time)));
}

/**
 * A camera operator: moves only when the subject leaves the middle or would be cut, and then only as far as it must. One is seen
 * at least.
 */
function rested(
  seen: readonly ({ readonly centre: number; readonly size: number } | null)[],
  size: number,
): number[] {
  let at = seen.find((one) => one !== null)!.centre;
  return seen.map((one) => {
    if (one === null) return at;
    const slack = Math.max(0, Math.min((REST_SHARE / 2) * size, (size - one.size) / 2));
    at = Math.max(one.centre - slack, Math.min(one.centre + slack, at));
    return at;
  });
}

/**
 * Straight lines through the neighbours under a Gaussian weight of so many steps (Cleveland 1979): a steady walk stays one to
 * the ends, where a mean would lag behind it.
 */
function smoothed(values: readonly number[], sigma: number): number[] {
  const reach = Math.ceil(3 * sigma);
  return values.map((_, k) => {
    let [w, wn, wnn, wv, wnv] = [0, 0, 0, 0, 0];
    for (let at = Math.max(0, k - reach); at <= Math.min(values.length - 1, k + reach); at++) {
      const n = at - k;
      const weight = Math.exp(-(n * n) / (2 * sigma * sigma));
      w += weight;
      wn += weight * n;
      wnn += weight * n * n;
      wv += weight * values[at];
      wnv += weight * n * values[at];
    }
    return (wnn * wv - wn * wnv) / (w * wnn - wn * wn);
  });
}
