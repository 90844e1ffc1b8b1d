import {
  type PictureFacts,
  TRANSITION_TYPES,
  type Transition,
  type TransitionType,
} from '../src/analysis/facts.ts';
import { framesPerSecond } from '../src/time.ts';
import type { TrueTransition, Truth } from './truth.ts';

/** Found and wanted, found and wrong, wanted and missed. */
export interface Hits {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

export interface TransitionScore {
  readonly cuts: Hits;
  readonly gradual: Hits;
  /** By type: a gradual transition that is found under another name counts as wrong there and missed here. */
  readonly types: Readonly<Partial<Record<TransitionType, Hits>>>;
  /** Differences in length of the matched gradual transitions, frames. */
  readonly durationErrorsFrames: readonly number[];
  readonly falseCount: number;
  readonly minutes: number;
}

/** Truths are exact to a frame; the time stamps' rounding comes on top. */
const CUT_TOLERANCE_FRAMES = 1.05;
/** Intersection over union from which a found transition is the wanted one. */
const LEAST_OVERLAP = 0.5;
export const NO_HITS: Hits = { right: 0, wrong: 0, missed: 0 };

/** Scores the transitions found in a clip. Each found one answers at most one true one. */
export function scoreTransitions(facts: PictureFacts, truth: Truth): TransitionScore {
  const rate = framesPerSecond(facts.frameRate);
  const tolerance = CUT_TOLERANCE_FRAMES / rate;
  const cuts = facts.transitions.filter(({ type }) => type === 'cut');
  const gradual = facts.transitions.filter(({ type }) => type !== 'cut');
  const freeCuts = new Set(cuts);
  let missedCuts = 0;
  for (const seconds of truth.cutsSeconds ?? []) {
    const found = cuts.find((cut) => freeCuts.has(cut) && Math.abs(cut.endSeconds - seconds) <= tolerance);
    if (found === undefined) missedCuts++;
    else freeCuts.delete(found);
  }
  const rightCuts = (truth.cutsSeconds?.length ?? 0) - missedCuts;
  const pairs = pairUp(gradual, truth.transitions);
  const tolerated = (one: Transition) =>
    truth.optionalCutsSeconds.some(
      (seconds) => one.startSeconds <= seconds + tolerance && one.endSeconds >= seconds - tolerance,
    ) ||
    truth.transitions.some(
      (other) => other.optional && one.startSeconds < other.endSeconds && one.endSeconds > other.startSeconds,
    );
  const answered = new Set(pairs.map(({ found }) => found));
  const wrongCuts = [...freeCuts].filter((cut) => !tolerated(cut)).length;
  const falseGradual = gradual.filter((one) => !answered.has(one) && !tolerated(one));
  const wanted = truth.transitions.filter(({ optional }) => !optional);
  return {
    cuts: { right: rightCuts, wrong: wrongCuts, missed: missedCuts },
    gradual: { right: pairs.length, wrong: falseGradual.length, missed: wanted.length - pairs.length },
    types: typeHits(pairs, falseGradual, wanted),
    durationErrorsFrames: pairs
      .filter(({ wanted: { loose } }) => !loose)
      .map(({ found, wanted: { startSeconds, endSeconds } }) =>
        Math.abs((found.endSeconds - found.startSeconds - (endSeconds - startSeconds)) * rate),
      ),
    falseCount: wrongCuts + falseGradual.length,
    minutes: facts.durationSeconds / 60,
  };
}

interface Pair {
  readonly found: Transition;
  readonly wanted: TrueTransition;
}

function pairUp(found: readonly Transition[], truths: readonly TrueTransition[]): Pair[] {
  const free = new Set(found);
  const pairs: Pair[] = [];
  for (const wanted of truths.filter(({ optional }) => !optional)) {
    const [best] = [...free]
      .map((one) => ({ one, overlap: overlapOf(one, wanted) }))
      .filter(({ overlap }) => overlap >= (wanted.loose ? 1e-6 : LEAST_OVERLAP))
      .sort((a, b) => b.overlap - a.overlap);
    if (best === undefined) continue;
    free.delete(best.one);
    pairs.push({ found: best.one, wanted });
  }
  return pairs;
}

function overlapOf(one: Transition, other: TrueTransition): number {
  const shared = Math.min(one.endSeconds, other.endSeconds) - Math.max(one.startSeconds, other.startSeconds);
  const all = Math.max(one.endSeconds, other.endSeconds) - Math.min(one.startSeconds, other.startSeconds);
  return shared / Math.max(all, 1e-9);
}

function typeHits(
  pairs: readonly Pair[],
  falseGradual: readonly Transition[],
  wanted: readonly TrueTransition[],
): Partial<Record<TransitionType, Hits>> {
  const hits: Partial<Record<TransitionType, Hits>> = {};
  for (const type of TRANSITION_TYPES) {
    const right = pairs.filter((pair) => pair.found.type === type && pair.wanted.type === type).length;
    const named = pairs.filter(({ found }) => found.type === type).length;
    const wrong = named - right + falseGradual.filter((one) => one.type === type).length;
    const missed = wanted.filter((one) => one.type === type).length - right;
    if (right + wrong + missed > 0) hits[type] = { right, wrong, missed };
  }
  return hits;
}

export function addHits(all: readonly Hits[]): Hits {
  return all.reduce(
    (sum, hits) => ({
      right: sum.right + hits.right,
      wrong: sum.wrong + hits.wrong,
      missed: sum.missed + hits.missed,
    }),
    NO_HITS,
  );
}

/** Null where nothing was to be found and nothing was. */
export function fMeasure({ right, wrong, missed }: Hits): number | null {
  const all = 2 * right + wrong + missed;
  return all === 0 ? null : (2 * right) / all;
}
