/** Spans of a take in which every moment can be shown. */
import type { Span } from '../../analysis/facts.ts';
import type { EditTake } from './edit-plan.ts';

/** Unusable parts: shorter rests between faults are no shots. */
const MIN_RUN_SECONDS = 0.3;
/** Longest time that a photo is shown for: half more than it holds a viewer (`edit/holding-time.ts`); one of 7 s was judged too long. */
export const PHOTO_SECONDS = 6;

/** Ascending and disjoint; a photo has one of the length for which it may be shown. */
export function usableRuns(take: EditTake, bans: readonly Span[]): Span[] {
  const { material, exclude } = take;
  const wished = [...exclude, ...bans];
  if (material.isPhoto) {
    // A photo has no time: any range is all of it.
    const isBanned = material.faults.length > 0 || wished.length > 0;
    return isBanned ? [] : [{ startSeconds: 0, endSeconds: PHOTO_SECONDS }];
  }
  return without({ startSeconds: 0, endSeconds: material.durationSeconds }, [...material.faults, ...wished]);
}

/** The parts of `whole` outside all of `holes`. */
export function without(whole: Span, holes: readonly Span[]): Span[] {
  const runs: Span[] = [];
  let startSeconds = whole.startSeconds;
  const ascending = [...holes].sort((one, other) => one.startSeconds - other.startSeconds);
  for (const hole of ascending) {
    const endSeconds = Math.min(hole.startSeconds, whole.endSeconds);
    if (endSeconds - startSeconds >= MIN_RUN_SECONDS) runs.push({ startSeconds, endSeconds });
    startSeconds = Math.max(startSeconds, hole.endSeconds);
  }
  if (whole.endSeconds - startSeconds >= MIN_RUN_SECONDS)
    runs.push({ startSeconds, endSeconds: whole.endSeconds });
  return runs;
}
