/** Conditional logit (D. McFadden, 1974) with a quadratic penalty: which of several candidates is right. */

/** Candidates, one of which is right; several may be as good. */
export interface Choice {
  /** Evidence of each candidate. */
  readonly candidates: readonly Float64Array[];
  /** Indices of the right ones. */
  readonly right: ReadonlySet<number>;
}

const ROUNDS = 12;

/**
 * Weights of the evidence, most likely under a Gaussian prior on the weights of evidence in units of its standard
 * deviation: `penalty` per squared weight. Newton's method; where several candidates are right, their shares are held
 * during a step (expectation maximisation). `prior`: means of the weights, 0 if omitted.
 */
export function fitChoices(choices: readonly Choice[], penalty: number, prior?: Float64Array): Float64Array {
  const scales = deviations(choices);
  const size = scales.length;
  const means = prior ?? new Float64Array(size);
  let weights = means.slice();
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((weight, k) => -2 * penalty * (weight - means[k]) * scales[k] ** 2);
    const curvature = Array.from({ length: size }, (_, k) => {
      const row = new Float64Array(size);
      row[k] = 2 * penalty * scales[k] ** 2;
      return row;
    });
    for (const choice of choices) addChoice(choice, weights, gradient, curvature);
    const step = solve(curvature, gradient);
    weights = weights.map((weight, k) => weight + step[k]);
  }
  return weights;
}

/** Index of the candidate with the highest score. */
export function choose(candidates: readonly Float64Array[], weights: Float64Array): number {
  const scores = candidates.map((evidence) => dot(evidence, weights));
  return scores.indexOf(Math.max(...scores));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

function deviations(choices: readonly Choice[]): Float64Array {
  const all = choices.flatMap(({ candidates }) => candidates);
  return Float64Array.from({ length: all[0].length }, (_, k) => {
    const mean = all.reduce((sum, evidence) => sum + evidence[k], 0) / all.length;
    const power = all.reduce((sum, evidence) => sum + (evidence[k] - mean) ** 2, 0) / all.length;
    return Math.sqrt(power) + 1e-6;
  });
}

/** Adds one choice's gradient of the log likelihood, and its curvature. */
function addChoice(
  { candidates, right }: Choice,
  weights: Float64Array,
  gradient: Float64Array,
  curvature: readonly Float64Array[],
): void {
  const scores = candidates.map((evidence) => dot(evidence, weights));
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const totalRight = odds.reduce((sum, value, i) => sum + (right.has(i) ? value : 0), 1e-300);
  const size = weights.length;
  const expected = new Float64Array(size);
  candidates.forEach((evidence, i) => {
    const share = odds[i] / total;
    const wanted = right.has(i) ? odds[i] / totalRight : 0;
    for (let k = 0; k < size; k++) {
      gradient[k] += (wanted - share) * evidence[k];
      expected[k] += share * evidence[k];
    }
    for (let k = 0; k < size; k++) {
      const row = curvature[k];
      for (let m = 0; m < size; m++) row[m] += share * evidence[k] * evidence[m];
    }
  });
  for (let k = 0; k < size; k++) {
    for (let m = 0; m < size; m++) curvature[k][m] -= expected[k] * expected[m];
  }
}

/** Solves a positive definite system by Gaussian elimination; both arguments are used up. */
function solve(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  const size = vector.length;
  for (let k = 0; k < size; k++) {
    for (let row = k + 1; row < size; row++) {
      const factor = matrix[row][k] / matrix[k][k];
      for (let m = k; m < size; m++) matrix[row][m] -= factor * matrix[k][m];
      vector[row] -= factor * vector[k];
    }
  }
  for (let k = size - 1; k >= 0; k--) {
    for (let m = k + 1; m < size; m++) vector[k] -= matrix[k][m] * vector[m];
    vector[k] /= matrix[k][k];
  }
  return vector;
}
