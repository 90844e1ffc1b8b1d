/** Whether two spans show the same picture, by their first, middle and last views. */
import type { TakeViews } from './look-alikes.ts';
import type { Candidate } from './slot-candidates.ts';

/** Correlation below which nothing counts as alike. */
const LEAST = 0.8;
/** Takes with more views (30 s have 60) are compared span by span. */
const MAX_VIEWS = 64;

/** The largest correlation of their views, −1..1; 0 for takes of which no views are alike. */
export function likenessOf(one: Candidate, other: Candidate): number {
  const [views, otherViews] = [one.take.views, other.take.views];
  if (!haveAlikeViews(views, otherViews)) return 0;
  let most = -1;
  for (const view of one.views)
    for (const otherView of other.views)
      most = Math.max(most, views.correlation(view, otherViews, otherView));
  return most;
}

const known = new WeakMap<TakeViews, WeakMap<TakeViews, boolean>>();

/** Cached per pair of takes: most takes of an edit show different things. */
function haveAlikeViews(one: TakeViews, other: TakeViews): boolean {
  if (one === other || one.count > MAX_VIEWS || other.count > MAX_VIEWS) return true;
  let ofOne = known.get(one);
  if (ofOne === undefined) {
    ofOne = new WeakMap();
    known.set(one, ofOne);
  }
  let isAlike = ofOne.get(other);
  if (isAlike === undefined) {
    isAlike = ofOne.get(other) ?? known.get(other)?.get(one) ?? compared(one, other);
    ofOne.set(other, isAlike);
  }
  return isAlike;
}

function compared(one: TakeViews, other: TakeViews): boolean {
  for (let view = 0; view < one.count; view++)
    for (let otherView = 0; otherView < other.count; otherView++)
      if (one.correlation(view, other, otherView) >= LEAST) return true;
  return false;
}
