/** Takes with all that planning looks up again and again. */
import type { Span } from '../../analysis/facts.ts';
import { LastResult } from '../../domain/last-result.ts';
import { joinedSpans, totalSeconds } from '../../domain/spans.ts';
import { CurveMeans } from './curve-means.ts';
import type { EditBan, EditTake } from './edit-plan.ts';
import { TakeViews, type TimeLine, timeLinesOf } from './look-alikes.ts';
import { ShownSpans } from './span-likeness.ts';
import { PHOTO_SECONDS, usableRuns } from './take-runs.ts';
import { areBlurred, referenceSharpness } from './take-sharpness.ts';
import { worthsOfTakes } from './take-worth.ts';

export interface PreparedTake {
  readonly take: EditTake;
  /** Among the prepared takes. */
  readonly index: number;
  readonly means: CurveMeans;
  readonly views: TakeViews;
  /** Shared by all takes of the plan. */
  readonly spans: ShownSpans;
  readonly line: TimeLine;
  readonly runs: readonly Span[];
  /** Exclusions and bans of the person. */
  readonly unwanted: readonly Span[];
  readonly usableSeconds: number;
  readonly hash: number;
  /** At which it looks as sharp as the sharp takes. */
  readonly referenceSharpness: number;
  /** How well its people are seen where they are seen best, 0..1; 0: it shows nobody. */
  readonly bestPeople: number;
  /** Beside sharper takes. */
  readonly isBlurred: boolean;
  /** 0..1: how much it deserves to be shown beside the others. Far softer takes have 0, those in which nothing can be seen, and those that are dark and show little. */
  readonly worth: number;
}

const PEOPLE_SECONDS = 1;

const lastPrepared = new LastResult<readonly PreparedTake[]>();

/** Like `prepareTakes`; the last result if the takes are the same, as in a plan that is made again after a change. */
export function preparedOnce(takes: readonly EditTake[]): readonly PreparedTake[] {
  const materials = takes.map(({ material }) => material);
  const wishes = takes.map(({ material: _, ...wish }) => wish);
  return lastPrepared.of([...materials, JSON.stringify(wishes)], () => prepareTakes(takes));
}

/** Without bans: see `withoutBanned`. */
export function prepareTakes(takes: readonly EditTake[]): PreparedTake[] {
  const views = takes.map(({ material }) => new TakeViews(material));
  const lines = timeLinesOf(takes, views);
  const measured = takes.map((take, at) => ({
    take,
    line: lines[at],
    means: new CurveMeans(take.material),
    runs: usableRuns(take, []),
  }));
  const reference = referenceSharpness(measured);
  const spans = new ShownSpans();
  const blurred = areBlurred(measured);
  const worth = worthsOfTakes(measured, reference).map((one, at) => (blurred[at] ? 0 : one));
  return measured.map(({ take, means, runs, line }, index) => ({
    ...{ take, index, means, line, runs },
    views: views[index],
    spans,
    unwanted: take.exclude,
    usableSeconds: totalSeconds(runs),
    hash: hashOf(take.content),
    referenceSharpness: reference[index],
    bestPeople: bestPeople(means, runs),
    isBlurred: blurred[index],
    worth: worth[index],
  }));
}

/** Of any window of a second in its runs. */
function bestPeople(means: CurveMeans, runs: readonly Span[]): number {
  let best = 0;
  for (const { startSeconds, endSeconds } of runs)
    for (let start = startSeconds; start + PEOPLE_SECONDS <= endSeconds; start += PEOPLE_SECONDS / 2)
      best = Math.max(best, means.mean('people', start, start + PEOPLE_SECONDS));
  return best;
}

/** Seconds from the time of one take to that of another that shows the same; null: they show other things. */
export function shiftBetween(from: PreparedTake, to: PreparedTake): number | null {
  return from.line.group === to.line.group ? from.line.offsetSeconds - to.line.offsetSeconds : null;
}

/** The takes without banned ranges, in them or in a twin. */
export function withoutBanned(takes: readonly PreparedTake[], bans: readonly EditBan[]): PreparedTake[] {
  return takes.map((prepared) => {
    const { take } = prepared;
    const banned = bans.flatMap(({ take: other, startSeconds, endSeconds }) => {
      const shift = shiftBetween(takes[other], prepared);
      return shift === null ? [] : [{ startSeconds: startSeconds + shift, endSeconds: endSeconds + shift }];
    });
    if (banned.length === 0) return prepared;
    const runs = usableRuns(take, banned);
    return {
      ...prepared,
      runs,
      unwanted: [...take.exclude, ...banned],
      usableSeconds: totalSeconds(runs),
    };
  });
}

/** Material for an edit without far worse takes, which then change no choice; with them where the others are too short. */
const AMPLE = 1.1;
/** Of the edit, that one take may have to fill: where three of seven takes filled it, one view was shown four times. */
const MOST_SHARE = 1 / 3;
/** Half as sharp as the others, or nearly nothing to see, or dark beside them. */
const MIN_WORTH = 0.3;

/** Share of the edit that takes must fill without the blurred ones: two takes that each fill a third do, one does not. */
const MIN_CLEAR_SHARE = 0.4;

/**
 * The takes. Blurred ones have no runs if the others make an edit, even a shorter one. Those far softer or darker than the others, or with nothing to
 * see, have none if the others suffice for so many seconds.
 */
export function withoutFarWorse(takes: readonly PreparedTake[], seconds: number): readonly PreparedTake[] {
  const clear = withoutTakes(takes, ({ isBlurred }) => isBlurred, MIN_CLEAR_SHARE * seconds, seconds);
  return withoutTakes(clear, ({ worth }) => worth <= MIN_WORTH, AMPLE * seconds, seconds);
}

/** The takes, those that are `worse` without runs if the others have so many seconds. */
function withoutTakes(
  takes: readonly PreparedTake[],
  isWorse: (take: PreparedTake) => boolean,
  leastSeconds: number,
  seconds: number,
): readonly PreparedTake[] {
  const others = takes.map((one) =>
    isWorse(one) && !one.take.mustUse ? { ...one, runs: [], usableSeconds: 0 } : one,
  );
  return variedSeconds(others, seconds) >= leastSeconds ? others : takes;
}

/** Time of the takes, of each no more than `MOST_SHARE` of the edit. */
function variedSeconds(takes: readonly PreparedTake[], seconds: number): number {
  const groups = new Map<number, number>();
  for (const { line, usableSeconds } of takes)
    groups.set(line.group, Math.max(usableSeconds, groups.get(line.group) ?? 0));
  return [...groups.values()].reduce((sum, usable) => sum + Math.min(usable, MOST_SHARE * seconds), 0);
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
  const photos = takes.filter(({ take, runs: own }) => take.material.isPhoto && own.length > 0).length;
  return totalSeconds(runs) - photos * Math.max(0, PHOTO_SECONDS - longestSlotSeconds);
}

/** FNV-1a of a text, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
