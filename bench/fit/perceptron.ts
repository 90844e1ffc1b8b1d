/**
 * Fits the perceptron of `look-network.ts`: a mean and a variance for each figure, by the likelihood of a normal distribution
 * (Nix and Weigend 1994), with the means' gradient less coupled to the variances (Seitzer et al. 2022), Adam and a falling rate.
 */

import { clamp } from '../../src/signal/interpolation.ts';
import {
  HIDDEN_UNITS,
  LOG_VARIANCE,
  LOOK_FIGURES,
  type LookWeights,
  layer,
  standardised,
} from '../../src/style/look/look-network.ts';
import type { Random } from '../generate/random.ts';
import { descend } from './descent.ts';

export interface Example {
  readonly evidence: Float64Array;
  readonly figures: Float64Array;
}

const BATCH = 64;
const RATE = 2e-3;
const DECAY = 1e-3;
/** Of the gradient at a hidden unit, the variances' part. */
const VARIANCE_PULL = 0.2;

type Layers = {
  readonly hidden: Float64Array;
  readonly hiddenBias: Float64Array;
  readonly out: Float64Array;
  readonly outBias: Float64Array;
};

export function fitPerceptron(examples: readonly Example[], epochs: number, random: Random): LookWeights {
  const count = examples[0].evidence.length;
  const evidenceMean = columns(examples, count, ({ evidence }, at) => evidence[at]);
  const evidenceDeviation = columns(
    examples,
    count,
    ({ evidence }, at) => (evidence[at] - evidenceMean[at]) ** 2,
  ).map((square) => Math.sqrt(square) + 1e-6);
  const priorDeviation = columns(examples, LOOK_FIGURES, ({ figures }, at) => figures[at] ** 2).map(
    (square) => Math.sqrt(square) + 1e-6,
  );
  const inputs = examples.map(({ evidence }) => standardised(evidence, evidenceMean, evidenceDeviation));
  const expected = examples.map(({ figures }) => figures.map((value, at) => value / priorDeviation[at]));
  const layers = started(count, random);
  descend(
    layers,
    {
      ...{ examples: examples.length, epochs, random },
      ...{ batch: BATCH, rate: RATE, decay: DECAY, decaying: ['hidden', 'out'] },
    },
    (gradient, at) => addGradients(layers, gradient, inputs[at], expected[at]),
  );
  return {
    evidenceMean: Float32Array.from(evidenceMean),
    evidenceDeviation: Float32Array.from(evidenceDeviation),
    priorDeviation: Float32Array.from(priorDeviation),
    hidden: Float32Array.from(layers.hidden),
    hiddenBias: Float32Array.from(layers.hiddenBias),
    out: Float32Array.from(layers.out),
    outBias: Float32Array.from(layers.outBias),
  };
}

function columns(
  examples: readonly Example[],
  count: number,
  value: (example: Example, at: number) => number,
): Float64Array {
  const sums = new Float64Array(count);
  for (const example of examples) for (let at = 0; at < count; at++) sums[at] += value(example, at);
  return sums.map((sum) => sum / examples.length);
}

function started(inputs: number, random: Random): Layers {
  return {
    hidden: Float64Array.from({ length: HIDDEN_UNITS * inputs }, () => random.normal() / Math.sqrt(inputs)),
    hiddenBias: new Float64Array(HIDDEN_UNITS),
    out: Float64Array.from(
      { length: 2 * LOOK_FIGURES * HIDDEN_UNITS },
      () => (0.1 * random.normal()) / Math.sqrt(HIDDEN_UNITS),
    ),
    outBias: new Float64Array(2 * LOOK_FIGURES),
  };
}

function addGradients(layers: Layers, to: Layers, input: Float64Array, expected: Float64Array): void {
  const { hidden, hiddenBias, out, outBias } = layers;
  const units = layer(input, hidden, hiddenBias).map(Math.tanh);
  const ofUnits = new Float64Array(units.length);
  const figures = layer(units, out, outBias);
  for (let row = 0; row < figures.length; row++) {
    const figure = row % LOOK_FIGURES;
    const isMean = row === figure;
    const error = figures[figure] - expected[figure];
    const raw = figures[LOOK_FIGURES + figure];
    const logVariance = clamp(raw, ...LOG_VARIANCE);
    const slope = isMean
      ? error * (0.5 + 0.5 * Math.exp(-logVariance / 2))
      : raw === logVariance
        ? 0.5 * (1 - error ** 2 * Math.exp(-logVariance))
        : 0;
    to.outBias[row] += slope;
    for (let at = 0; at < units.length; at++) {
      to.out[row * units.length + at] += slope * units[at];
      ofUnits[at] += (isMean ? 1 : VARIANCE_PULL) * slope * out[row * units.length + at];
    }
  }
  for (let row = 0; row < units.length; row++) {
    const slope = ofUnits[row] * (1 - units[row] ** 2);
    to.hiddenBias[row] += slope;
    for (let at = 0; at < input.length; at++) to.hidden[row * input.length + at] += slope * input[at];
  }
}
