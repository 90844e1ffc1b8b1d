import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from './kernel.ts';
import { kaiserWindow } from './window.ts';

const FACTOR = 4;
/** Taps of each phase. With this window, 24 keep the response within 0.05 dB up to 0.43 of the sample rate. */
export const INTERPOLATION_TAPS = 24;
const TAPS = INTERPOLATION_TAPS;
const PHASES: readonly Float64Array[] = interpolationPhases();

function interpolationPhases(): Float64Array[] {
  const window = kaiserWindow(TAPS * FACTOR + 1, 6);
  const phases: Float64Array[] = [];
  for (let phase = 1; phase < FACTOR; phase++) {
    const taps = Float64Array.from({ length: TAPS }, (_, k) => {
      const distance = k - TAPS / 2 + 1 - phase / FACTOR;
      const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
      return sinc * window[Math.round((distance + TAPS / 2) * FACTOR)];
    });
    const sum = taps.reduce((total, tap) => total + tap, 0);
    phases.push(taps.map((tap) => tap / sum));
  }
  return phases;
}

/** All but counts and a peak are addresses; see `kernels/signal/oversample.ts`. */
interface OversampleExports extends KernelExports {
  peakBetween(samples: number, taps: number, phases: number): number;
  peakAmong(samples: number, count: number, taps: number, phases: number, peak: number): number;
}

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Samples of one channel in a kernel's memory, and interpolation at four times their rate. */
export class Oversampler {
  readonly #kernel = instantiateKernel<OversampleExports>(new URL('oversample.wasm', import.meta.url));
  readonly #phases: number;
  /** Last in the memory, so that it can grow. */
  readonly #samples: number;

  constructor() {
    const layout = new KernelLayout();
    // Three phases; the fourth entry of a vector is unused.
    this.#phases = layout.take(VALUE_BYTES * FACTOR * TAPS);
    this.#samples = layout.take(0);
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    const weights = new Float64Array(memory.buffer, this.#phases, FACTOR * TAPS);
    for (const [phase, taps] of PHASES.entries()) {
      for (let k = 0; k < TAPS; k++) weights[FACTOR * k + phase] = taps[k];
    }
  }

  /** Memory for `length` samples; existing samples remain. A view, valid until the next call. */
  reserve(length: number): Float64Array {
    const { memory } = this.#kernel;
    reserveBytes(memory, this.#samples + VALUE_BYTES * length);
    return new Float64Array(memory.buffer, this.#samples, length);
  }

  /**
   * Greatest magnitude at the three interpolated points between the two middle ones of the `INTERPOLATION_TAPS` samples from `from` on.
   */
  peakBetween(from: number): number {
    return this.#kernel.peakBetween(this.#samples + VALUE_BYTES * from, TAPS, this.#phases);
  }

  /**
   * Greatest of `peak` and the magnitudes at `count` samples, from half of the taps on, and between each and
   * the one before. Points between two samples are interpolated only if one of the two reaches half of the
   * current peak. A peak of more than twice both neighbours needs content above a third of the sample rate.
   * Such a tone meets a sample nearer its crest a few periods later.
   */
  peakAmong(count: number, peak: number): number {
    return this.#kernel.peakAmong(this.#samples, count, TAPS, this.#phases, peak);
  }
}

/** Greatest magnitude of one channel at four times its sample rate (the true peak of ITU-R BS.1770-4, Annex 2). */
export class TruePeak {
  readonly #oversampler = new Oversampler();
  #peak = 0;

  /** Linear magnitude, 0 for silence. */
  get peak(): number {
    return this.#peak;
  }

  push(samples: ArrayLike<number>): void {
    const held = TAPS - 1;
    const buffer = this.#oversampler.reserve(held + samples.length);
    buffer.set(samples, held);
    this.#peak = this.#oversampler.peakAmong(samples.length, this.#peak);
    buffer.copyWithin(0, samples.length);
  }

  /** Includes the samples still in the filter. */
  finish(): void {
    this.push(new Float64Array(TAPS));
  }
}
