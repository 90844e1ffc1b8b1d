/** Scores of boundaries between shots. */
import type { VideoFacts } from '../../src/analysis/facts.ts';
import type { Presentation } from '../../src/analysis/frames/presentation-clock.ts';
import type { ShotFacts } from '../../src/analysis/shots/shot.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import type { Truth } from '../lib/truth.ts';
import {
  addHits,
  fMeasure,
  type Hits,
  NO_HITS,
  scoreTransitions,
  type TransitionScore,
} from '../score/transitions.ts';

export interface BoundaryScore {
  readonly kind: string;
  readonly cuts: Hits;
  readonly gradual: Hits;
  /** A boundary of any type: a cut found in place of a dissolve counts. */
  readonly any: Hits;
  /** Names of the gradual ones, and false ones of any kind, both as `analysis.ts` counts them. */
  readonly types: TransitionScore['types'];
  readonly falseCount: number;
  readonly durationErrorsFrames: readonly number[];
  readonly minutes: number;
  readonly faults: readonly string[];
}

/** A boundary is found if it meets the true one within this many frames. */
const TOLERANCE_FRAMES = 2.05;
/** Fewer transitions of a type measure chance: docs/notebook/transitions.md. */
const OFTEN = 5;
/** A gradual transition whose length differs by more is reported. */
const LENGTH_ERROR_FRAMES = 4;

export function scoreBoundaries(
  kind: string,
  truth: Truth,
  presentation: Presentation,
  { transitions }: Pick<ShotFacts, 'transitions'>,
): BoundaryScore {
  const facts = { ...presentation, transitions } as unknown as VideoFacts;
  const score = scoreTransitions(facts, truth);
  const { cuts, gradual, durationErrorsFrames, minutes, types, falseCount } = score;
  const rate = framesPerSecond(presentation.frameRate);
  const slack = TOLERANCE_FRAMES / rate;
  const expected = [
    ...(truth.cutsSeconds ?? []).map((at) => ({ type: 'cut', from: at - 1 / rate, to: at, optional: false })),
    ...truth.optionalCutsSeconds.map((at) => ({ type: 'cut', from: at - 1 / rate, to: at, optional: true })),
    ...truth.transitions.map(({ type, startSeconds: from, endSeconds: to, optional }) => ({
      type: type ?? 'other',
      ...{ from, to, optional },
    })),
  ];
  const meets = (one: (typeof transitions)[number], other: (typeof expected)[number]): boolean =>
    one.startSeconds <= other.to + slack && one.endSeconds >= other.from - slack;
  const middle = (from: number, to: number): number => (from + to) / 2;
  const pairs = transitions
    .flatMap((one) => expected.filter((other) => meets(one, other)).map((other) => ({ one, other })))
    .sort(
      (a, b) =>
        Math.abs(middle(a.one.startSeconds, a.one.endSeconds) - middle(a.other.from, a.other.to)) -
        Math.abs(middle(b.one.startSeconds, b.one.endSeconds) - middle(b.other.from, b.other.to)),
    );
  const answered = new Map<object, (typeof transitions)[number]>();
  const used = new Set<object>();
  for (const { one, other } of pairs) {
    if (answered.has(other) || used.has(one)) continue;
    answered.set(other, one);
    used.add(one);
  }
  const tolerated = (one: (typeof transitions)[number]): boolean =>
    expected.some((other) => other.optional && meets(one, other));
  const wrong = transitions.filter((one) => !used.has(one) && !tolerated(one));
  const requested = expected.filter(({ optional }) => !optional);
  const missed = requested.filter((one) => !answered.has(one));
  const say = (word: string, type: string, from: number, to: number): string =>
    `${word} ${type} ${from.toFixed(3)}-${to.toFixed(3)} (frames ${Math.round(from * rate)}-${Math.round(to * rate)})`;
  return {
    ...{ kind, cuts, gradual, durationErrorsFrames, minutes, types, falseCount },
    any: { right: requested.length - missed.length, wrong: wrong.length, missed: missed.length },
    faults: [
      ...missed.map(({ type, from, to }) => say('missed', type, from, to)),
      ...wrong.map(({ type, startSeconds, endSeconds }) => say('false', type, startSeconds, endSeconds)),
      ...requested.flatMap((one) => {
        const found = answered.get(one);
        if (found === undefined) return [];
        const at = `found as ${say(found.type, '', found.startSeconds, found.endSeconds)}`;
        if ((found.type === 'cut') !== (one.type === 'cut'))
          return [`${say('other', one.type, one.from, one.to)} ${at}`];
        const error = Math.abs(found.endSeconds - found.startSeconds - (one.to - one.from)) * rate;
        return one.type === 'cut' || error <= LENGTH_ERROR_FRAMES
          ? []
          : [`${say('length', one.type, one.from, one.to)} ${at}`];
      }),
    ],
  };
}

/** One line for each kind, and one for all. */
export function boundaryTable(scores: readonly BoundaryScore[]): string {
  const kinds = [...new Set(scores.map(({ kind }) => kind))];
  const line = (name: string, of: readonly BoundaryScore[]): string => {
    const rates = (hits: Hits): string => {
      const { right, wrong, missed } = hits;
      const part = (whole: number): string => (whole === 0 ? '–' : (right / whole).toFixed(2));
      const f = fMeasure(hits);
      return `${right + missed} | ${part(right + wrong)} | ${part(right + missed)} | ${f === null ? '–' : f.toFixed(3)}`;
    };
    const minutes = of.reduce((sum, one) => sum + one.minutes, 0);
    const any = addHits(of.map((one) => one.any));
    const errors = of.flatMap(({ durationErrorsFrames }) => durationErrorsFrames).sort((a, b) => a - b);
    const below = (share: number): string =>
      errors.length === 0 ? '–' : errors[Math.ceil(share * errors.length) - 1].toFixed(1);
    return `| ${name} | ${of.length} | ${rates(addHits(of.map(({ cuts }) => cuts)))} | ${rates(addHits(of.map(({ gradual }) => gradual)))} | ${below(0.5)} | ${below(0.9)} | ${rates(any)} | ${(any.wrong / minutes).toFixed(2)} |`;
  };
  return [
    '| kind | clips | cuts | P | R | F | gradual | P | R | F | Δ frames, median | 90 % | any | P | R | F | false/min |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...kinds.map((kind) =>
      line(
        kind,
        scores.filter((score) => score.kind === kind),
      ),
    ),
    ...(kinds.length > 1 ? [line('all', scores)] : []),
  ].join('\n');
}

/** The names of gradual transitions: F of each type, their mean, and the mean of those that occur often enough. */
export function namesInWords(scores: readonly BoundaryScore[]): string {
  const kinds = [...new Set(scores.flatMap(({ types }) => Object.keys(types)))].map((type) => {
    const hits = addHits(scores.map(({ types }) => types[type as keyof typeof types] ?? NO_HITS));
    return { type, hits, f: fMeasure(hits) ?? 0 };
  });
  const mean = (of: typeof kinds): string =>
    of.length === 0 ? '–' : (of.reduce((sum, { f }) => sum + f, 0) / of.length).toFixed(3);
  const often = kinds.filter(({ hits }) => hits.right + hits.missed >= OFTEN);
  const minutes = scores.reduce((sum, one) => sum + one.minutes, 0);
  const wrong = scores.reduce((sum, { falseCount }) => sum + falseCount, 0);
  return [
    `types, macro F: ${mean(kinds)}; of those that occur ${OFTEN} times: ${mean(often)} (${kinds.map(({ type, f, hits }) => `${type} ${f.toFixed(3)} of ${hits.right + hits.missed}`).join(', ')})`,
    `false a minute: ${(wrong / minutes).toFixed(2)}`,
  ].join('\n');
}
