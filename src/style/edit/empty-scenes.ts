/** Moments of a take that show a scene without what happens in it. */
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
/** Shorter takes are trimmed shots: nothing comes and goes in them. */
const MIN_TAKE_SECONDS = 3;
/** Motion is averaged over this: people pause for less. */
const PAUSE_SECONDS = 1;
const MIN_REST_SECONDS = 1;
/** Of views that show one empty scene: .98 or more in one clip, a room of people of 139 s, and .95 or less with a standing person. */
const SAME_SCENE_CORRELATION = 0.98;
/**
 * Difference from the empty view over that of the take's fullest tenth: a room with somebody in it has .25 or more, with
 * half of somebody at its edge .1 or less (one clip of 139 s), a road with a car's rear at its edge .08.
 */
const EMPTY_PRESENCE = [0.25, 0.12] as const;
const FULL = 0.9;
/** Nobody enters or leaves within less. */
const ENTERING_SECONDS = 1;
/** Rests that are compared with each other: hours of film have thousands. */
const MAX_RESTS = 200;

/**
 * How empty each moment is, 0..1, per step: a road without its cars, a room that people cross. The picture to which a take returns
 * between events is the empty scene, also while somebody enters or leaves it at an edge; where none recurs, all moments in which
 * nothing happens count. Moments with a figure or a face are not empty.
 */
export function emptyMoments(material: TakeMaterial): number[] {
  const { curves, stepSeconds, durationSeconds } = material;
  const { activity, motion, faceHeight, figure = [] } = curves;
  const lively = activity.length === 0 ? 0 : quantile(activity, 0.9);
  if (durationSeconds < MIN_TAKE_SECONDS || lively < MIN_LIVELY_ACTIVITY) return activity.map(() => 0);
  const radius = Math.round(PAUSE_SECONDS / 2 / stepSeconds);
  const isSeen = (at: number) => faceHeight[at] > 0 || figure[at] === 1;
  const waiting = activity.map((_, at) => {
    const around = (curve: readonly number[]) => mean(curve.slice(Math.max(0, at - radius), at + radius + 1));
    if (around(motion) > MAX_WAITING_MOTION || isSeen(at)) return 0;
    return smoothstep(...WAITING_ACTIVITY, around(activity) / lively);
  });
  const views = new TakeViews(material);
  const emptyView = recurringView(views, restViews(waiting, stepSeconds, views));
  if (emptyView === null) return waiting;
  const emptiness = emptyViews(views, emptyView);
  return activity.map((_, at) => {
    if (isSeen(at)) return 0;
    const near = [-ENTERING_SECONDS, 0, ENTERING_SECONDS].map(
      (seconds) => emptiness[views.indexAt((at + 0.5) * stepSeconds + seconds)],
    );
    return Math.max(...near);
  });
}

/** How empty each view is, 0..1. */
function emptyViews(views: TakeViews, emptyView: number): number[] {
  const presence = Array.from(
    { length: views.count },
    (_, at) => 1 - views.correlation(emptyView, views, at),
  );
  const full = Math.max(1 - SAME_SCENE_CORRELATION, quantile(presence, FULL));
  return presence.map((value) => smoothstep(...EMPTY_PRESENCE, value / full));
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
    const alike = compared.filter((other) => views.correlation(view, views, other) >= SAME_SCENE_CORRELATION);
    if (alike.length - 1 > best.others) best = { view, others: alike.length - 1 };
  }
  return best.others === 0 ? null : best.view;
}
