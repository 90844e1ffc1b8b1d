/** Fits the perceptron of `shots/cut-network.ts` by maximum likelihood, and writes its weights. */
import { writeFileSync } from 'node:fs';
import { CUT } from '../../src/analysis/shots/cut.ts';
import type { CutEvidence } from '../../src/analysis/shots/cut-evidence.ts';
import { type CutWeights, cutProbability } from '../../src/analysis/shots/cut-network.ts';
import { Random } from '../generate/random.ts';
import { fMeasure, type Hits } from '../score/transitions.ts';
import type { CutExample } from './cut-examples.ts';
import { descend } from './descent.ts';

/** The examples of one clip: clips are left out whole. */
export type ClipExamples = readonly CutExample[];

/** 4, 16 and 32 did no better on clips left out. */
const UNITS = 8;
const EPOCHS = 20;
const BATCH = 64;
const RATE = 0.01;
const DECAY = 1e-4;
/** Networks from this many initial states, whose mean is used: each alone finds other false cuts. */
const BEGINNINGS = 4;
const FOLDS = 4;

export function fitCutNetwork(clips: readonly ClipExamples[]): CutWeights {
  const hits = leftOut(clips);
  console.log(`${clips.length} clips, ${clips.flat().length} steps`);
  console.log(`  left out ${JSON.stringify(hits)} F ${fMeasure(hits)?.toFixed(4)}`);
  return fitted(clips.flat());
}

function leftOut(clips: readonly ClipExamples[]): Hits {
  const hits = { right: 0, wrong: 0, missed: 0 };
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = clips.filter((_, k) => k % FOLDS !== fold).flat();
    const weights = fitted(others);
    for (const { evidence, isWanted, isTolerated } of clips.filter((_, k) => k % FOLDS === fold).flat()) {
      const isFound = cutProbability(weights, evidence) >= CUT.MIN_PROBABILITY;
      if (isFound && isWanted) hits.right++;
      else if (isFound && !isTolerated) hits.wrong++;
      else if (!isFound && isWanted) hits.missed++;
    }
  }
  return hits;
}

/** Of examples whose evidence has its names in one order. */
export function fitted(examples: readonly CutExample[]): CutWeights {
  const names = Object.keys(examples[0].evidence) as (keyof CutEvidence)[];
  const means = names.map((name) => meanOf(examples, ({ evidence }) => evidence[name]));
  const deviations = names.map((name, k) =>
    Math.sqrt(meanOf(examples, ({ evidence }) => (evidence[name] - means[k]) ** 2)),
  );
  const inputs = examples.map(({ evidence }) =>
    Float64Array.from(names, (name, k) => (evidence[name] - means[k]) / deviations[k]),
  );
  const expected = examples.map(({ isWanted }) => isWanted);
  const networks = Array.from({ length: BEGINNINGS }, (_, k) =>
    descended(inputs, expected, new Random(k + 1)),
  );
  const rounded = (value: number) => Number(value.toFixed(3));
  const byName = (values: readonly number[]) =>
    Object.fromEntries(names.map((name, k) => [name, rounded(values[k])])) as CutWeights['mean'];
  return {
    mean: byName(means),
    deviation: byName(deviations),
    units: networks.flatMap(({ hidden, hiddenBias, out }) =>
      Array.from(out, (weight, unit) => ({
        evidence: [...hidden.subarray(unit * names.length, (unit + 1) * names.length)].map(rounded),
        bias: rounded(hiddenBias[unit]),
        odds: rounded(weight / BEGINNINGS),
      })),
    ),
    bias: rounded(meanOf(networks, ({ bias }) => bias[0])),
  };
}

type Network = {
  readonly hidden: Float64Array;
  readonly hiddenBias: Float64Array;
  readonly out: Float64Array;
  readonly bias: Float64Array;
};

function descended(inputs: readonly Float64Array[], expected: readonly boolean[], random: Random): Network {
  const count = inputs[0].length;
  const network: Network = {
    hidden: Float64Array.from({ length: UNITS * count }, () => random.normal() / Math.sqrt(count)),
    hiddenBias: new Float64Array(UNITS),
    out: Float64Array.from({ length: UNITS }, () => 0.3 * random.normal()),
    bias: new Float64Array(1),
  };
  descend(
    network,
    {
      ...{ examples: inputs.length, epochs: EPOCHS, random },
      ...{ batch: BATCH, rate: RATE, decay: DECAY, decaying: ['hidden', 'out'] },
    },
    (gradient, at) => addGradient(network, gradient, inputs[at], expected[at] ? 1 : 0),
  );
  return network;
}

/** Of the cross-entropy. */
function addGradient(network: Network, to: Network, input: Float64Array, expected: number): void {
  const { hidden, hiddenBias, out, bias } = network;
  const units = out.map((_, unit) => {
    let sum = hiddenBias[unit];
    for (let k = 0; k < input.length; k++) sum += hidden[unit * input.length + k] * input[k];
    return Math.tanh(sum);
  });
  const odds = units.reduce((sum, value, unit) => sum + value * out[unit], bias[0]);
  const error = 1 / (1 + Math.exp(-odds)) - expected;
  to.bias[0] += error;
  for (const [unit, value] of units.entries()) {
    to.out[unit] += error * value;
    const slope = error * out[unit] * (1 - value ** 2);
    to.hiddenBias[unit] += slope;
    for (let k = 0; k < input.length; k++) to.hidden[unit * input.length + k] += slope * input[k];
  }
}

function meanOf<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0) / values.length;
}

/** Writes a module of weights as the detector reads them. */
export function writeCutWeights(path: string, weights: CutWeights, comment: string): void {
  writeFileSync(
    path,
    `// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: fitted, and near such a constant by chance.
import type { CutWeights } from './cut-network.ts';

/** ${comment} */
export const WEIGHTS: CutWeights = ${JSON.stringify(weights)};
`,
  );
}
