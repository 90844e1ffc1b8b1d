import { fitLine, mean, median, slidingMaximum } from '../../signal/statistics.ts';
import { WIDEST_CHANGE } from './decode.ts';
import { type BeatGrid, fitConstantGrid, SAME_TEMPO } from './tempo.ts';

/**
 * A constant grid fits when it meets this share of the activation that the free path meets; beats lie on it when this share of them is near
 * its own.
 */
export const FITTING_SHARE = 0.8;
/** It fits from this share on when the path's beats lie on it or half-way but for slips: the resultant length of their places says so. */
const SLIPPING_SHARE = 0.6;
const SNAP_FRAMES = 4;
/** Least activation of an onset that a beat is moved to. */
const MIN_WEIGHT = 0.1;

export interface SettledGrid {
  readonly beats: readonly number[];
  readonly interval: number;
  readonly constant: boolean;
  /** By how many standard errors a constant grid's beats stand out; 0 of a path. */
  readonly standardErrors: number;
}

/**
 * Makes a beat grid of a tracked path: produced music keeps one tempo, and a ruler laid over the whole section
 * rides out passages where the tracker slips. Where no ruler fits (played music, an edit in the sound) the path
 * stands, each beat moved to its onset.
 */
export function settleGrid(path: readonly number[], activation: Float32Array, interval: number): SettledGrid {
  const wide = slidingMaximum(activation, 2);
  const strength = mean(path.map((frame) => wide[frame]));
  const ruler = fitConstantGrid(activation, interval, SAME_TEMPO);
  const share = agreementOf(path, ruler) > FITTING_SHARE ? SLIPPING_SHARE : FITTING_SHARE;
  if (ruler.strength >= share * strength) {
    const line = refineRuler(ruler, activation);
    const beats: number[] = [];
    const first = Math.ceil((-0.5 * SNAP_FRAMES - line.phase) / line.interval);
    for (let k = first; line.phase + k * line.interval < activation.length; k++) {
      beats.push(Math.max(0, line.phase + k * line.interval));
    }
    return { beats, interval: line.interval, constant: true, standardErrors: ruler.standardErrors };
  }
  const beats = path.map((frame) => snap(activation, frame).frame);
  const steps = beats.slice(1).map((beat, i) => beat - beats[i]);
  return { beats, interval: steadyInterval(steps), constant: false, standardErrors: 0 };
}

/** 0..1: how much of the path keeps one place against the ruler's half beats: tempo that drifts walks through all. */
function agreementOf(path: readonly number[], { interval, phase }: BeatGrid): number {
  const angles = path.map((frame) => (4 * Math.PI * (frame - phase)) / interval);
  return Math.hypot(mean(angles.map(Math.cos)), mean(angles.map(Math.sin)));
}

/** Nearest onset: the mean place around a frame, weighted by activation, and how strong it is. */
function snap(activation: Float32Array, place: number): { frame: number; weight: number } {
  const middle = Math.round(place);
  let peak = middle;
  for (let t = Math.max(0, middle - SNAP_FRAMES); t <= middle + SNAP_FRAMES && t < activation.length; t++) {
    if (activation[t] > (activation[peak] ?? 0)) peak = t;
  }
  const weight = activation[peak] ?? 0;
  if (weight < MIN_WEIGHT) return { frame: place, weight: 0 };
  const left = activation[peak - 1] ?? 0;
  const right = activation[peak + 1] ?? 0;
  return { frame: peak + (right - left) / (left + weight + right), weight };
}

/** Least squares over beat numbers of the onsets near the ruler's beats. */
function refineRuler(
  ruler: { interval: number; phase: number },
  activation: Float32Array,
): { interval: number; phase: number } {
  let line = { interval: ruler.interval, phase: ruler.phase };
  for (let round = 0; round < 2; round++) {
    const numbers: number[] = [];
    const places: number[] = [];
    const weights: number[] = [];
    for (let k = 0; line.phase + k * line.interval < activation.length; k++) {
      const onset = snap(activation, line.phase + k * line.interval);
      if (onset.weight === 0) continue;
      numbers.push(k);
      places.push(onset.frame);
      weights.push(onset.weight);
    }
    if (numbers.length <= 2) break;
    const fit = fitLine(numbers, places, weights);
    line = { interval: fit.slope, phase: fit.intercept };
  }
  return line;
}

/** Mean of the intervals that are no slips, by their median: finer than whole frames, deaf to slips. */
function steadyInterval(steps: readonly number[]): number {
  const middle = median(steps);
  return mean(steps.filter((step) => Math.abs(step / middle - 1) < WIDEST_CHANGE));
}
