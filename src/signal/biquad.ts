import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from './kernel.ts';

/** Second-order section b0 + b1·z⁻¹ + b2·z⁻² over 1 + a1·z⁻¹ + a2·z⁻². */
export interface BiquadCoefficients {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/**
 * The K-weighting of ITU-R BS.1770-4 for any sample rate: shelf and high-pass from their analogue prototypes
 * by the bilinear transform. Prototype values: B. De Man, "Evaluation of implementations of the EBU R128
 * loudness measurement", AES 145, 2018; at 48 kHz they give the table of the recommendation.
 */
export function kWeightingFilters(sampleRate: number): readonly [BiquadCoefficients, BiquadCoefficients] {
  return [shelf(sampleRate), highPass(sampleRate)];
}

/** All but counts and a sum are addresses; see `kernels/signal/biquad.ts`. */
interface BiquadExports extends KernelExports {
  addSquares(
    one: number,
    other: number,
    count: number,
    sections: number,
    weights: number,
    state: number,
    squares: number,
  ): void;
  addUp(values: number, count: number, sum: number): number;
}

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;
const STATES = 4;
/** Smaller filter states become 0: a decaying tail would become denormal numbers, which are slow. */
const MIN_STATE = 1e-30;

/** Two channels that the kernel filters together. */
interface ChannelPair {
  readonly one: number;
  /** Equals `one` if there is no second channel. */
  readonly other: number;
  readonly weights: number;
  readonly state: number;
}

/** Squares of K-weighted sound, all channels together, block by block; keeps the filters' state between blocks. */
export class KWeighting {
  readonly #kernel = instantiateKernel<BiquadExports>(new URL('biquad.wasm', import.meta.url));
  readonly #sections: number;
  readonly #pairs: readonly ChannelPair[];
  /** End of the permanent part of the memory; blocks are placed after it. */
  readonly #end: number;
  #squares = 0;

  /** `weights`: of the channels; channels of weight 0 are not filtered. */
  constructor(sampleRate: number, weights: readonly number[]) {
    const layout = new KernelLayout();
    const filters = kWeightingFilters(sampleRate).flatMap(({ b0, b1, b2, a1, a2 }) => [b0, b1, b2, a1, a2]);
    this.#sections = layout.take(VALUE_BYTES * filters.length);
    const counted = [...weights.keys()].filter((channel) => weights[channel] > 0);
    this.#pairs = counted
      .filter((_, at) => at % 2 === 0)
      .map((one, at) => ({
        ...{ one, other: counted[2 * at + 1] ?? one },
        ...{ weights: layout.take(2 * VALUE_BYTES), state: layout.take(2 * STATES * VALUE_BYTES) },
      }));
    this.#end = layout.bytes;
    const { memory } = this.#kernel;
    reserveBytes(memory, this.#end);
    new Float64Array(memory.buffer, this.#sections, filters.length).set(filters);
    for (const { one, other, weights: place } of this.#pairs) {
      new Float64Array(memory.buffer, place, 2).set([weights[one], other === one ? 0 : weights[other]]);
    }
  }

  /** Filters the next block: one array for each channel, of equal lengths. */
  push(channels: readonly ArrayLike<number>[]): void {
    const length = channels[0]?.length ?? 0;
    const layout = new KernelLayout(this.#end);
    const [one, other, squares] = Array.from({ length: 3 }, () => layout.take(VALUE_BYTES * length));
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    this.#squares = squares!;
    new Float64Array(memory.buffer, squares, length).fill(0);
    for (const pair of this.#pairs) {
      new Float64Array(memory.buffer, one, length).set(channels[pair.one]);
      new Float64Array(memory.buffer, other, length).set(channels[pair.other]);
      const { weights, state } = pair;
      this.#kernel.addSquares(one!, other!, length, this.#sections, weights, state, squares!);
      const states = new Float64Array(memory.buffer, state, 2 * STATES);
      states.forEach((value, at) => {
        if (Math.abs(value) < MIN_STATE) states[at] = 0;
      });
    }
  }

  /**
   * `sum` plus the weighted squares of the block's samples `from` to `to`, end exclusive. They are added one by one, so the result does
   * not depend on how the sound is divided into blocks.
   */
  addSquares(from: number, to: number, sum: number): number {
    return this.#kernel.addUp(this.#squares + VALUE_BYTES * from, to - from, sum);
  }
}

function shelf(sampleRate: number): BiquadCoefficients {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  return normalised(
    high + (band * k) / q + k * k,
    2 * (k * k - high),
    high - (band * k) / q + k * k,
    1 + k / q + k * k,
    2 * (k * k - 1),
    1 - k / q + k * k,
  );
}

function highPass(sampleRate: number): BiquadCoefficients {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  // In the recommendation the numerator is 1, −2, 1 for every sample rate.
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}

function normalised(
  b0: number,
  b1: number,
  b2: number,
  a0: number,
  a1: number,
  a2: number,
): BiquadCoefficients {
  return { b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0 };
}
