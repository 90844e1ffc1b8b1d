import {
  TRANSITION_TYPES,
  type Transition,
  type TransitionType,
  type VideoFacts,
} from '../../src/analysis/facts.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import type { TrueTransition, Truth } from '../lib/truth.ts';
import type { Judged } from './calibration.ts';

/** Correct, false, and missed findings. */
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
  /** Matched gradual transitions of the right type whose easing is known. */
  readonly easings: { readonly right: number; readonly wanted: number };
  /** Every transition found that is either right or wrong; a gradual one of another type is wrong. */
  readonly judged: readonly Judged[];
  /** What was made as one type and found as another; `none` for missed and false ones. */
  readonly confusions: readonly { readonly wanted: Named; readonly found: Named }[];
  readonly falseCount: number;
  readonly minutes: number;
}

/** Truths are exact to a frame; plus the rounding of time stamps. */
const CUT_TOLERANCE_FRAMES = 1.05;
/** Intersection over union from which a found transition matches. */
const MIN_OVERLAP = 0.5;
export type Named = TransitionType | 'none';
export const NO_HITS: Hits = { right: 0, wrong: 0, missed: 0 };

/** Scores the transitions found in a clip. Each found one answers at most one true one. */
export function scoreTransitions(facts: VideoFacts, truth: Truth): TransitionScore {
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
  const rightOnes = new Set(cuts.filter((cut) => !freeCuts.has(cut)));
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
  const falseCuts = [...freeCuts].filter((cut) => !tolerated(cut));
  const wrongCuts = falseCuts.length;
  const falseGradual = gradual.filter((one) => !answered.has(one) && !tolerated(one));
  const wanted = truth.transitions.filter(({ optional }) => !optional);
  const named = pairs.filter(({ found, wanted: { type } }) => found.type === type);
  for (const { found } of named) rightOnes.add(found);
  const eased = named.filter(({ wanted: { easing } }) => easing !== undefined);
  return {
    cuts: { right: rightCuts, wrong: wrongCuts, missed: missedCuts },
    gradual: { right: pairs.length, wrong: falseGradual.length, missed: wanted.length - pairs.length },
    types: typeHits(pairs, falseGradual, wanted),
    durationErrorsFrames: pairs
      .filter(({ wanted: { loose } }) => !loose)
      .map(({ found, wanted: { startSeconds, endSeconds } }) =>
        Math.abs((found.endSeconds - found.startSeconds - (endSeconds - startSeconds)) * rate),
      ),
    easings: {
      right: eased.filter(({ found, wanted: { easing } }) => found.easing === easing).length,
      wanted: eased.length,
    },
    judged: [
      ...new Set([...rightOnes, ...falseCuts, ...falseGradual, ...pairs.map(({ found }) => found)]),
    ].map((one) => ({ confidence: one.confidence, right: rightOnes.has(one) ? 1 : 0 })),
    confusions: confusions(pairs, [...falseCuts, ...falseGradual], wanted, missedCuts),
    falseCount: wrongCuts + falseGradual.length,
    minutes: facts.durationSeconds / 60,
  };
}

/**
 * Scores bare times of cuts, as a detector gives them that knows no other changes: what it finds inside a gradual
 * transition is neither right nor wrong.
 */
export function scoreCutTimes(
  found: readonly number[],
  { frameRate }: Pick<VideoFacts, 'frameRate'>,
  truth: Truth,
): Hits {
  const tolerance = CUT_TOLERANCE_FRAMES / framesPerSecond(frameRate);
  const free = new Set(found);
  let missed = 0;
  for (const wanted of truth.cutsSeconds ?? []) {
    const hit = found.find((seconds) => free.has(seconds) && Math.abs(seconds - wanted) <= tolerance);
    if (hit === undefined) missed++;
    else free.delete(hit);
  }
  const tolerated = (seconds: number) =>
    truth.optionalCutsSeconds.some((optional) => Math.abs(seconds - optional) <= tolerance) ||
    truth.transitions.some(
      ({ startSeconds, endSeconds }) =>
        seconds >= startSeconds - tolerance && seconds <= endSeconds + tolerance,
    );
  const wrong = [...free].filter((seconds) => !tolerated(seconds)).length;
  return { right: (truth.cutsSeconds?.length ?? 0) - missed, wrong, missed };
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
      .filter(({ overlap }) => overlap >= (wanted.loose ? 1e-6 : MIN_OVERLAP))
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

function confusions(
  pairs: readonly Pair[],
  wrong: readonly Transition[],
  wanted: readonly TrueTransition[],
  missedCuts: number,
): { wanted: Named; found: Named }[] {
  const answered = new Set(pairs.map((pair) => pair.wanted));
  return [
    ...pairs.map((pair) => ({ wanted: nameOf(pair.wanted), found: pair.found.type })),
    ...wrong.map(({ type }) => ({ wanted: 'none' as const, found: type })),
    ...wanted
      .filter((one) => !answered.has(one))
      .map((one) => ({ wanted: nameOf(one), found: 'none' as const })),
    ...Array.from({ length: missedCuts }, () => ({ wanted: 'cut' as const, found: 'none' as const })),
  ];
}

function nameOf({ type }: TrueTransition): Named {
  return type ?? 'none';
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
