import { type CentredFilter, Filterbank, logarithmicFilters } from '../../signal/filterbank.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { Series } from '../../signal/series.ts';
import { quantile } from '../../signal/statistics.ts';
import type { Detector } from '../detector.ts';
import { hitsOf } from './onset-hits.ts';

export const ONSET_FRAMES_PER_SECOND = 100;
/** Frames between compared spectra. The maximum filter over the older one reaches one band to each side. */
const LAG = 2;
/** Rises within 30 ms are one onset. */
export const NEAR_FRAMES = 3;
const LOW_BELOW_HZ = 200;
const HIGH_FROM_HZ = 2500;

/** An audible rise, in the unit of the curves: a drum hit 40 dB below full scale still has 10. */
export const AUDIBLE = 0.5;
const STRONG_QUANTILE = 0.99;

/**
 * Bands of drums: the click of a kick, above the bass notes' fundamentals, and the noise of a snare or clap.
 */
const KICK_HZ = { from: 100, below: LOW_BELOW_HZ };
const SNARE_HZ = { from: 1000, below: 6000 };
const KICK_FALL_FRAMES = 9;
const SNARE_FALL_FRAMES = 12;

/** Per frame, 100 frames a second. */
export interface OnsetCurve {
  /** Rise of the spectrum, whole and by band. Any common unit. */
  readonly full: Float32Array;
  readonly low: Float32Array;
  readonly mid: Float32Array;
  readonly high: Float32Array;
  /**
   * Strength of sounds that rise and decay at once, low for a kick and higher for a snare; in the levels'
   * unit.
   */
  readonly kick: Float32Array;
  readonly snare: Float32Array;
}

/** Level of a curve at the clip's strong onsets: one in a hundred frames is louder. */
export function strongOnsets(curve: Float32Array): number {
  return curve.length === 0 ? 0 : quantile(curve, STRONG_QUANTILE);
}

/** Largest value of a curve within 30 ms of a frame. */
export function peakNear(curve: Float32Array, frame: number): number {
  const middle = Math.round(frame);
  let best = 0;
  for (let t = Math.max(0, middle - NEAR_FRAMES); t <= middle + NEAR_FRAMES && t < curve.length; t++) {
    if (curve[t] > best) best = curve[t];
  }
  return best;
}

/** Views of the frames `from` to `to` of a curve. */
export function sliceCurve(curve: OnsetCurve, from: number, to: number): OnsetCurve {
  return {
    full: curve.full.subarray(from, to),
    low: curve.low.subarray(from, to),
    mid: curve.mid.subarray(from, to),
    high: curve.high.subarray(from, to),
    kick: curve.kick.subarray(from, to),
    snare: curve.snare.subarray(from, to),
  };
}

/** Counts and addresses; `kernels/analysis/beats/onset-curve.ts` describes the memory. */
interface OnsetExports extends KernelExports {
  addRises(bands: number, older: number, count: number): number;
  addBands(bands: number, count: number): number;
  widen(bands: number, count: number, to: number): void;
}

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * SuperFlux onset curve: rise of the logarithmic magnitudes of a semi-tone-fine filterbank over two frames, the
 * older one maximum-filtered along frequency so that vibrato does not count (S. Böck, G. Widmer, "Maximum filter
 * vibrato suppression for onset detection", DAFx 2013). Fed with the power spectra of a Hann window.
 */
export class OnsetCurveMeter implements Detector<[Float64Array], OnsetCurve> {
  readonly #kernel = instantiateKernel<OnsetExports>(new URL('onset-curve.wasm', import.meta.url));
  readonly #bank: Filterbank;
  readonly #bands: Float64Array;
  /** The last frames, each with the maximum of neighboring bands. */
  readonly #history: readonly number[];
  /** Frames that half a window covers. */
  readonly #reach: number;
  readonly #lowEnd: number;
  readonly #midEnd: number;
  readonly #low = new Series();
  readonly #mid = new Series();
  readonly #high = new Series();
  readonly #full = new Series();
  readonly #kick: BandLevel;
  readonly #snare: BandLevel;
  #frame = 0;

  constructor(fftSize: number, sampleRate: number) {
    const filters = logarithmicFilters(fftSize, sampleRate, {
      lowHz: 27.5,
      highHz: 16000,
      bandsPerOctave: 24,
    });
    this.#bank = new Filterbank(filters, fftSize / 2 + 1);
    this.#reach = Math.ceil((fftSize / 2 / sampleRate) * ONSET_FRAMES_PER_SECOND);
    const layout = new KernelLayout();
    const [bands, ...history] = Array.from({ length: 1 + LAG }, () =>
      layout.take(VALUE_BYTES * filters.length),
    );
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    this.#bands = new Float64Array(memory.buffer, bands, filters.length);
    this.#history = history;
    this.#lowEnd = bandsBelow(filters, LOW_BELOW_HZ);
    this.#midEnd = bandsBelow(filters, HIGH_FROM_HZ);
    this.#kick = new BandLevel(filters, KICK_HZ);
    this.#snare = new BandLevel(filters, SNARE_HZ);
  }

  /** Takes the power spectrum (bins 0..fftSize/2, unscaled) of the next frame. */
  push(power: Float64Array): void {
    const levels = this.#bank.magnitudesOf(power);
    const bands = this.#bands;
    for (let b = 0; b < bands.length; b++) bands[b] = Math.log(1 + levels[b]) * Math.LOG10E;
    const older = this.#history[this.#frame % LAG];
    const low = this.#rise(older, 0, this.#lowEnd);
    const mid = this.#rise(older, this.#lowEnd, this.#midEnd);
    const high = this.#rise(older, this.#midEnd, bands.length);
    this.#kick.push(this.#kernel, bands);
    this.#snare.push(this.#kernel, bands);
    if (bands.length > 0) this.#kernel.widen(bands.byteOffset, bands.length, older);
    this.#low.push(low);
    this.#mid.push(mid);
    this.#high.push(high);
    this.#full.push(low + mid + high);
    this.#frame += 1;
  }

  #rise(older: number, from: number, to: number): number {
    if (this.#frame < LAG) return 0;
    const start = VALUE_BYTES * from;
    return this.#kernel.addRises(this.#bands.byteOffset + start, older + start, to - from);
  }

  /**
   * The whole curve. Zero where the window reaches past the end, because a sound cut off there has a broad
   * spectrum.
   */
  finish(): OnsetCurve {
    const kick = hitsOf(this.#kick.values(), KICK_FALL_FRAMES);
    const snare = hitsOf(this.#snare.values(), SNARE_FALL_FRAMES);
    for (const series of [this.#full, this.#low, this.#mid, this.#high]) {
      series.values().subarray(-this.#reach).fill(0);
    }
    return {
      full: this.#full.values(),
      low: this.#low.values(),
      mid: this.#mid.values(),
      high: this.#high.values(),
      kick,
      snare,
    };
  }
}

/** Mean level of the filters whose centers are within a range, frame by frame. */
class BandLevel {
  readonly #first: number;
  readonly #end: number;
  readonly #levels = new Series();

  constructor(filters: readonly CentredFilter[], { from, below }: { from: number; below: number }) {
    this.#first = bandsBelow(filters, from);
    this.#end = bandsBelow(filters, below);
  }

  /** `bands` are in the memory of that kernel. */
  push(kernel: OnsetExports, bands: Float64Array): void {
    const sum = kernel.addBands(bands.byteOffset + VALUE_BYTES * this.#first, this.#end - this.#first);
    this.#levels.push(sum / Math.max(1, this.#end - this.#first));
  }

  values(): Float32Array {
    return this.#levels.values();
  }
}

function bandsBelow(filters: readonly CentredFilter[], hz: number): number {
  return filters.filter(({ centreHz }) => centreHz < hz).length;
}
