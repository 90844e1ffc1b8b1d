import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from './kernel.ts';

/** Weights of neighbouring bins of a spectrum. */
export interface Filter {
  readonly firstBin: number;
  readonly weights: readonly number[];
}

export interface CentredFilter extends Filter {
  readonly centreHz: number;
}

/** Counts and addresses; see `kernels/signal/filterbank.ts`. */
interface FilterbankExports extends KernelExports {
  roots(values: number, count: number, to: number): void;
  addFiltered(values: number, filters: number, count: number, weights: number, sums: number): void;
}

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Weighted sums of a spectrum under filters, which may overlap. */
export class Filterbank {
  readonly #kernel = instantiateKernel<FilterbankExports>(new URL('filterbank.wasm', import.meta.url));
  readonly #filters: number;
  readonly #weights: number;
  readonly #power: Float64Array;
  readonly #magnitudes: number;
  readonly #sums: Float64Array;

  constructor(filters: readonly Filter[], bins: number) {
    const places = Int32Array.from(filters.flatMap(({ firstBin, weights }) => [firstBin, weights.length]));
    const weights = filters.flatMap((filter) => filter.weights);
    const layout = new KernelLayout();
    this.#filters = layout.take(places.byteLength);
    this.#weights = layout.take(VALUE_BYTES * weights.length);
    this.#magnitudes = layout.take(VALUE_BYTES * bins);
    const [power, sums] = [layout.take(VALUE_BYTES * bins), layout.take(VALUE_BYTES * filters.length)];
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    new Int32Array(memory.buffer, this.#filters).set(places);
    new Float64Array(memory.buffer, this.#weights).set(weights);
    this.#power = new Float64Array(memory.buffer, power, bins);
    this.#sums = new Float64Array(memory.buffer, sums, filters.length);
  }

  get count(): number {
    return this.#sums.length;
  }

  /** Weighted sums of a power spectrum, one for each filter. A view, valid until the next call. */
  powersOf(power: Float64Array): Float64Array {
    this.#power.set(power);
    return this.#sumsOf(this.#power.byteOffset);
  }

  /** Like `powersOf`, of the spectrum's magnitudes. */
  magnitudesOf(power: Float64Array): Float64Array {
    this.#power.set(power);
    this.#kernel.roots(this.#power.byteOffset, this.#power.length, this.#magnitudes);
    return this.#sumsOf(this.#magnitudes);
  }

  #sumsOf(values: number): Float64Array {
    this.#kernel.addFiltered(values, this.#filters, this.count, this.#weights, this.#sums.byteOffset);
    return this.#sums;
  }
}

/**
 * Logarithmically spaced triangular filters of SuperFlux (Böck & Widmer, DAFx 2013): 24 per octave around 440 Hz. Neighbours on the
 * same bin are merged, which leaves 138 between 27.5 Hz and 16 kHz for 2048 samples at 44.1 kHz. Peaks are 1.
 */
export function logarithmicFilters(
  fftSize: number,
  sampleRate: number,
  range: { lowHz: number; highHz: number; bandsPerOctave: number },
): readonly CentredFilter[] {
  const bins = semitoneBins(fftSize, sampleRate, range);
  return bins.slice(0, -2).map((low, b) => {
    const centre = bins[b + 1];
    const high = Math.max(bins[b + 2], centre + 1);
    const firstBin = Math.min(low + 1, centre);
    const weights = Array.from({ length: high - firstBin }, (_, k) => {
      const bin = firstBin + k;
      return bin <= centre ? (bin - low) / (centre - low) : (high - bin) / (high - centre);
    });
    return { firstBin, weights, centreHz: (centre * sampleRate) / fftSize };
  });
}

function semitoneBins(
  fftSize: number,
  sampleRate: number,
  { lowHz, highHz, bandsPerOctave }: { lowHz: number; highHz: number; bandsPerOctave: number },
): number[] {
  const top = Math.min(highHz, sampleRate / 2);
  const first = Math.floor(Math.log2(lowHz / 440) * bandsPerOctave);
  const last = Math.ceil(Math.log2(top / 440) * bandsPerOctave);
  const bins: number[] = [];
  for (let step = first; step <= last; step++) {
    const frequency = 440 * 2 ** (step / bandsPerOctave);
    if (frequency < lowHz || frequency > top) continue;
    const bin = Math.min(Math.round((frequency * fftSize) / sampleRate), fftSize / 2 - 1);
    if (bin !== bins.at(-1)) bins.push(bin);
  }
  return bins;
}
