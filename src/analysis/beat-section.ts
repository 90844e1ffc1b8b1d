import { mean, slidingMaximum } from '../signal/statistics.ts';
import { decodeBeats } from './beat-decode.ts';
import { settleGrid } from './beat-grid.ts';
import { chooseReading } from './beat-level.ts';
import type { HarmonicChange } from './chroma.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear, sliceCurve } from './onset-curve.ts';
import { findPassages, type Passage } from './passage.ts';
import { type PulseWindow, pulseWindows, type TempoVote, voteOnInterval } from './tempo.ts';

/** The tempo range that is searched; what lies outside is reached by halving. */
const SHORTEST_INTERVAL = Math.ceil((60 * FPS) / 215);
const LONGEST_INTERVAL = Math.floor((60 * FPS) / 55);
const LEAST_SECONDS = 3;
/** Clarity of an unmistakable pulse. */
const FULL_CLARITY = 0.1;
/** In the unit of the onset curve; a drum hit 40 dB below full scale still gives 10. */
const LEAST_ONSET = 0.5;
/** Ripple below this share of the peaks is not looked at: even a steady tone has some, and it repeats. */
const LEAST_SHARE = 0.02;

/** A stretch at a passage's beginning belongs to it when it has this share of the usual strength, its first beat this. */
const SOUNDING_SHARE = 0.5;
const LEAST_BEAT_SHARE = 0.2;
const STRETCH_BEATS = 8;

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
  if (curve.full.length < LEAST_SECONDS * FPS || clipPeak < LEAST_ONSET) return [];
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
  const grid = settleGrid(path, activation, passage.interval);
  const votes = voteOnInterval(windows, grid.interval);
  const { beats, interval, share } = chooseReading(grid, curve, sectionHarmony.from(from / FPS), votes);
  const sure = Math.min(1, mean(passage.clarities) / FULL_CLARITY);
  const long = Math.min(1, beats.length / 16);
  return {
    beats: withoutEmptyBeginning(beats, curve.full).map((beat) => beat + from),
    interval,
    constant: grid.constant,
    confidence: sure * (0.5 + 0.5 * long) * share,
    votes,
  };
}

/**
 * The beats from the first stretch of eight on that sounds like the rest: the windows that told the passage reach into
 * what comes before it, and a ruler goes on through a beginning without a pulse. The end stays: a last chord rings on
 * in time.
 */
function withoutEmptyBeginning(beats: readonly number[], curve: Float32Array): readonly number[] {
  const inside = beats.filter((beat) => beat < curve.length);
  const strengths = inside.map((beat) => peakNear(curve, beat));
  const usual = mean(strengths);
  const stretch = Math.min(STRETCH_BEATS, inside.length);
  let first = 0;
  while (first < inside.length && mean(strengths.slice(first, first + stretch)) < SOUNDING_SHARE * usual)
    first += 1;
  while (first > 0 && first < inside.length && strengths[first] < LEAST_BEAT_SHARE * usual) first += 1;
  return inside.slice(first);
}
