/** Moments of a take that show a scene before and after something happens in it. */
import type { TakeMaterial } from '../../analysis/material/take-material.ts';
import { smoothstep } from '../../signal/interpolation.ts';
import { mean, quantile } from '../../signal/statistics.ts';
import { TakeViews } from './look-alikes.ts';

/** Diagonals per second: lively moments of a filmed road or room have .02 to .05, of a flower that opens .002. */
const MIN_LIVELY_ACTIVITY = 0.01;
/** A camera that moves more, in diagonals per second, shows a place instead of waiting in it. */
const MAX_WAITING_MOTION = 0.01;
/** Shares of the lively activity: above the first something happens, below the second nothing. */
const WAITING_ACTIVITY = [0.2, 0.05] as const;
/** Motion is averaged over this: people pause for less. */
const PAUSE_SECONDS = 1;
const MIN_REST_SECONDS = 1;
/** Seen in one clip, a room of people of 139 s: its empty views correlate at .98 or more, those with a standing person at .95 or less. */
const EMPTY_CORRELATION = [0.95, 0.98] as const;
/** Rests that are compared with each other: hours of film have thousands. */
const MAX_RESTS = 200;

/**
 * How empty each moment is, 0..1, per step: a road without its cars, a room that people cross. The picture to which a take returns
 * between events is the empty scene; where none recurs, all moments in which nothing happens count.
 */
export function emptyMoments(material: TakeMaterial): number[] {
  const { curves, stepSeconds } = material;
  const { activity, motion, faceHeight } = curves;
  const lively = activity.length === 0 ? 0 : quantile(activity, 0.9);
  if (lively < MIN_LIVELY_ACTIVITY) return activity.map(() => 0);
  const radius = Math.round(PAUSE_SECONDS / 2 / stepSeconds);
  const waiting = activity.map((_, at) => {
    const around = (curve: readonly number[]) => mean(curve.slice(Math.max(0, at - radius), at + radius + 1));
    if (around(motion) > MAX_WAITING_MOTION || faceHeight[at] > 0) return 0;
    return smoothstep(...WAITING_ACTIVITY, around(activity) / lively);
  });
  const views = new TakeViews(material);
  const emptyView = recurringView(views, restViews(waiting, stepSeconds, views));
  if (emptyView === null) return waiting;
  return waiting.map(
    (share, at) =>
      share *
      smoothstep(...EMPTY_CORRELATION, views.correlation(emptyView, views, views.indexAt(at * stepSeconds))),
  );
}

/** The view in the middle of each rest. */
function restViews(waiting: readonly number[], stepSeconds: number, views: TakeViews): number[] {
  const rests: number[] = [];
  let from = 0;
  for (let at = 0; at <= waiting.length; at++) {
    if (at < waiting.length && waiting[at] > 0.5) continue;
    if ((at - from) * stepSeconds >= MIN_REST_SECONDS)
      rests.push(views.indexAt(((from + at) / 2) * stepSeconds));
    from = at + 1;
  }
  return rests;
}

/** The view that most other rests show again; null: none does. */
function recurringView(views: TakeViews, rests: readonly number[]): number | null {
  const compared = rests.slice(0, MAX_RESTS);
  let best = { view: -1, others: 0 };
  for (const view of compared) {
    const alike = compared.filter((other) => views.correlation(view, views, other) >= EMPTY_CORRELATION[1]);
    if (alike.length - 1 > best.others) best = { view, others: alike.length - 1 };
  }
  return best.others === 0 ? null : best.view;
}
