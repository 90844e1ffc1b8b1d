import type { CutEvidence } from './cut-evidence.ts';

/** A perceptron with one hidden layer. */
export interface CutWeights {
  /** Mean and standard deviation of each piece of evidence over all examples, for normalisation. */
  readonly mean: Readonly<Record<keyof CutEvidence, number>>;
  readonly deviation: Readonly<Record<keyof CutEvidence, number>>;
  readonly units: readonly {
    /** For each piece of evidence, in the order of `mean`. */
    readonly evidence: readonly number[];
    readonly bias: number;
    /** Weight of the unit in the log odds. */
    readonly odds: number;
  }[];
  readonly bias: number;
}

/** Probability of a cut, 0..1. Plain loops, which V8 compiles fast: this matters for short clips. */
export function cutProbability({ mean, deviation, units, bias }: CutWeights, evidence: CutEvidence): number {
  const inputs: number[] = [];
  let name: keyof CutEvidence;
  for (name in mean) inputs.push((evidence[name] - mean[name]) / deviation[name]);
  let odds = bias;
  for (const unit of units) odds += unit.odds * Math.tanh(weightedSum(unit.evidence, inputs, unit.bias));
  return 1 / (1 + Math.exp(-odds));
}

function weightedSum(weights: readonly number[], inputs: readonly number[], bias: number): number {
  let sum = bias;
  for (let k = 0; k < inputs.length; k++) sum += weights[k] * inputs[k];
  return sum;
}
