import { type Box, type ClipFacts, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { Reframe, TrackKey } from '../model/timeline.ts';
import { weightOf } from './best-window.ts';
import { subjectsBetween } from './segments.ts';

const MIN_SALIENCE = 0.2;
const STEP_SECONDS = 0.2;
/** A box counts for this long around its time. */
const BOX_REACH_SECONDS = 0.35;
/** The subject may move in this middle share of the framing before the framing moves. */
const REST_SHARE = 0.4;
/** Standard deviation of the smoothing over time; it looks both ways, so the framing does not lag behind. */
const SMOOTHING_SECONDS = 0.45;
/** Smaller wanderings, in shares of the framing, stay still: a steady picture is worth more than a centred one. */
const MIN_TRAVEL = 0.15;
/** Where the framing is nearly as large as the picture there is nothing to follow. */
const MIN_ROOM = 0.12;

/**
 * The way of a framing that follows the most salient subject from `startSeconds` to `endSeconds`; undefined where a
 * framing that stands still holds it well enough. `still` is that framing: its size, and its place on the axis that
 * does not move; `area` the part of the picture that may be shown.
 */
export function followSubject(
  source: ClipFacts,
  still: Reframe,
  startSeconds: number,
  endSeconds: number,
  area: Box = WHOLE_PICTURE,
): readonly TrackKey[] | undefined {
  const subjects = subjectsBetween(source.motion, startSeconds, endSeconds).filter(
    ({ salience }) => salience >= MIN_SALIENCE,
  );
  const leader = subjects.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  if (leader === undefined) return undefined;
  const count = Math.max(2, Math.ceil((endSeconds - startSeconds) / STEP_SECONDS) + 1);
  const times = Array.from(
    { length: count },
    (_, k) => startSeconds + (k * (endSeconds - startSeconds)) / (count - 1),
  );
  const boxes = times.map((time) => boxAt(leader.boxes, time));
  if (boxes.every((box) => box === null)) return undefined;
  const step = (endSeconds - startSeconds) / (count - 1);
  const along = (axis: 'x' | 'y', side: 'width' | 'height') => {
    const fixed = times.map(() => still[axis]);
    if (area[side] - still[side] < MIN_ROOM) return fixed;
    const seen = boxes.map((box) => box && { centre: box[axis] + box[side] / 2, size: box[side] });
    const starts = smoothed(rested(seen, still[side]), SMOOTHING_SECONDS / step).map((centre) =>
      Math.max(area[axis], Math.min(area[axis] + area[side] - still[side], centre - still[side] / 2)),
    );
    const travel = Math.max(...starts) - Math.min(...starts);
    return travel < MIN_TRAVEL * still[side] ? fixed : starts;
  };
  const [xs, ys] = [along('x', 'width'), along('y', 'height')];
  if (xs.every((x) => x === still.x) && ys.every((y) => y === still.y)) return undefined;
  return times.map((timeSeconds, k) => ({ timeSeconds, x: xs[k]!, y: ys[k]! }));
}

function boxAt(
  boxes: readonly { readonly timeSeconds: number; readonly box: Box }[],
  time: number,
): Box | null {
  let best: Box | null = null;
  let least = BOX_REACH_SECONDS;
  for (const { timeSeconds, box } of boxes) {
    const distance = Math.abs(timeSeconds - time);
    if (distance <= least) {
      least = distance;
      best = box;
    }
  }
  return best;
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
      wv += weight * values[at]!;
      wnv += weight * n * values[at]!;
    }
    return (wnn * wv - wn * wnv) / (w * wnn - wn * wn);
  });
}
