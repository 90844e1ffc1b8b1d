import { type Box, type ClipFacts, type Span, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { Reframe, TrackKey } from '../model/timeline.ts';
import { captionRoom, isWithin } from './area.ts';
import { bestPath } from './best-path.ts';
import { headlinesBetween } from './headlines.ts';
import { captionsBetween } from './lettering.ts';
import { subjectsBetween } from './segments.ts';
import { boxAt, looksBetween, weightOf } from './subject-extents.ts';

const MIN_SALIENCE = 0.2;
const STEP_SECONDS = 0.2;
/** The subject may move within this middle share of the framing before the framing moves. */
const REST_SHARE = 0.4;
/** Standard deviation of the smoothing over time; symmetric, so that the framing does not lag behind. */
const SMOOTHING_SECONDS = 0.45;
/**
 * Smaller movements, in shares of the framing, are ignored: a steady picture is better than a centred one. Marked
 * moments of the tuning halves: from .1 to .3 crops contain the same.
 */
const MIN_TRAVEL = 0.15;
/** Tolerance for sums of shares. */
const ROUNDING = 1e-9;
/** Distance in shares of the picture up to which a framing is centered on captions: their boxes are as exact. */
const CENTRED = 0.01;
/** A framing nearly as large as the picture does not follow. */
const MIN_ROOM = 0.12;

/**
 * The path of a framing from `startSeconds` to `endSeconds`. It follows figures if there are any, else the most salient
 * subject, and keeps the captions and headlines inside that `still` contains. About captions that are larger than `still` it does not
 * move. It is constant if no movement is needed. Undefined: the position of `still`, which also defines the size. `area`: the part of the picture that may be visible.
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
  const room = captionRoom([
    ...captionsBetween(source.video, startSeconds, endSeconds),
    ...headlinesBetween(source.video, run, still).filter((headline) => isWithin(headline, still, ROUNDING)),
  ]);
  const captions = room !== null && isWithin(room, still, ROUNDING) ? room : null;
  const boxes = showsFigures(source, run) ? null : leaderBoxes(source, run, times);
  if (boxes?.every((box) => box === null)) return undefined;
  const along = (axis: 'x' | 'y', side: 'width' | 'height') => {
    const fixed = times.map(() => still[axis]);
    if (area[side] - still[side] < MIN_ROOM || isCentredOn(room, still, axis, side)) return fixed;
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
    // The subject may be absent for a while: without movement the whole shot determines the position.
    return seen?.includes(null) === true ? fixed : starts.fill((low + high) / 2);
  };
  const [xs, ys] = [along('x', 'width'), along('y', 'height')];
  if (xs.every((x) => x === still.x) && ys.every((y) => y === still.y)) return undefined;
  return times.map((timeSeconds, k) => ({ timeSeconds, x: xs[k], y: ys[k] }));
}

/** Whether a framing is centered on captions that are larger than it: their ends would be cut if it moved. */
function isCentredOn(
  captions: Box | null,
  framing: Reframe,
  axis: 'x' | 'y',
  side: 'width' | 'height',
): boolean {
  if (captions === null || captions[side] <= framing[side]) return false;
  const apart = captions[axis] + captions[side] / 2 - framing[axis] - framing[side] / 2;
  return Math.abs(apart) < CENTRED;
}

function showsFigures({ video }: ClipFacts, { startSeconds, endSeconds }: Span): boolean {
  return looksBetween(video.figures, startSeconds, endSeconds).some(({ across }) =>
    across.some((share) => share > 0),
  );
}

/** The box of the most salient subject at each time. */
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
 * Moves like a camera operator: only when the subject leaves the middle or would be cut, and only as far as necessary.
 * At least one position is known.
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
 * Local linear regression with a Gaussian weight over so many steps (Cleveland 1979). A steady walk stays
 * steady to its ends, where a mean would lag.
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
