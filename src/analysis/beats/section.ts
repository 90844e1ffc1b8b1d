import { mean, slidingMaximum } from '../../signal/statistics.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import { decodeBeats } from './decode.ts';
import type { PassageSound } from './evidence.ts';
import { extendGrids } from './extend-grid.ts';
import { chooseHypothesis } from './level.ts';
import {
  AUDIBLE,
  ONSET_FRAMES_PER_SECOND as FPS,
  type OnsetCurve,
  peakNear,
  sliceCurve,
} from './onset-curve.ts';
import { CLEAREST_WINDOW, findPassages, STEADY_ERRORS } from './passage.ts';
import { joinOctaves, type Pulse, pulseOf } from './pulse.ts';
import type { Likelihood } from './support.ts';
import { pulsePrior, pulseWindows, TEMPO_BPM, type TempoVote, voteOnInterval } from './tempo.ts';

/** The intervals of all tempi, in whole frames. */
const INTERVALS = {
  shortest: Math.ceil((60 * FPS) / TEMPO_BPM.fastest),
  longest: Math.floor((60 * FPS) / TEMPO_BPM.slowest),
} as const;

/** Share of the peaks below which onsets are ripple: even a steady tone has some, and it repeats. */
const MIN_ONSET_SHARE = 0.02;

/** A passage begins where this many beats have `MIN_START_LEVEL` of the mean level, and the first of them `MIN_FIRST_LEVEL`. */
const START_BEATS = 8;
const MIN_START_LEVEL = 0.5;
const MIN_FIRST_LEVEL = 0.2;
/** From this many beats on a passage is long enough for full certainty. */
const ENOUGH_BEATS = 16;

export interface TrackedPassage {
  /** Frames (100 a second, fractions too) of the beats, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
  /** Whether one constant tempo explains the passage. */
  readonly isConstant: boolean;
  /** Probability that the beats, and the tempo alone, are right. */
  readonly confidence: Likelihood;
  /** Whether to use them depends on it (`supportOf`). */
  readonly support: Likelihood;
  readonly votes: readonly TempoVote[];
}

/** The curve relative to its running maximum over 8 s, 0..1. */
function activationOf(curve: Float32Array): Float32Array {
  const peaks = slidingMaximum(curve, 4 * FPS);
  return curve.map((value, t) => {
    const share = value / Math.max(peaks[t], AUDIBLE);
    return share < MIN_ONSET_SHARE ? 0 : share;
  });
}

/** Finds the passages with a pulse in a section of at most a few minutes, in time order. */
export function findPulses(curve: OnsetCurve, clipPeak: number): readonly Pulse[] {
  if (curve.full.length === 0 || clipPeak < AUDIBLE) return [];
  const activation = activationOf(curve.full);
  const windows = pulseWindows(activation);
  const path = decodeBeats(activation, INTERVALS, pulsePrior(windows, INTERVALS)).frames;
  const pulses = findPassages(windows, path, activation).flatMap(({ from, to, interval, clarities }) => {
    const own = path.filter((frame) => frame >= from && frame < to).map((frame) => frame - from);
    if (own.length < 2) return [];
    return [pulseOf(activation, { from, to, clarity: mean(clarities) }, own, interval)];
  });
  return extendGrids(joinOctaves(pulses, activation), slidingMaximum(activation, 2));
}

/** Finds the passages with a pulse and their beats. */
export function trackSection(
  curve: OnsetCurve,
  harmony: HarmonicChange,
  clipPeak: number,
): readonly TrackedPassage[] {
  return findPulses(curve, clipPeak).map((pulse) => interpretPulse(pulse, curve, harmony));
}

function interpretPulse(
  pulse: Pulse,
  sectionCurve: OnsetCurve,
  sectionHarmony: HarmonicChange,
): TrackedPassage {
  const { from, grid } = pulse;
  const sound = soundIn(pulse, sectionCurve, sectionHarmony);
  const { beats, interval, confidence, support } = chooseHypothesis(grid, sound);
  const certainty = certaintyOf(pulse, beats.length);
  const ofPulse = ({ beats, tempo }: Likelihood) => ({ beats: certainty * beats, tempo: certainty * tempo });
  return {
    beats: withoutSilentStart(beats, sound.curve.full).map((beat) => beat + from),
    interval,
    isConstant: grid.isConstant,
    confidence: ofPulse(confidence),
    support: ofPulse(support),
    votes: sound.votes,
  };
}

/** Confidence in a pulse, whatever its tempo, 0..1: 1 at twice the least clarity or significance, and enough beats. */
function certaintyOf({ clarity, grid }: Pulse, beats: number): number {
  const beyondChance = grid.standardErrors / STEADY_ERRORS - 1;
  const clearness = Math.min(1, Math.max(clarity / CLEAREST_WINDOW / 2, beyondChance));
  return clearness * (0.5 + 0.5 * Math.min(1, beats / ENOUGH_BEATS));
}

/** Features of the sound of a pulse's passage. */
export function soundIn(
  { from, to, grid, windows }: Pulse,
  sectionCurve: OnsetCurve,
  sectionHarmony: HarmonicChange,
): PassageSound {
  return {
    curve: sliceCurve(sectionCurve, from, to),
    harmony: sectionHarmony.from(from / FPS),
    windows,
    votes: voteOnInterval(windows, grid.interval),
  };
}

/**
 * Drops beats before the music: the windows of a passage overlap the sound before it, and a grid extends over an introduction without
 * a pulse. The end remains, since a last chord decays in time.
 */
function withoutSilentStart(beats: readonly number[], curve: Float32Array): readonly number[] {
  const inside = beats.filter((beat) => beat < curve.length);
  const levels = inside.map((beat) => peakNear(curve, beat));
  const usual = mean(levels);
  const isQuiet = (first: number) => mean(levels.slice(first, first + START_BEATS)) < MIN_START_LEVEL * usual;
  let first = 0;
  while (first < inside.length && isQuiet(first)) first += 1;
  if (first === 0) return inside;
  while (first < inside.length && levels[first] < MIN_FIRST_LEVEL * usual) first += 1;
  return inside.slice(first);
}
