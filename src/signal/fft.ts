/** Fourier transforms in double precision. Each instance has its own kernel memory; results are views into it. */
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from './kernel.ts';

/** All but sizes and `twiddleBytes` are addresses; see `kernels/signal/fft.ts`. */
interface FftExports extends KernelExports {
  transform(...places: [...ComplexPlaces, twiddleBytes: number, size: number]): void;
  windowedPower(
    samples: number,
    window: number,
    ...places: [...ComplexPlaces, twiddleBytes: number, half: number, power: number]
  ): void;
  autocorrelate(
    power: number,
    ...places: [...ComplexPlaces, twiddleBytes: number, half: number, correlation: number]
  ): void;
}

type ComplexPlaces = readonly [re: number, im: number, workRe: number, workIm: number, twiddles: number];

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Cosine and sine. */
const TWIDDLE_BYTES = 2 * VALUE_BYTES;

function checkSize(size: number, least: number): void {
  if (!Number.isInteger(size) || size < least || (size & (size - 1)) !== 0) {
    throw new RangeError(`FFT size must be a power of two from ${least} on, not ${size}`);
  }
}

/** Reserves memory for a complex transform of `size` and a table of twiddle factors with `parts` steps of a full turn. */
function placeComplex(layout: KernelLayout, size: number, parts: number): ComplexPlaces {
  const [re, im, workRe, workIm] = Array.from({ length: 4 }, () => layout.take(VALUE_BYTES * size));
  return [re!, im!, workRe!, workIm!, layout.take(TWIDDLE_BYTES * twiddleCount(parts))];
}

/** Radix 4 needs twiddle factors up to three quarters of a turn. */
function twiddleCount(parts: number): number {
  return Math.ceil(0.75 * parts);
}

function fillTwiddles(memory: WebAssembly.Memory, twiddles: number, parts: number): void {
  const table = new Float64Array(memory.buffer, twiddles, 2 * twiddleCount(parts));
  for (let k = 0; 2 * k < table.length; k++) {
    table[2 * k] = Math.cos((2 * Math.PI * k) / parts);
    table[2 * k + 1] = -Math.sin((2 * Math.PI * k) / parts);
  }
}

/** Transform of complex data. The size is a power of two ≥ 2. */
export class ComplexFft {
  /** The data, transformed in place. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly #kernel: FftExports;
  readonly #places: ComplexPlaces;

  constructor(size: number) {
    checkSize(size, 2);
    this.#kernel = instantiateKernel<FftExports>(new URL('fft.wasm', import.meta.url));
    const layout = new KernelLayout();
    this.#places = placeComplex(layout, size, size);
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    const [re, im, , , twiddles] = this.#places;
    fillTwiddles(memory, twiddles, size);
    this.re = new Float64Array(memory.buffer, re, size);
    this.im = new Float64Array(memory.buffer, im, size);
  }

  /** Forward, unscaled: X[k] = Σ x[n]·exp(−2πi·kn/N). */
  transform(): void {
    this.#kernel.transform(...this.#places, TWIDDLE_BYTES, this.re.length);
  }
}

/** Spectra of real data of `size` samples (a power of two ≥ 4) under a window, through a complex transform of half the size. */
export class RealFft {
  readonly size: number;
  /** Number of distinct bins: size/2 + 1. */
  readonly bins: number;
  readonly #kernel: FftExports;
  readonly #places: ComplexPlaces;
  readonly #samples: Float64Array;
  readonly #window: Float64Array;
  readonly #power: Float64Array;
  readonly #correlation: Float64Array;

  /** `window`: left out: rectangular. */
  constructor(size: number, window?: Float64Array) {
    checkSize(size, 4);
    const half = size / 2;
    this.size = size;
    this.bins = half + 1;
    this.#kernel = instantiateKernel<FftExports>(new URL('fft.wasm', import.meta.url));
    const layout = new KernelLayout();
    const places = [size, size, this.bins, this.bins].map((values) => layout.take(VALUE_BYTES * values));
    this.#places = placeComplex(layout, half, size);
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    fillTwiddles(memory, this.#places[4], size);
    this.#samples = new Float64Array(memory.buffer, places[0], size);
    this.#window = new Float64Array(memory.buffer, places[1], size);
    this.#power = new Float64Array(memory.buffer, places[2], this.bins);
    this.#correlation = new Float64Array(memory.buffer, places[3], this.bins);
    if (window === undefined) this.#window.fill(1);
    else this.#window.set(window);
  }

  /** Power |X|² of bins 0..size/2, unscaled, of `size` samples under the window. A view, valid until the next call. */
  powerOf(samples: ArrayLike<number>): Float64Array {
    this.#samples.set(samples);
    const [from, window] = [this.#samples.byteOffset, this.#window.byteOffset];
    const to = this.#power.byteOffset;
    this.#kernel.windowedPower(from, window, ...this.#places, TWIDDLE_BYTES, this.size / 2, to);
    return this.#power;
  }

  /**
   * Circular autocorrelation from a power spectrum of size/2 + 1 bins: lags 0..size/2, unscaled (Wiener–Khinchin). Zero-pad
   * the signal to twice its length for the linear one. A view, valid until the next call.
   */
  autocorrelationOf(power: Float64Array): Float64Array {
    this.#samples.set(power);
    const [from, to] = [this.#samples.byteOffset, this.#correlation.byteOffset];
    this.#kernel.autocorrelate(from, ...this.#places, TWIDDLE_BYTES, this.size / 2, to);
    return this.#correlation;
  }
}
