import { mean, slidingMaximum } from '../../signal/statistics.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import { decodeBeats } from './decode.ts';
import type { PassageSound } from './evidence.ts';
import { extendBeatGrid } from './extend-grid.ts';
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
import type { Shares } from './support.ts';
import { pulsePrior, pulseWindows, TEMPO_BPM, type TempoVote, voteOnInterval } from './tempo.ts';

/** The intervals of all tempi, in whole frames. */
function searchedIntervals() {
  return {
    shortest: Math.ceil((60 * FPS) / TEMPO_BPM.fastest),
    longest: Math.floor((60 * FPS) / TEMPO_BPM.slowest),
  };
}

/** Ripple below this share of the peaks is ignored: even a steady tone has some, and it repeats. */
const MIN_SHARE = 0.02;

/**
 * The first beats of a passage belong to it if this many have the share `SOUNDING_SHARE` of the mean
 * strength, and the first of them `MIN_BEAT_SHARE`.
 */
const START_BEATS = 8;
const SOUNDING_SHARE = 0.5;
const MIN_BEAT_SHARE = 0.2;

export interface TrackedPassage {
  /** Frames (100 a second, fractions too) of the beats, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
  /** Whether one constant tempo explains the passage. */
  readonly isConstant: boolean;
  /** Probability that the beats, and the tempo alone, are right. */
  readonly confidence: Shares;
  /** Whether to use them depends on it (`supportOf`). */
  readonly support: Shares;
  readonly votes: readonly TempoVote[];
}

/** The curve relative to its running maximum over 8 s, 0..1. */
function activationOf(curve: Float32Array): Float32Array {
  const peaks = slidingMaximum(curve, 4 * FPS);
  return curve.map((value, t) => {
    const share = value / Math.max(peaks[t], AUDIBLE);
    return share < MIN_SHARE ? 0 : share;
  });
}

/** Finds the passages with a pulse in a section of at most a few minutes, in time order. */
export function findPulses(curve: OnsetCurve, clipPeak: number): readonly Pulse[] {
  const intervals = searchedIntervals();
  if (curve.full.length === 0 || clipPeak < AUDIBLE) return [];
  const activation = activationOf(curve.full);
  const windows = pulseWindows(activation);
  const path = decodeBeats(activation, intervals, pulsePrior(windows, intervals)).frames;
  const pulses = findPassages(windows, path, activation).flatMap(({ from, to, interval, clarities }) => {
    const own = path.filter((frame) => frame >= from && frame < to).map((frame) => frame - from);
    if (own.length < 2) return [];
    return [pulseOf(activation, { from, to, clarity: mean(clarities) }, own, interval)];
  });
  return extendGrids(joinOctaves(pulses, activation), slidingMaximum(activation, 2));
}

/** Extends constant grids into ranges without a pulse, earlier ones first. */
function extendGrids(pulses: readonly Pulse[], wide: Float32Array): readonly Pulse[] {
  let free = 0;
  return pulses.map((pulse, i) => {
    const { grid } = pulse;
    const beatFrame = pulse.from + grid.beats[0];
    const bounds = {
      from: Math.min(free, pulse.from),
      to: Math.max(pulse.to, pulses[i + 1]?.from ?? wide.length),
    };
    const { from, to } = grid.isConstant
      ? extendBeatGrid(wide, { beatFrame, interval: grid.interval }, pulse, bounds)
      : pulse;
    free = to;
    if (from === pulse.from && to === pulse.to) return pulse;
    const beats: number[] = [];
    const first = beatFrame - Math.floor((beatFrame - from) / grid.interval) * grid.interval;
    for (let k = 0; first + k * grid.interval < to; k++) beats.push(first + k * grid.interval - from);
    return { ...pulse, from, to, grid: { ...grid, beats } };
  });
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
  const certain = ({ beats, tempo }: Shares) => ({ beats: certainty * beats, tempo: certainty * tempo });
  return {
    beats: withoutSilentStart(beats, sound.curve.full).map((beat) => beat + from),
    interval,
    isConstant: grid.isConstant,
    confidence: certain(confidence),
    support: certain(support),
    votes: sound.votes,
  };
}

/** 0..1: confidence in a pulse, whatever its tempo: 1 at twice the least clarity or significance, from 16 beats on. */
function certaintyOf({ clarity, grid }: Pulse, beats: number): number {
  const beyondChance = grid.standardErrors / STEADY_ERRORS - 1;
  return (
    Math.min(1, Math.max(clarity / CLEAREST_WINDOW / 2, beyondChance)) * (0.5 + 0.5 * Math.min(1, beats / 16))
  );
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
 * The beats from the first eight on that are as strong as the rest. The windows of a passage overlap the sound before
 * it, and a grid extends over an introduction without a pulse. The end remains, since a last chord decays in time.
 */
function withoutSilentStart(beats: readonly number[], curve: Float32Array): readonly number[] {
  const inside = beats.filter((beat) => beat < curve.length);
  const strengths = inside.map((beat) => peakNear(curve, beat));
  const usual = mean(strengths);
  const stretch = Math.min(START_BEATS, inside.length);
  let first = 0;
  while (first < inside.length && mean(strengths.slice(first, first + stretch)) < SOUNDING_SHARE * usual)
    first += 1;
  while (first > 0 && first < inside.length && strengths[first] < MIN_BEAT_SHARE * usual) first += 1;
  return inside.slice(first);
}
