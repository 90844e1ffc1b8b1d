/** Takes with all that planning looks up again and again. */
import type { Span } from '../../analysis/facts.ts';
import { LastResult } from '../../domain/last-result.ts';
import { totalSeconds } from '../../domain/spans.ts';
import { CurveMeans } from './curve-means.ts';
import type { EditBan, EditTake } from './edit-plan.ts';
import { TakeViews, type TimeLine, timeLinesOf } from './look-alikes.ts';
import { ShownSpans } from './span-likeness.ts';
import { usableRuns } from './take-runs.ts';
import { areBlurred, referenceSharpness } from './take-sharpness.ts';
import { worthsOfTakes } from './take-worth.ts';

export interface PreparedTake extends EditTake {
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
    ...{ ...take, index, means, line, runs },
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
    const banned = bans.flatMap(({ take: other, startSeconds, endSeconds }) => {
      const shift = shiftBetween(takes[other], prepared);
      return shift === null ? [] : [{ startSeconds: startSeconds + shift, endSeconds: endSeconds + shift }];
    });
    if (banned.length === 0) return prepared;
    const runs = usableRuns(prepared, banned);
    return {
      ...prepared,
      runs,
      unwanted: [...prepared.exclude, ...banned],
      usableSeconds: totalSeconds(runs),
    };
  });
}

/** FNV-1a of a text, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
