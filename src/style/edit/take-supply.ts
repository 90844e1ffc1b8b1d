/** How much of an edit the takes can fill, and which of them it can do without. */
import { joinedSpans, type Span, totalSeconds } from '../../domain/spans.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { PHOTO_SECONDS } from './take-runs.ts';

/** Far worse takes are left out if the others can fill this many edits: more than one leaves a choice. */
const FILLED_WITHOUT_WORSE = 1.1;
/** Blurred takes are left out if the others can fill this share: two takes of a third each do, one does not. */
const FILLED_WITHOUT_BLURRED = 0.4;
/** Share of the edit that one take may have to fill: where three of seven takes filled it, one view was shown four times. */
const MAX_OF_ONE_TAKE = 1 / 3;
/** Half as sharp as the others, or nearly nothing to see, or dark beside them. */
const MIN_WORTH = 0.3;

/**
 * The takes. Blurred ones have no runs if the others make an edit, even a shorter one. Those far softer or darker than the others, or with nothing to
 * see, have none if the others suffice for so many seconds.
 */
export function withoutFarWorse(takes: readonly PreparedTake[], seconds: number): readonly PreparedTake[] {
  const clear = withoutTakes(takes, ({ isBlurred }) => isBlurred, FILLED_WITHOUT_BLURRED * seconds, seconds);
  return withoutTakes(clear, ({ worth }) => worth <= MIN_WORTH, FILLED_WITHOUT_WORSE * seconds, seconds);
}

/** The takes, those that are `worse` without runs if the others have so many seconds. */
function withoutTakes(
  takes: readonly PreparedTake[],
  isWorse: (take: PreparedTake) => boolean,
  leastSeconds: number,
  seconds: number,
): readonly PreparedTake[] {
  const others = takes.map((one) =>
    isWorse(one) && !one.mustUse ? { ...one, runs: [], usableSeconds: 0 } : one,
  );
  return variedSeconds(others, seconds) >= leastSeconds ? others : takes;
}

/** Time of the takes, of each no more than `MAX_OF_ONE_TAKE` of the edit. */
function variedSeconds(takes: readonly PreparedTake[], seconds: number): number {
  const groups = new Map<number, number>();
  for (const { line, usableSeconds } of takes)
    groups.set(line.group, Math.max(usableSeconds, groups.get(line.group) ?? 0));
  return [...groups.values()].reduce((sum, usable) => sum + Math.min(usable, MAX_OF_ONE_TAKE * seconds), 0);
}

/** Runs of all takes, those that twins have in common once: the material of an edit without repetition. */
export function distinctRuns(takes: readonly PreparedTake[]): Span[] {
  const groups = new Map<number, Span[]>();
  for (const { runs, line } of takes) {
    const shifted = runs.map(({ startSeconds, endSeconds }) => ({
      startSeconds: startSeconds + line.offsetSeconds,
      endSeconds: endSeconds + line.offsetSeconds,
    }));
    groups.set(line.group, [...(groups.get(line.group) ?? []), ...shifted]);
  }
  return [...groups.values()].flatMap((spans) => joinedSpans(spans));
}

/** At most: a photo fills one slot, not all the time for which it could be shown. */
export function usableTotal(
  runs: readonly Span[],
  takes: readonly PreparedTake[],
  longestSlotSeconds: number,
): number {
  const photos = takes.filter(({ material, runs: own }) => material.isPhoto && own.length > 0).length;
  return totalSeconds(runs) - photos * Math.max(0, PHOTO_SECONDS - longestSlotSeconds);
}
