/** One step of Adam (D. P. Kingma and J. Ba, 2015) for an array of weights, with weight decay apart (I. Loshchilov and F. Hutter, 2019). */

const [MEAN_MEMORY, SQUARE_MEMORY] = [0.9, 0.999];

export interface AdamStep {
  readonly rate: number;
  /** From 1. */
  readonly step: number;
  /** Examples whose gradients were added. */
  readonly count: number;
  readonly decay: number;
}

/** `mean` and `square` are the memory: of the length of `weights`, 0 before the first step. */
export function adam(
  weights: Float64Array,
  gradient: Float64Array,
  mean: Float64Array,
  square: Float64Array,
  { rate, step, count, decay }: AdamStep,
): void {
  for (let at = 0; at < weights.length; at++) {
    const slope = gradient[at]! / count;
    mean[at] = MEAN_MEMORY * mean[at]! + (1 - MEAN_MEMORY) * slope;
    square[at] = SQUARE_MEMORY * square[at]! + (1 - SQUARE_MEMORY) * slope ** 2;
    const unbiased = mean[at]! / (1 - MEAN_MEMORY ** step);
    const size = Math.sqrt(square[at]! / (1 - SQUARE_MEMORY ** step)) + 1e-8;
    weights[at]! -= rate * (unbiased / size + decay * weights[at]!);
  }
}
