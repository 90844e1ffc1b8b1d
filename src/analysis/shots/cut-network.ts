import type { CutEvidence } from './cut-evidence.ts';

/** A perceptron with one layer between evidence and odds. */
export interface CutWeights {
  /** Of each piece of evidence over all examples: what it is measured from, and in. */
  readonly mean: Readonly<Record<keyof CutEvidence, number>>;
  readonly deviation: Readonly<Record<keyof CutEvidence, number>>;
  readonly units: readonly {
    /** For each piece of evidence, in the order of `mean`. */
    readonly evidence: readonly number[];
    readonly bias: number;
    /** Of the unit in the odds. */
    readonly odds: number;
  }[];
  readonly bias: number;
}

/** 0..1: that there is a cut. In plain loops, which V8 compiles quickly, as it does in every short clip. */
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
