import { RealFft } from '../../signal/fft.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { mean, slidingMaximum, standardDeviation } from '../../signal/statistics.ts';
import type { IntervalPrior, IntervalRange } from './decode.ts';
import { ONSET_FRAMES_PER_SECOND as FPS } from './onset-curve.ts';

/** Windows of the pulse analysis: 8 s every 2 s, long enough for four beats of the slowest tempo. */
const WINDOW_SECONDS = 8;
const HOP_SECONDS = 2;
/** A window and as much silence, so that its end does not correlate with its beginning. */
const FFT_SIZE = 2 ** Math.ceil(Math.log2(2 * WINDOW_SECONDS * FPS));
/** Range of tempi of beats: slower ones are bars, faster ones parts of a beat. */
export const TEMPO_BPM = { slowest: 50, fastest: 215 } as const;
/**
 * Tempi are equal if their ratio differs by less from 1, or from a power of two: played music is rarely
 * exact.
 */
export const SAME_TEMPO = 0.04;
/** How strongly one window of the onset curve repeats. */
export interface PulseWindow {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Autocorrelation of the compressed spectrum, 1 at lag 0. */
  readonly correlation: Float64Array;
}

let fft: RealFft | null = null;

/** Generalized autocorrelations of 8 s windows of the curve; one shorter window if the curve is shorter. */
export function pulseWindows(curve: Float32Array): readonly PulseWindow[] {
  const size = Math.min(curve.length, WINDOW_SECONDS * FPS);
  fft ??= new RealFft(FFT_SIZE);
  const windows: PulseWindow[] = [];
  for (let start = 0; start + size <= curve.length && size > 0; start += HOP_SECONDS * FPS) {
    const correlation = generalisedAutocorrelation(curve.subarray(start, start + size), fft);
    windows.push({ startFrame: start, endFrame: start + size, correlation });
  }
  return windows;
}

function generalisedAutocorrelation(part: Float32Array, fft: RealFft): Float64Array {
  const padded = new Float64Array(fft.size);
  const centre = mean(part);
  for (let i = 0; i < part.length; i++) padded[i] = part[i] - centre;
  const spectrum = fft.powerOf(padded);
  // The root of the magnitudes: the compression of the generalized autocorrelation (T. Tolonen, M.
  // Karjalainen, 2000).
  for (let k = 0; k < fft.bins; k++) spectrum[k] = Math.sqrt(Math.sqrt(spectrum[k]));
  // The mean was subtracted; leakage around bin 0 only lifts the whole curve.
  spectrum[0] = 0;
  const correlation = fft.autocorrelationOf(spectrum);
  const scale = correlation[0] === 0 ? 0 : 1 / correlation[0];
  return correlation.map((value) => value * scale);
}

/**
 * Resamples the curve from the first beat to the last so that every beat has `interval` frames. Sound that repeats from
 * beat to beat then repeats after one lag, however freely it is played.
 */
export function straighten(curve: Float32Array, beats: readonly number[], interval: number): Float32Array {
  const length = Math.max(0, Math.round((beats.length - 1) * interval));
  const placeOf = (frame: number) => {
    const place = Math.min(beats.length - 1, frame / interval);
    const whole = Math.min(beats.length - 2, Math.floor(place));
    return beats[whole] + (place - whole) * (beats[whole + 1] - beats[whole]);
  };
  const straight = new Float32Array(length);
  let from = length === 0 ? 0 : Math.round(placeOf(0));
  for (let n = 0; n < length; n++) {
    const to = Math.round(placeOf(n + 1));
    // The maximum, so that compressed time loses no onset.
    let most = curve[from] ?? 0;
    for (let t = from + 1; t < to; t++) if (curve[t] > most) most = curve[t];
    straight[n] = most;
    from = to;
  }
  return straight;
}

/** Largest correlation within ±4 % of a lag, since tempo is rarely exact and lags are whole frames. */
export function correlationAt(correlation: Float64Array, lag: number): number {
  const reach = Math.max(1, Math.round(lag * SAME_TEMPO));
  let best = 0;
  for (let k = Math.round(lag) - reach; k <= Math.round(lag) + reach; k++) {
    if (k > 0 && k < correlation.length && correlation[k] > best) best = correlation[k];
  }
  return best;
}

/** 0..1: how clearly the window repeats at an interval and its multiples. */
export function pulseClarity(window: PulseWindow, interval: number): number {
  const longest = (window.endFrame - window.startFrame) / 2;
  const lags = [interval, 2 * interval, 4 * interval].filter((lag, i) => i === 0 || lag < longest);
  return mean(lags.map((lag) => correlationAt(window.correlation, lag)));
}

/** Weight of a window's pulse relative to the onsets at single beats, nats per frame. */
const PULSE_WEIGHT = 0.1;
/** Least clarity as a share of the clearest interval's: no interval is excluded. */
const MIN_CLARITY_SHARE = 0.1;

/**
 * Prior of each interval from the windows' autocorrelations. A path of beats must explain the onsets and also
 * the repetition, else it may settle on dotted notes, which match as many onsets if sixteenths are
 * continuous. Tuned on generated pieces: of .03, .1 and .3 the middle one had the right tempo among the
 * candidates most often.
 */
export function pulsePrior(
  windows: readonly PulseWindow[],
  { shortest, longest }: IntervalRange,
): IntervalPrior {
  const rows = windows.map((window) => {
    const clarity = Float64Array.from({ length: longest - shortest + 1 }, (_, i) =>
      pulseClarity(window, shortest + i),
    );
    const top = Math.max(1e-6, ...clarity);
    return clarity.map(
      (value, i) =>
        PULSE_WEIGHT * (shortest + i) * Math.log((value / top + MIN_CLARITY_SHARE) / (1 + MIN_CLARITY_SHARE)),
    );
  });
  const flat = new Float64Array(longest - shortest + 1);
  const middle = (WINDOW_SECONDS / 2) * FPS;
  return (endFrame) =>
    rows[Math.max(0, Math.min(rows.length - 1, Math.round((endFrame - middle) / (HOP_SECONDS * FPS))))] ??
    flat;
}

/** Center of the preference for tempi, in octaves (D. Moelants, "Preferred tempo reconsidered", 2002). */
export const PREFERRED_BPM = 120;

function tempoPreference(bpm: number): number {
  return Math.exp(-0.5 * (Math.log2(bpm / PREFERRED_BPM) / 0.8) ** 2);
}

export interface TempoVote {
  readonly interval: number;
  readonly weight: number;
}

/**
 * Weights the interval and its metrical relatives by how well pulse trains of them explain the
 * autocorrelation (after G. Percival, G. Tzanetakis, "Streamlined tempo estimation", 2014), strongest first.
 * The weights sum to 1.
 */
export function voteOnInterval(windows: readonly PulseWindow[], interval: number): readonly TempoVote[] {
  const votes = [1 / 2, 2 / 3, 1, 3 / 2, 2]
    .map((ratio) => interval * ratio)
    .filter((i) => i >= (60 * FPS) / TEMPO_BPM.fastest && i <= (60 * FPS) / TEMPO_BPM.slowest)
    .map((candidate) => {
      const support = mean(windows.map((window) => trainSupport(window.correlation, candidate)));
      return { interval: candidate, weight: support * tempoPreference((60 * FPS) / candidate) };
    });
  const total = votes.reduce((sum, vote) => sum + vote.weight, 0);
  return votes
    .map((vote) => ({ interval: vote.interval, weight: total === 0 ? 0 : vote.weight / total }))
    .sort((a, b) => b.weight - a.weight);
}

/**
 * Support of a pulse train less the correlation half-way between its pulses, which belongs to the faster
 * tempo.
 */
function trainSupport(correlation: Float64Array, interval: number): number {
  let on = 0;
  let between = 0;
  for (let k = 1; k <= 4; k++) {
    on += correlationAt(correlation, k * interval);
    between += correlationAt(correlation, (k - 0.5) * interval);
  }
  return Math.max(0, on - 0.5 * between) / 4;
}

/** Frames, phases and addresses; `kernels/analysis/beats/tempo.ts` describes the memory. */
interface TempoExports extends KernelExports {
  strongestPhase(
    activation: number,
    frames: number,
    interval: number,
    phases: number,
    least: number,
    sums: number,
    counts: number,
  ): number;
}

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;
let kernel: TempoExports | null = null;

/**
 * An activation in the kernel's memory, to be folded at intervals of up to `longest` frames. Valid until the
 * next is created.
 */
class FoldedActivation {
  readonly #kernel: TempoExports;
  readonly #frames: number;
  readonly #activation: number;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  constructor(activation: Float32Array, longest: number) {
    kernel ??= instantiateKernel<TempoExports>(new URL('tempo.wasm', import.meta.url));
    this.#kernel = kernel;
    this.#frames = activation.length;
    const phases = Math.floor(longest);
    const layout = new KernelLayout();
    this.#activation = layout.take(activation.byteLength);
    const [sums, counts] = [layout.take(VALUE_BYTES * phases), layout.take(VALUE_BYTES * phases)];
    const { memory } = kernel;
    reserveBytes(memory, layout.bytes);
    new Float32Array(memory.buffer, this.#activation).set(activation);
    this.#sums = new Float64Array(memory.buffer, sums, phases);
    this.#counts = new Float64Array(memory.buffer, counts, phases);
  }

  /** The phase of an interval with the largest mean activation, if it is more than `least`. */
  strongestPhase(interval: number, least: number): Pick<BeatGrid, 'phase' | 'strength'> | null {
    const [sums, counts] = [this.#sums.byteOffset, this.#counts.byteOffset];
    const phases = Math.floor(interval);
    const [from, frames] = [this.#activation, this.#frames];
    const phase = this.#kernel.strongestPhase(from, frames, interval, phases, least, sums, counts);
    if (phase < 0) return null;
    const count = this.#counts[phase];
    return { phase, strength: count === 0 ? 0 : this.#sums[phase] / count };
  }
}

/** A grid of constant tempo over an activation, in frames. */
export interface BeatGrid {
  readonly interval: number;
  readonly phase: number;
  /** Mean activation at the grid's beats. */
  readonly strength: number;
  /** Standard errors by which that mean exceeds the mean of all frames. */
  readonly standardErrors: number;
}

/**
 * The constant grid within ±`reach` (a share) of an interval with the largest mean activation. The activation
 * is widened by a frame or two, because played beats deviate from a constant grid.
 */
export function fitConstantGrid(activation: Float32Array, around: number, reach: number): BeatGrid {
  const wide = slidingMaximum(activation, 2);
  const folded = new FoldedActivation(wide, around * (1 + reach));
  let best = { interval: around, phase: 0, strength: -1 };
  // A step changes the position by at most two frames over the whole length.
  const step = (2 * around) / activation.length;
  for (let interval = around * (1 - reach); interval <= around * (1 + reach); interval += step) {
    const phase = folded.strongestPhase(interval, best.strength);
    if (phase !== null) best = { interval, ...phase };
  }
  const error = standardDeviation(wide) / Math.sqrt(Math.max(1, wide.length / best.interval));
  return { ...best, standardErrors: error === 0 ? 0 : (best.strength - mean(wide)) / error };
}
