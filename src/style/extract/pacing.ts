import type { Beat, Shot, Transition, VideoFacts } from '../../analysis/facts.ts';
import { lengthOf } from '../../domain/spans.ts';
import { rounded } from '../../signal/rounding.ts';
import { mean, median, quantile } from '../../signal/statistics.ts';
import type { Style } from '../model/schema.ts';

/** Least share of a gradual type among all changes for the primary transition. */
const PRIMARY_SHARE = 0.15;
const BEAT_TOLERANCE_SECONDS = 0.07;
/** With fewer cuts, a share on the beat is chance. */
const MIN_CUTS = 3;
/** Shorter templates do not show enough shots (interface specification, "Limits"). */
const FULL_CONFIDENCE_SECONDS = 30;

/** Quantiles (linear between order statistics) and mean of the shots' lengths in seconds; null without shots. */
export function shotLengths(shots: readonly Shot[]): NonNullable<Style['shot_lengths']> | null {
  const lengths = shots.map(lengthOf);
  if (lengths.length === 0) return null;
  const at = (share: number) => rounded(quantile(lengths, share), 3);
  return {
    ...{ p10: at(0.1), p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9) },
    mean: rounded(mean(lengths), 3),
  };
}

/** Share of each type among the changes of shot; null without changes. */
export function transitionMix(
  transitions: readonly Transition[],
): NonNullable<Style['transition_mix']> | null {
  if (transitions.length === 0) return null;
  const mix: NonNullable<Style['transition_mix']> = {};
  for (const { type } of transitions) mix[type] = (mix[type] ?? 0) + 1;
  for (const type of Object.keys(mix) as (keyof typeof mix)[]) {
    mix[type] = Number((mix[type]! / transitions.length).toFixed(4));
  }
  return mix;
}

/** The most central color of the fades through a color; null without any. */
export function transitionColor(transitions: readonly Transition[]): string | null {
  const colors = transitions.flatMap(({ type, color }) =>
    type === 'fade_color' && color !== undefined ? [color] : [],
  );
  const distances = colors.map((one) => colors.reduce((sum, other) => sum + hexDistance(one, other), 0));
  return colors[distances.indexOf(Math.min(...distances))] ?? null;
}

function hexDistance(one: string, other: string): number {
  const levels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const against = levels(other);
  return Math.hypot(...levels(one).map((level, channel) => level - against[channel]));
}

/**
 * The most frequent gradual transition if its type has at least 15 % of all changes, with its median duration and
 * most frequent easing; otherwise the cut. Null if the clip has only one shot.
 */
export function primaryTransition(
  transitions: readonly Transition[],
): NonNullable<Style['primary_transition']> | null {
  if (transitions.length === 0) return null;
  const gradual = transitions.filter(({ type }) => type !== 'cut');
  const type = mostFrequent(gradual.map((transition) => transition.type));
  const ofType = gradual.filter((transition) => transition.type === type);
  if (type === null || ofType.length < PRIMARY_SHARE * transitions.length) {
    return { type: 'cut', duration_ms: 0, easing: 'linear' };
  }
  return {
    type,
    duration_ms: Math.min(10000, Math.round(median(ofType.map(lengthOf)) * 1000)),
    easing: mostFrequent(ofType.map((transition) => transition.easing)) ?? 'linear',
  };
}

/**
 * Share of hard cuts within ±70 ms of a beat, minus the share expected for cuts at random times; null if unknown.
 * Trackers find a pulse's tempo more reliably than its phase (Davies et al. 2009 therefore accept the off-beat),
 * and an editor cuts to one of the two. If the off-beat has at least three cuts and twice as many as the beat, it
 * counts as the beat.
 */
export function cutsOnBeat(
  transitions: readonly Transition[],
  beats: readonly Beat[],
  durationSeconds: number,
): number | null {
  const cuts = transitions.filter(({ type }) => type === 'cut').map(({ endSeconds }) => endSeconds);
  if (cuts.length < MIN_CUTS || beats.length < 2 || durationSeconds <= 0) return null;
  const times = beats.map(({ timeSeconds }) => timeSeconds);
  const onBeat = countNear(cuts, times);
  const offBeat = countNear(
    cuts,
    times.slice(1).map((time, index) => (time + times[index]) / 2),
  );
  const near = offBeat >= MIN_CUTS && offBeat >= 2 * onBeat ? offBeat : onBeat;
  const chance = Math.min(1, (beats.length * 2 * BEAT_TOLERANCE_SECONDS) / durationSeconds);
  return Number((near / cuts.length - chance).toFixed(3));
}

function countNear(cuts: readonly number[], beats: readonly number[]): number {
  return cuts.filter((cut) => beats.some((beat) => Math.abs(beat - cut) <= BEAT_TOLERANCE_SECONDS)).length;
}

export function pacingConfidence(video: VideoFacts): number {
  return video.shotConfidence * Math.min(1, Math.sqrt(video.durationSeconds / FULL_CONFIDENCE_SECONDS));
}

/** The first of the most frequent values; null for an empty list. */
function mostFrequent<Value>(values: readonly Value[]): Value | null {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: Value | null = null;
  for (const [value, count] of counts) if (best === null || count > counts.get(best)!) best = value;
  return best;
}
