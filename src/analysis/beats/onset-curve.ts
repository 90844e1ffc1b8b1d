import { applyFilterbank, type Filterbank, logarithmicFilterbank } from '../../signal/filterbank.ts';
import { Series } from '../../signal/series.ts';
import { quantile } from '../../signal/statistics.ts';
import type { Detector } from '../detector.ts';
import { hitsOf } from './onset-hits.ts';

export const ONSET_FRAMES_PER_SECOND = 100;
/** Frames between the spectra that are compared; the maximum filter over the older one reaches one band each way. */
const LAG = 2;
/** What lies within 30 ms is one onset. */
export const NEAR_FRAMES = 3;
const LOW_BELOW_HZ = 200;
const HIGH_FROM_HZ = 2500;

/** An audible rise, in the unit of the curves: a drum hit 40 dB below full scale still gives 10. */
export const AUDIBLE = 0.5;
const STRONG_QUANTILE = 0.99;

/** Where drums show: the click of a kick, above the bass notes' fundamentals, and a snare's or clap's noise. */
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
  /** Strength of what rises and dies away at once, low as a kick and higher as a snare; levels' unit. */
  readonly kick: Float32Array;
  readonly snare: Float32Array;
}

/** Level of a curve at the clip's strong onsets; one in a hundred frames is louder. */
export function strongOnsets(curve: Float32Array): number {
  return curve.length === 0 ? 0 : quantile(curve, STRONG_QUANTILE);
}

/** Greatest value of a curve within 30 ms of a frame. */
export function peakNear(curve: Float32Array, frame: number): number {
  const middle = Math.round(frame);
  let best = 0;
  for (let t = Math.max(0, middle - NEAR_FRAMES); t <= middle + NEAR_FRAMES && t < curve.length; t++) {
    if (curve[t] > best) best = curve[t];
  }
  return best;
}

/** The frames from..to of a curve, as views. */
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

/**
 * SuperFlux onset curve: rise of the logarithmic magnitudes of a semi-tone-fine filterbank over two frames, the
 * older one maximum-filtered along frequency so that vibrato does not count (S. Böck, G. Widmer, "Maximum filter
 * vibrato suppression for onset detection", DAFx 2013). Fed with the power spectra of a Hann window.
 */
export class OnsetCurveMeter implements Detector<[Float64Array], OnsetCurve> {
  readonly #bank: Filterbank;
  readonly #history: Float64Array[];
  readonly #bands: Float64Array;
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
    this.#bank = logarithmicFilterbank(fftSize, sampleRate, {
      lowHz: 27.5,
      highHz: 16000,
      bandsPerOctave: 24,
    });
    this.#reach = Math.ceil((fftSize / 2 / sampleRate) * ONSET_FRAMES_PER_SECOND);
    this.#bands = new Float64Array(this.#bank.count);
    this.#history = Array.from({ length: LAG }, () => new Float64Array(this.#bank.count));
    this.#lowEnd = this.#bank.centresHz.filter((hz) => hz < LOW_BELOW_HZ).length;
    this.#midEnd = this.#bank.centresHz.filter((hz) => hz < HIGH_FROM_HZ).length;
    this.#kick = new BandLevel(this.#bank, KICK_HZ);
    this.#snare = new BandLevel(this.#bank, SNARE_HZ);
  }

  /** Takes the power spectrum (bins 0..fftSize/2, unscaled) of the next frame. */
  push(power: Float64Array): void {
    const { count } = this.#bank;
    const bands = this.#bands;
    applyFilterbank(this.#bank, power, bands);
    // The history holds spectra that are already maximum-filtered.
    const older = this.#history[this.#frame % LAG];
    let low = 0;
    let mid = 0;
    let high = 0;
    for (let b = 0; b < count; b++) {
      bands[b] = Math.log(1 + bands[b]) * Math.LOG10E;
      const rise = bands[b] - older[b];
      if (rise <= 0 || this.#frame < LAG) continue;
      if (b < this.#lowEnd) low += rise;
      else if (b < this.#midEnd) mid += rise;
      else high += rise;
    }
    this.#kick.push(bands);
    this.#snare.push(bands);
    let before = Number.NEGATIVE_INFINITY;
    let here = count > 0 ? bands[0] : 0;
    for (let b = 0; b < count; b++) {
      const after = b + 1 < count ? bands[b + 1] : Number.NEGATIVE_INFINITY;
      older[b] = Math.max(before, here, after);
      before = here;
      here = after;
    }
    this.#low.push(low);
    this.#mid.push(mid);
    this.#high.push(high);
    this.#full.push(low + mid + high);
    this.#frame += 1;
  }

  /** The whole curve; flat where the window reaches past the end, for a sound cut off there splatters. */
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

/** Mean level of the filters whose centres lie within a range, frame by frame. */
class BandLevel {
  readonly #first: number;
  readonly #end: number;
  readonly #levels = new Series();

  constructor({ centresHz }: Filterbank, { from, below }: { from: number; below: number }) {
    this.#first = centresHz.filter((hz) => hz < from).length;
    this.#end = centresHz.filter((hz) => hz < below).length;
  }

  push(bands: Float64Array): void {
    let sum = 0;
    for (let b = this.#first; b < this.#end; b++) sum += bands[b];
    this.#levels.push(sum / Math.max(1, this.#end - this.#first));
  }

  values(): Float32Array {
    return this.#levels.values();
  }
}
