/** The confidence in a tempo as a model: its fit, its parameters, and how it does on families left out. */
import { tempoConfidence } from '../../src/analysis/beats/level.ts';
import { fitChoices } from './conditional-logit.ts';
import type { TempoExample, TempoExamples } from './tempo-examples.ts';

interface Parameters {
  /** Of the squared distance of a weight from its prior. */
  readonly penalty: number;
  /** Exponent of the share of the odds. */
  readonly power: number;
}

export interface Judgment {
  readonly example: TempoExample;
  readonly isRight: boolean;
  readonly confidence: number;
}

export const CONFIDENT = 0.8;
/** The family of pieces that are no songs: they are easier. */
export const GENERATED = 'generated';
/** More than the promised .95: families differ, and the best parameters are partly best by chance. */
const CHOSEN_PRECISION = 0.965;
const PENALTIES = [0.3, 1, 3, 10];
const POWERS = [1, 1.5, 2, 3];
/** Of the true tempo; an octave is wrong. */
const TOLERANCE = 0.04;

const isTempo = (bpm: number, example: TempoExample) => Math.abs(bpm / example.bpm - 1) <= TOLERANCE;

/** The prior is the score by the weights that select a tempo, and nothing else. */
function fitWeights({ names, examples }: TempoExamples, penalty: number): Float64Array {
  const choices = examples.map((example) => ({
    candidates: example.candidates.map(({ evidence }) => Float64Array.from(evidence)),
    right: new Set(example.candidates.flatMap(({ bpm }, i) => (isTempo(bpm, example) ? [i] : []))),
  }));
  const prior = Float64Array.from(names, (name) => Number(name === 'score'));
  // Without a right candidate, or with right ones alone, there is nothing to learn.
  const teaching = choices.filter(
    ({ candidates, right }) => right.size > 0 && right.size < candidates.length,
  );
  return fitChoices(teaching, penalty, prior).map((weight) => Number(weight.toFixed(2)));
}

/** Share of the odds that the candidates of the chosen tempo have. */
function shareOf({ candidates, chosen }: TempoExample, weights: Float64Array): number {
  const scores = candidates.map(({ evidence }) =>
    evidence.reduce((sum, value, k) => sum + value * weights[k], 0),
  );
  const most = Math.max(...scores);
  const sum = (among: (bpm: number) => boolean) =>
    scores.reduce((total, score, i) => total + (among(candidates[i].bpm) ? Math.exp(score - most) : 0), 0);
  return sum((bpm) => bpm === candidates[chosen].bpm) / sum(() => true);
}

function judge(example: TempoExample, share: number, power: number): Judgment {
  const isRight = isTempo(example.candidates[example.chosen].bpm, example);
  return { example, isRight, confidence: example.certainty * tempoConfidence(example, share, power) };
}

/** Confident judgments, and those of them that are right. */
export function confidentOf(judgments: readonly Judgment[]): { count: number; right: number } {
  const confident = judgments.filter(({ confidence }) => confidence >= CONFIDENT);
  return { count: confident.length, right: confident.filter(({ isRight }) => isRight).length };
}

function withoutFamily(all: TempoExamples, family: string): TempoExamples {
  return { names: all.names, examples: all.examples.filter((example) => example.family !== family) };
}

function familiesOf({ examples }: TempoExamples): string[] {
  return [...new Set(examples.map(({ family }) => family))].sort();
}

/** Shares of the odds in families left out of the fit. */
function sharesLeftOut(all: TempoExamples, penalty: number): Map<TempoExample, number> {
  const shares = new Map<TempoExample, number>();
  for (const family of familiesOf(all)) {
    const weights = fitWeights(withoutFamily(all, family), penalty);
    for (const example of all.examples)
      if (example.family === family) shares.set(example, shareOf(example, weights));
  }
  return shares;
}

/**
 * The parameters with the most songs that are right and confident, in families left out of the fit, among those with the
 * precision `CHOSEN_PRECISION`; those with the highest precision if none has it.
 */
function chooseParameters(all: TempoExamples): Parameters {
  const tried = PENALTIES.flatMap((penalty) => {
    const songs = [...sharesLeftOut(all, penalty)].filter(([{ family }]) => family !== GENERATED);
    return POWERS.map((power) => {
      const { count, right } = confidentOf(songs.map(([example, share]) => judge(example, share, power)));
      return { penalty, power, right, precision: right / Math.max(1, count) };
    });
  });
  const precise = tried.filter(({ precision }) => precision >= CHOSEN_PRECISION);
  const [{ penalty, power }] =
    precise.length > 0
      ? precise.toSorted((a, b) => b.right - a.right)
      : tried.toSorted((a, b) => b.precision - a.precision);
  return { penalty, power };
}

/** The weights to store, by name, and the power. */
export function fitConfidence(all: TempoExamples): {
  weights: Readonly<Record<string, number>>;
  power: number;
} {
  const { penalty, power } = chooseParameters(all);
  const weights = fitWeights(all, penalty);
  return { weights: Object.fromEntries(all.names.map((name, k) => [name, weights[k]])), power };
}

/**
 * Nested cross-validation: the judgments of each family by weights and parameters that the other families
 * alone have determined.
 */
export function judgeLeftOut(all: TempoExamples): Map<string, readonly Judgment[]> {
  return new Map(
    familiesOf(all).map((family) => {
      const others = withoutFamily(all, family);
      const { penalty, power } = chooseParameters(others);
      const weights = fitWeights(others, penalty);
      const own = all.examples.filter((example) => example.family === family);
      return [family, own.map((example) => judge(example, shareOf(example, weights), power))];
    }),
  );
}

/** The judgments of all examples by given weights. */
export function judgeBy(
  { names, examples }: TempoExamples,
  weights: Readonly<Record<string, number>>,
  power: number,
): Judgment[] {
  const values = Float64Array.from(names, (name) => weights[name] ?? 0);
  return examples.map((example) => judge(example, shareOf(example, values), power));
}
