/**
 * Gradient descent in small batches by Adam (D. P. Kingma and J. Ba, 2015), with weight decay apart (I. Loshchilov and F. Hutter,
 * 2019) and a rate that falls by half a cosine.
 */
import type { Random } from '../generate/random.ts';

const [MEAN_MEMORY, SQUARE_MEMORY] = [0.9, 0.999];

/** The weights of a network by their names. */
export type Arrays = Readonly<Record<string, Float64Array>>;

export interface Descent<Layers extends Arrays> {
  readonly examples: number;
  readonly epochs: number;
  /** Examples whose gradients are added for one step. */
  readonly batch: number;
  /** At the beginning. */
  readonly rate: number;
  /** Of those arrays that are named. */
  readonly decay: number;
  readonly decaying: readonly (keyof Layers)[];
  readonly random: Random;
}

/**
 * Changes `layers`. `addGradient` adds the gradient of an example, by its number, to arrays of the same
 * lengths.
 */
export function descend<Layers extends Arrays>(
  layers: Layers,
  { examples, epochs, batch, rate: first, decay, decaying, random }: Descent<Layers>,
  addGradient: (gradient: Layers, example: number) => void,
): void {
  const [means, squares] = [emptied(layers), emptied(layers)];
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = (first / 2) * (1 + Math.cos((Math.PI * epoch) / epochs));
    const order = random.shuffled(Array.from({ length: examples }, (_, at) => at));
    for (let from = 0; from < order.length; from += batch) {
      const claimed = order.slice(from, from + batch);
      const gradient = emptied(layers);
      for (const at of claimed) addGradient(gradient, at);
      step++;
      for (const name of Object.keys(layers))
        adam(layers[name], gradient[name], means[name], squares[name], {
          rate,
          step,
          count: claimed.length,
          decay: decaying.includes(name) ? decay : 0,
        });
    }
  }
}

function emptied<Layers extends Arrays>(layers: Layers): Layers {
  const empty = Object.entries(layers).map(([name, { length }]) => [name, new Float64Array(length)]);
  return Object.fromEntries(empty) as Layers;
}

/** `mean` and `square` are the memory, 0 before the first step, which is number 1; `count`: of the gradients that were added. */
function adam(
  weights: Float64Array,
  gradient: Float64Array,
  mean: Float64Array,
  square: Float64Array,
  { rate, step, count, decay }: { rate: number; step: number; count: number; decay: number },
): void {
  for (let at = 0; at < weights.length; at++) {
    const slope = gradient[at] / count;
    mean[at] = MEAN_MEMORY * mean[at] + (1 - MEAN_MEMORY) * slope;
    square[at] = SQUARE_MEMORY * square[at] + (1 - SQUARE_MEMORY) * slope ** 2;
    const unbiased = mean[at] / (1 - MEAN_MEMORY ** step);
    const size = Math.sqrt(square[at] / (1 - SQUARE_MEMORY ** step)) + 1e-8;
    weights[at] -= rate * (unbiased / size + decay * weights[at]);
  }
}
