import { fitLine, mean, median, slidingMaximum } from '../../signal/statistics.ts';
import { MAX_INTERVAL_CHANGE } from './decode.ts';
import { type BeatGrid, fitConstantGrid, SAME_TEMPO } from './tempo.ts';

/**
 * A constant grid fits if its mean activation is at least this share of the free path's. The path agrees with
 * it if the positions of its beats have at least this resultant length.
 */
export const FITTING_SHARE = 0.8;
/** For a path that agrees with the grid, or its half beats, except for slips, this share is enough. */
const SLIPPED_FITTING_SHARE = 0.6;
const SNAP_FRAMES = 4;
/** Least activation of an onset to which a beat is moved. */
const MIN_WEIGHT = 0.1;

export interface ResolvedGrid {
  readonly beats: readonly number[];
  readonly interval: number;
  readonly isConstant: boolean;
  /** Standard errors by which a constant grid's beats exceed the mean; 0 for a path. */
  readonly standardErrors: number;
}

/**
 * Makes a beat grid of a tracked path. Produced music has one tempo: a constant grid over the whole section
 * corrects passages where the tracker slips. If no constant grid fits (played music, an edit in the sound),
 * the path remains, with each beat moved to its onset.
 */
export function resolveGrid(
  path: readonly number[],
  activation: Float32Array,
  interval: number,
): ResolvedGrid {
  const wide = slidingMaximum(activation, 2);
  const strength = mean(path.map((frame) => wide[frame]));
  const constantGrid = fitConstantGrid(activation, interval, SAME_TEMPO);
  const share = phaseConstancy(path, constantGrid) > FITTING_SHARE ? SLIPPED_FITTING_SHARE : FITTING_SHARE;
  if (constantGrid.strength >= share * strength) {
    const line = refineConstantGrid(constantGrid, activation);
    const beats: number[] = [];
    const first = Math.ceil((-0.5 * SNAP_FRAMES - line.phase) / line.interval);
    for (let k = first; line.phase + k * line.interval < activation.length; k++) {
      beats.push(Math.max(0, line.phase + k * line.interval));
    }
    return { beats, interval: line.interval, isConstant: true, standardErrors: constantGrid.standardErrors };
  }
  const beats = path.map((frame) => snap(activation, frame).frame);
  const steps = beats.slice(1).map((beat, i) => beat - beats[i]);
  return { beats, interval: steadyInterval(steps), isConstant: false, standardErrors: 0 };
}

/**
 * 0..1: how constant the path's phase is relative to half beats of the grid; a drifting tempo has all phases.
 */
function phaseConstancy(path: readonly number[], { interval, phase }: BeatGrid): number {
  const angles = path.map((frame) => (4 * Math.PI * (frame - phase)) / interval);
  return Math.hypot(mean(angles.map(Math.cos)), mean(angles.map(Math.sin)));
}

/** The nearest onset: mean position around a frame, weighted by activation, and its strength. */
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

/** Least-squares line through the onsets near the grid's beats, over beat numbers. */
function refineConstantGrid(
  initial: { interval: number; phase: number },
  activation: Float32Array,
): { interval: number; phase: number } {
  let line = { interval: initial.interval, phase: initial.phase };
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

/** Mean of the intervals near their median: finer than whole frames, and robust against slips. */
function steadyInterval(steps: readonly number[]): number {
  const middle = median(steps);
  return mean(steps.filter((step) => Math.abs(step / middle - 1) < MAX_INTERVAL_CHANGE));
}
