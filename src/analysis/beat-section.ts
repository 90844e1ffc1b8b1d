import { mean, slidingMaximum } from '../signal/statistics.ts';
import { decodeBeats } from './beat-decode.ts';
import { settleGrid } from './beat-grid.ts';
import { settlePhase } from './beat-phase.ts';
import type { HarmonicChange } from './chroma.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear, sliceCurve } from './onset-curve.ts';
import { findPassages, type Passage } from './passage.ts';
import { type PulseWindow, pulseWindows, type TempoVote, voteOnInterval } from './tempo.ts';

/** The tempo range that is searched; what lies outside is reached by halving. */
const SHORTEST_INTERVAL = Math.ceil((60 * FPS) / 215);
const LONGEST_INTERVAL = Math.floor((60 * FPS) / 55);
const LEAST_SECONDS = 3;
const SLOW_BPM = 100;
const DOUBLING_MAJORITY = 1.25;
/** Clarity of an unmistakable pulse. */
const FULL_CLARITY = 0.1;
/** In the unit of the onset curve; a drum hit 40 dB below full scale still gives 10. */
const LEAST_ONSET = 0.5;
/** Ripple below this share of the peaks is not looked at: even a steady tone has some, and it repeats. */
const LEAST_SHARE = 0.02;

export interface TrackedPassage {
  /** Frames (100 a second, fractions too) of the beats, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
  /** One unchanging tempo explains the passage. */
  readonly constant: boolean;
  /** 0..1. */
  readonly confidence: number;
  readonly votes: readonly TempoVote[];
}

/** The curve against its running maximum of 8 s: 0..1. What lies far below the clip's own peaks stays low. */
export function activationOf(curve: Float32Array, clipPeak: number): Float32Array {
  const peaks = slidingMaximum(curve, 4 * FPS);
  const floor = Math.max(0.05 * clipPeak, LEAST_ONSET);
  return curve.map((value, t) => {
    const share = value / Math.max(peaks[t], floor);
    return share < LEAST_SHARE ? 0 : share;
  });
}

/** Finds the passages with a pulse, and their beats, in a section of a few minutes at most; in time order. */
export function trackSection(
  curve: OnsetCurve,
  harmony: HarmonicChange,
  clipPeak: number,
): readonly TrackedPassage[] {
  if (curve.full.length < LEAST_SECONDS * FPS) return [];
  const activation = activationOf(curve.full, clipPeak);
  const path = decodeBeats(activation, { shortest: SHORTEST_INTERVAL, longest: LONGEST_INTERVAL }).frames;
  const windows = pulseWindows(activation);
  return findPassages(windows, path, activation.length).flatMap((passage) => {
    const own = windows.filter((w) => w.startFrame < passage.to && w.endFrame > passage.from);
    const tracked = trackPassage(curve, activation, harmony, passage, path, own);
    return tracked === null ? [] : [tracked];
  });
}

function trackPassage(
  sectionCurve: OnsetCurve,
  sectionActivation: Float32Array,
  sectionHarmony: HarmonicChange,
  passage: Passage,
  sectionPath: readonly number[],
  windows: readonly PulseWindow[],
): TrackedPassage | null {
  const { from, to } = passage;
  const curve = sliceCurve(sectionCurve, from, to);
  const activation = sectionActivation.subarray(from, to);
  const path = sectionPath.filter((frame) => frame >= from && frame < to).map((frame) => frame - from);
  if (path.length < 4) return null;
  const interval = settleOctave(path, curve, passage.interval, windows);
  const settled =
    interval === passage.interval ? path : decodeBeats(activation, rangeAround(interval)).frames;
  if (settled.length < 4) return null;
  const grid = settleGrid(settled, activation, interval);
  const beats = settlePhase(grid.beats, grid.constant, curve, sectionHarmony.from(from / FPS));
  const sure = Math.min(1, mean(passage.clarities) / FULL_CLARITY);
  const long = Math.min(1, beats.length / 16);
  return {
    beats: beats.map((beat) => beat + from).filter((beat) => beat < to),
    interval: grid.interval,
    constant: grid.constant,
    confidence: sure * (0.5 + 0.5 * long),
    votes: voteOnInterval(windows, grid.interval),
  };
}

function rangeAround(interval: number): { shortest: number; longest: number } {
  return { shortest: Math.floor(interval * 0.92), longest: Math.ceil(interval * 1.08) };
}

/**
 * The tracker likes to beat on eighths where they are played through. Beats are taken for eighths when every
 * other one is weak both in the bass and in the middle: a kick that alternates with a snare is no such case.
 * How weak depends on the tempo: see `alternationLimit`. The other way, a slow beat is doubled when the second
 * estimator clearly says so and what lies half-way is no weaker than that.
 */
function settleOctave(
  frames: readonly number[],
  curve: OnsetCurve,
  interval: number,
  windows: readonly PulseWindow[],
): number {
  const bpm = (60 * FPS) / interval;
  if (weakestAlternation(frames, curve) < alternationLimit(bpm)) return interval * 2;
  const votes = voteOnInterval(windows, interval);
  const weightOf = (wanted: number) => votes.find((vote) => vote.interval === wanted)?.weight ?? 0;
  if (bpm >= SLOW_BPM || weightOf(interval / 2) < DOUBLING_MAJORITY * weightOf(interval)) return interval;
  const halves = frames.slice(1).flatMap((frame, i) => [frames[i], (frames[i] + frame) / 2]);
  return weakestAlternation(halves, curve) < alternationLimit(2 * bpm) ? interval : interval / 2;
}

function weakestAlternation(frames: readonly number[], curve: OnsetCurve): number {
  return Math.max(alternationOf(frames, curve.low), alternationOf(frames, curve.mid));
}

/** Weak over strong below which beats of this tempo are eighths, set on drum patterns from 66 to 174 BPM. */
function alternationLimit(bpm: number): number {
  if (bpm < 100) return 0;
  if (bpm < 150) return 0.2;
  return bpm < 176 ? 0.2 + ((bpm - 150) / 26) * 0.35 : Math.min(0.85, 0.55 + ((bpm - 176) / 39) * 0.3);
}

/** Weak over strong of every other beat, over runs of 16 beats so that a slip of the tracker costs one run. */
function alternationOf(frames: readonly number[], curve: Float32Array): number {
  let weak = 0;
  let strong = 0;
  for (let from = 0; from + 8 <= frames.length; from += 16) {
    const run = frames.slice(from, from + 16).map((frame) => peakNear(curve, frame));
    const even = mean(run.filter((_, i) => i % 2 === 0));
    const odd = mean(run.filter((_, i) => i % 2 === 1));
    weak += Math.min(even, odd);
    strong += Math.max(even, odd);
  }
  return strong === 0 ? 1 : weak / strong;
}
