import { mean, slidingMaximum } from '../../signal/statistics.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import { carryOn } from './carry.ts';
import { decodeBeats } from './decode.ts';
import type { Heard } from './evidence.ts';
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
import { findSplice } from './splice.ts';
import { pulsePrior, pulseWindows, SAME_TEMPO, TEMPO_BPM, type TempoVote, voteOnInterval } from './tempo.ts';

/** Of all tempi, in whole frames. */
function searchedIntervals() {
  return {
    shortest: Math.ceil((60 * FPS) / TEMPO_BPM.fastest),
    longest: Math.floor((60 * FPS) / TEMPO_BPM.slowest),
  };
}

/** Ripple below this share of the peaks is not looked at: even a steady tone has some, and it repeats. */
const MIN_SHARE = 0.02;

/** So many beats at a passage's beginning belong to it when they have this share of the usual strength, and the first of them this. */
const STRETCH_BEATS = 8;
const SOUNDING_SHARE = 0.5;
const MIN_BEAT_SHARE = 0.2;

/** Share of a beat by which beats that continue in time are aside at most. */
const IN_PHASE = 0.15;
/** Agreement of the sides from which a splice is clear, and the confidence left in beats that do not follow it. */
const CLEAR_SPLICE = 0.85;
const SPLICE_DOUBT = 0.5;

export interface TrackedPassage {
  /** Frames (100 a second, fractions too) of the beats, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
  /** One unchanging tempo explains the passage. */
  readonly constant: boolean;
  /** 0..1, of the beats and of the tempo alone: that may be right where beats lie half-way between the true ones. */
  readonly confidence: number;
  readonly tempoConfidence: number;
  readonly votes: readonly TempoVote[];
}

/** The curve against its running maximum of 8 s: 0..1. */
function activationOf(curve: Float32Array): Float32Array {
  const peaks = slidingMaximum(curve, 4 * FPS);
  return curve.map((value, t) => {
    const share = value / Math.max(peaks[t], AUDIBLE);
    return share < MIN_SHARE ? 0 : share;
  });
}

/** Finds the stretches with a pulse in a section of a few minutes at most; in time order. */
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
  return widened(joinOctaves(pulses, activation), slidingMaximum(activation, 2));
}

/** Carries constant grids on into what no pulse was found in; the earlier first. */
function widened(pulses: readonly Pulse[], wide: Float32Array): readonly Pulse[] {
  let free = 0;
  return pulses.map((pulse, i) => {
    const { grid } = pulse;
    const place = pulse.from + grid.beats[0];
    const bounds = {
      from: Math.min(free, pulse.from),
      to: Math.max(pulse.to, pulses[i + 1]?.from ?? wide.length),
    };
    const { from, to } = grid.constant
      ? carryOn(wide, { place, interval: grid.interval }, pulse, bounds)
      : pulse;
    free = to;
    if (from === pulse.from && to === pulse.to) return pulse;
    const beats: number[] = [];
    const first = place - Math.floor((place - from) / grid.interval) * grid.interval;
    for (let k = 0; first + k * grid.interval < to; k++) beats.push(first + k * grid.interval - from);
    return { ...pulse, from, to, grid: { ...grid, beats } };
  });
}

/** Finds the stretches with a pulse, and their beats. */
export function trackSection(
  curve: OnsetCurve,
  harmony: HarmonicChange,
  clipPeak: number,
): readonly TrackedPassage[] {
  return findPulses(curve, clipPeak).flatMap((pulse) => readWithSplices(pulse, curve, harmony));
}

/**
 * The passages of a pulse: two where the sides of a splice, read on their own, have their beats at different places of the grid. Beats
 * are in doubt where a splice is clear, and the readings do not show it.
 */
function readWithSplices(
  pulse: Pulse,
  curve: OnsetCurve,
  harmony: HarmonicChange,
): readonly TrackedPassage[] {
  const { from, to, grid } = pulse;
  const whole = readPulse(pulse, curve, harmony);
  const splice = grid.constant ? findSplice(grid.beats, grid.interval, sliceCurve(curve, from, to)) : null;
  if (splice === null) return [whole];
  const sides = sidesOf(pulse, from + Math.round(grid.beats[splice.beat] - grid.interval / 2), curve);
  const [left, right] = sides.map((side) => readPulse(side, curve, harmony));
  const shift = (right.beats[0] - left.beats[left.beats.length - 1]) / whole.interval;
  const isSameTempo = Math.abs(left.interval / right.interval - 1) < SAME_TEMPO;
  // Two grids explain a spliced sound better than one: the parts of a song that only changes are read with more doubt than the whole.
  const isClearer = (left.confidence + right.confidence) / 2 > whole.confidence;
  if (isClearer && isSameTempo && Math.abs(shift - Math.round(shift)) > IN_PHASE)
    return sides.flatMap((side) => readWithSplices(side, curve, harmony));
  const doubt = splice.agreement < CLEAR_SPLICE ? 1 : SPLICE_DOUBT;
  return [{ ...whole, confidence: doubt * whole.confidence }];
}

/** The parts of a pulse before and after a frame, each with its own constant grid where one fits. */
function sidesOf(pulse: Pulse, frame: number, curve: OnsetCurve): readonly Pulse[] {
  const { from, to, grid, clarity } = pulse;
  const activation = activationOf(curve.full);
  return [
    { from, to: frame },
    { from: frame, to },
  ].map((range) => {
    const places = grid.beats.map((beat) => Math.round(beat + from - range.from));
    const own = places.filter((place) => place >= 0 && place < range.to - range.from);
    return pulseOf(activation, { ...range, clarity }, own, grid.interval);
  });
}

function readPulse(pulse: Pulse, sectionCurve: OnsetCurve, sectionHarmony: HarmonicChange): TrackedPassage {
  const { from, grid } = pulse;
  const heard = heardIn(pulse, sectionCurve, sectionHarmony);
  const { beats, interval, share, tempoShare } = chooseHypothesis(grid, heard);
  // A pulse is sure from twice on what the least one has.
  const beyondChance = grid.standardErrors / STEADY_ERRORS - 1;
  const sure = Math.min(1, Math.max(pulse.clarity / CLEAREST_WINDOW / 2, beyondChance));
  const long = 0.5 + 0.5 * Math.min(1, beats.length / 16);
  return {
    beats: withoutEmptyBeginning(beats, heard.curve.full).map((beat) => beat + from),
    interval,
    constant: grid.constant,
    confidence: sure * long * share,
    tempoConfidence: sure * long * tempoShare,
    votes: heard.votes,
  };
}

/** What a pulse's stretch of a section sounds like. */
export function heardIn(
  { from, to, grid, windows }: Pulse,
  sectionCurve: OnsetCurve,
  sectionHarmony: HarmonicChange,
): Heard {
  return {
    curve: sliceCurve(sectionCurve, from, to),
    harmony: sectionHarmony.from(from / FPS),
    windows,
    votes: voteOnInterval(windows, grid.interval),
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
  while (first > 0 && first < inside.length && strengths[first] < MIN_BEAT_SHARE * usual) first += 1;
  return inside.slice(first);
}
