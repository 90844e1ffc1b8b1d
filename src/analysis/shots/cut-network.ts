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

/** 0..1: that there is a cut. */
export function cutProbability({ mean, deviation, units, bias }: CutWeights, evidence: CutEvidence): number {
  const names = Object.keys(mean) as (keyof CutEvidence)[];
  const inputs = names.map((name) => (evidence[name] - mean[name]) / deviation[name]);
  let odds = bias;
  for (const unit of units) {
    let sum = unit.bias;
    for (const [k, input] of inputs.entries()) sum += unit.evidence[k]! * input;
    odds += unit.odds * Math.tanh(sum);
  }
  return 1 / (1 + Math.exp(-odds));
}
