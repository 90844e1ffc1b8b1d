import { mean } from '../../signal/statistics.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import { cyclesOf } from './bars.ts';
import { feelOf } from './feel.ts';
import { type Evidence, type MetricalHypothesis, weakerBeatRatio } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve } from './onset-curve.ts';
import { levelsAt, logRatio, quarterLevels, stepAt } from './places.ts';
import { correlationAt, PREFERRED_BPM, type PulseWindow, SAME_TEMPO, type TempoVote } from './tempo.ts';

/** Features of the sound that a hypothesis must explain. */
export interface PassageSound {
  readonly curve: OnsetCurve;
  /** Its time starts with the curve. */
  readonly harmony: HarmonicChange;
  /** From the same sound, resampled to even beats. */
  readonly windows: readonly PulseWindow[];
  readonly votes: readonly TempoVote[];
}

/** Beats of nearly all bars; a bar is also the shortest repeated unit. */
export const BAR_BEATS = 4;
/**
 * If every other beat has less than this share of its neighbors' bass and middle, it is probably not a beat.
 */
const MIN_NEIGHBOR_SHARE = 0.3;
/** Bands whose levels at parts of a beat are evidence. */
const VOICES = ['low', 'kick', 'snare'] as const;

/**
 * - `low.0`..`low.7`, `kick.…`, `snare.…`: level of bass onsets, kick-like and snare-like hits at the
 * quarters of two beats relative to their mean, the beat with more bass and less snare first;
 * - `between`: level half-way between beats; `empty`: every other beat is probably not a beat;
 * - `repeats.half`, `.four`: repetition after this many beats relative to the strongest;
 * - `harmony.strongest`: how much more the harmony changes on beats than half-way;
 * - `cycle.…`, `late.…`, `high.…`: from cycles of beats and parts of a beat (`cyclesOf`, `feelOf`);
 * - `octavesSquared`: distance from 120 BPM; `vote`: of the second estimator.
 */
export function evidenceFor({ beats, interval }: MetricalHypothesis, sound: PassageSound): Evidence {
  const { curve } = sound;
  const profiles = bassFirst({
    low: profileOf(beats, interval, curve.low),
    mid: profileOf(beats, interval, curve.mid),
    kick: profileOf(beats, interval, curve.kick),
    snare: profileOf(beats, interval, curve.snare),
  });
  const evidence: Record<string, number> = {};
  for (const voice of VOICES) {
    const levels = profiles[voice];
    const usual = mean(levels);
    levels.forEach((level, place) => {
      evidence[`${voice}.${place}`] = logRatio(level, usual, usual);
    });
  }
  const octaves = Math.log2((60 * FPS) / interval / PREFERRED_BPM);
  return {
    ...evidence,
    between: soundingBetween(beats, interval, curve.full),
    empty: emptiness(beats, curve),
    ...repetitionOf(interval, sound.windows),
    ...harmonyOf(beats, interval, sound.harmony),
    ...cyclesOf(beats, curve, sound.harmony),
    ...feelOf(beats, interval, curve),
    octavesSquared: octaves ** 2,
    vote: sound.votes.find((one) => Math.abs(one.interval / interval - 1) < SAME_TEMPO)?.weight ?? 0,
  };
}

/** Mean level of a band at the quarters of two beats. */
function profileOf(beats: readonly number[], interval: number, band: Float32Array): number[] {
  const quarters = [0, 1, 2, 3].map((quarter) => levelsAt(beats, interval, quarter / 4, band));
  return [0, 1].flatMap((beat) => quarters.map((levels) => mean(levels.filter((_, i) => i % 2 === beat))));
}

/** Orders the two beats: first the one with more bass, or less snare. */
function bassFirst<Name extends string>(
  profiles: Readonly<Record<Name | 'low' | 'mid', readonly number[]>>,
): typeof profiles {
  const { low, mid } = profiles;
  const lead = (place: number) => low[place] / (mean(low) + 1e-3) - mid[place] / (mean(mid) + 1e-3);
  if (lead(4) <= lead(0)) return profiles;
  const turned = Object.entries<readonly number[]>(profiles).map(([name, levels]) => [
    name,
    [...levels.slice(4), ...levels.slice(0, 4)],
  ]);
  return Object.fromEntries(turned) as typeof profiles;
}

function soundingBetween(beats: readonly number[], interval: number, band: Float32Array): number {
  const usual = mean(quarterLevels(beats, interval, band)) + 1e-3;
  return mean(levelsAt(beats, interval, 0.5, band).map((level) => Math.min(1, level / usual)));
}

/** 0 if the weaker of every other beat has enough bass or middle, 1 if it has none of either. */
function emptiness(beats: readonly number[], curve: OnsetCurve): number {
  const most = Math.max(weakerBeatRatio(beats, curve.low), weakerBeatRatio(beats, curve.mid));
  return Math.max(0, 1 - most / MIN_NEIGHBOR_SHARE);
}

function repetitionOf(interval: number, windows: readonly PulseWindow[]): Evidence {
  const after = (beats: number) =>
    mean(windows.map(({ correlation }) => correlationAt(correlation, beats * interval)));
  const [half, one, two, three, four] = [0.5, 1, 2, 3, 4].map(after);
  const most = Math.max(half, one, two, three, four, 1e-3);
  return {
    'repeats.half': half / most,
    'repeats.four': four / most,
  };
}

function harmonyOf(beats: readonly number[], interval: number, harmony: HarmonicChange): Evidence {
  const reach = (interval / FPS) * 0.5;
  const [on, between] = [0, 0.5].map((part) =>
    beats.map((beat, i) => harmony.at((beat + part * stepAt(beats, i, interval)) / FPS, reach)),
  );
  return {
    'harmony.strongest': strongestPlace(on) - strongestPlace(between),
  };
}

/** The largest mean of a position in the bar. */
function strongestPlace(values: readonly number[]): number {
  return Math.max(
    ...Array.from({ length: BAR_BEATS }, (_, place) =>
      mean(values.filter((_, i) => i % BAR_BEATS === place)),
    ),
  );
}
