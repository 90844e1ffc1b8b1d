import { readFileSync } from 'node:fs';
import { clamp } from '../../signal/interpolation.ts';
import { EVIDENCE_LENGTH } from './evidence.ts';

/** Of every figure of a look: lightness and cast of seven greys, and ten times the logarithm of the chroma's factor. */
export const LOOK_FIGURES = 22;
export const HIDDEN_UNITS = 32;

/** Evidence is limited to this many deviations of the fitting data. */
const MAX_DEVIATIONS = 4;
/** Natural logarithms of a variance, in units of the prior's: the limits of the fit. */
export const LOG_VARIANCE = [-6, 2] as const;

/** Layers of a perceptron, as one run of 32-bit numbers each. */
export interface LookWeights {
  readonly evidenceMean: Float32Array;
  readonly evidenceDeviation: Float32Array;
  /** Root mean square of each figure over the looks that were fitted on: their prior's deviation about 0. */
  readonly priorDeviation: Float32Array;
  /** Row by row, one row a unit. */
  readonly hidden: Float32Array;
  readonly hiddenBias: Float32Array;
  readonly out: Float32Array;
  readonly outBias: Float32Array;
}

const SIZES = {
  evidenceMean: EVIDENCE_LENGTH,
  evidenceDeviation: EVIDENCE_LENGTH,
  priorDeviation: LOOK_FIGURES,
  hidden: HIDDEN_UNITS * EVIDENCE_LENGTH,
  hiddenBias: HIDDEN_UNITS,
  out: 2 * LOOK_FIGURES * HIDDEN_UNITS,
  outBias: 2 * LOOK_FIGURES,
} as const satisfies Record<keyof LookWeights, number>;

/** A figure of a look as a normal distribution. */
export interface Posterior {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}

/** The look that evidence implies: a perceptron with one hidden layer, which `bench/fit-look.ts` fitted. */
export function lookOfEvidence(evidence: Float64Array, weights: LookWeights = fitted()): Posterior {
  const { evidenceMean, evidenceDeviation, priorDeviation, hidden, hiddenBias, out, outBias } = weights;
  const input = standardised(evidence, evidenceMean, evidenceDeviation);
  const units = layer(input, hidden, hiddenBias).map(Math.tanh);
  const figures = layer(units, out, outBias);
  return {
    mean: figures.slice(0, LOOK_FIGURES).map((value, at) => value * priorDeviation[at]),
    variance: figures
      .slice(LOOK_FIGURES)
      .map((value, at) => Math.exp(clamp(value, ...LOG_VARIANCE)) * priorDeviation[at] ** 2),
  };
}

export function priorVariance(weights: LookWeights = fitted()): Float64Array {
  return Float64Array.from(weights.priorDeviation, (deviation) => deviation ** 2);
}

/** Evidence in deviations from its mean over the fitting data. */
export function standardised(
  evidence: Float64Array,
  mean: ArrayLike<number>,
  deviation: ArrayLike<number>,
): Float64Array {
  return evidence.map((value, at) =>
    clamp((value - mean[at]) / deviation[at], -MAX_DEVIATIONS, MAX_DEVIATIONS),
  );
}

/** A layer's sums, before its units bend them. */
export function layer(
  input: Float64Array,
  weights: ArrayLike<number>,
  bias: Float32Array | Float64Array,
): Float64Array {
  return Float64Array.from(bias, (start, row) => {
    let sum = start;
    for (let at = 0; at < input.length; at++) sum += weights[row * input.length + at] * input[at];
    return sum;
  });
}

export function encodeWeights(weights: LookWeights): Buffer {
  return Buffer.concat(
    Object.keys(SIZES).map((name) =>
      Buffer.from(Float32Array.from(weights[name as keyof LookWeights]).buffer),
    ),
  );
}

let known: LookWeights | undefined;

function fitted(): LookWeights {
  known ??= decodeWeights(readFileSync(new URL('look-weights.bin', import.meta.url)));
  return known;
}

function decodeWeights(bytes: Buffer): LookWeights {
  const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  let end = 0;
  return Object.fromEntries(
    Object.entries(SIZES).map(([name, size]) => {
      end += size;
      return [name, numbers.subarray(end - size, end)];
    }),
  ) as unknown as LookWeights;
}
