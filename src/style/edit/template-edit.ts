/** A Style DNA as the slots of an edit. */
import { quantile } from '../../signal/statistics.ts';
import type { Style } from '../model/schema.ts';
import type { SlotTransition, TemplateEdit, TemplateSlot } from './edit-plan.ts';

type StyleEdit = NonNullable<Style['edit']>;
type StyleSlot = StyleEdit['slots'][number];

/** Styles without cuts: about the length of a reel and of its shots. */
const DEFAULT_SECONDS = 20;
const DEFAULT_SHOT_SECONDS = 2.5;
const MAX_FALLBACK_SECONDS = 60;
/** Cuts of a style without information about beats: common reels have .5 to .9 on them. */
const DEFAULT_ON_BEAT = 0.7;
/** Of a song, whose rhythm is all that is followed. */
const SONG_ON_BEAT = 1;

/** Of a style without the group `edit` (presets, styles by hand, sound files): slots whose lengths follow its quantiles, without ranks. */
export function templateEditOf(style: Style): TemplateEdit {
  const tempoBpm = style.tempo_bpm ?? null;
  const { edit } = style;
  if (edit === undefined) return fallbackEdit(style, tempoBpm);
  return {
    slots: edit.slots.map(slotOf),
    onBeatShare: edit.on_beat_share ?? null,
    tempoBpm,
    cutsPerBarByEnergy: edit.cuts_per_bar ?? null,
  };
}

function slotOf(slot: StyleSlot): TemplateSlot {
  return {
    durationSeconds: slot.length_seconds,
    beats: slot.length_beats ?? null,
    phase: slot.phase === undefined ? null : slot.phase % 1,
    motionRank: slot.motion_rank ?? null,
    activityRank: slot.activity_rank ?? null,
    contrastRank: slot.contrast_rank ?? null,
    detailRank: slot.detail_rank ?? null,
    lightnessRank: slot.lightness_rank ?? null,
    motion: slot.motion ?? null,
    activity: slot.activity ?? null,
    contrast: slot.contrast ?? null,
    detail: slot.detail ?? null,
    lightness: slot.lightness ?? null,
    size: slot.size ?? null,
    sizeConfidence: slot.size_confidence ?? 0,
    move: slot.move ?? null,
    speaks: slot.speaks ?? false,
    returnsTo: slot.returns_to ?? null,
    transition: transitionOf(slot.transition),
  };
}

function transitionOf(transition: StyleSlot['transition']): SlotTransition | null {
  if (transition === undefined || transition.type === 'cut' || transition.duration_ms === 0) return null;
  const { type, duration_ms, easing, direction } = transition;
  return {
    type,
    durationSeconds: duration_ms / 1000,
    easing,
    ...(direction === undefined ? {} : { direction }),
  };
}

function fallbackEdit(style: Style, tempoBpm: number | null): TemplateEdit {
  const lengths = spreadLengths(style);
  const onBeat = style.source_kind === 'audio' ? SONG_ON_BEAT : DEFAULT_ON_BEAT;
  const onBeatShare = tempoBpm === null ? null : onBeat;
  const types = transitionsOf(style, lengths.length);
  return {
    slots: lengths.map((durationSeconds, at) => ({
      durationSeconds,
      beats: tempoBpm === null ? null : Math.max(0.5, Math.round((durationSeconds * tempoBpm) / 30) / 2),
      phase: tempoBpm === null ? null : 0,
      ...{ motionRank: null, activityRank: null, contrastRank: null, detailRank: null, lightnessRank: null },
      ...{ motion: null, activity: null, contrast: null, detail: null, lightness: null },
      ...{ size: null, sizeConfidence: 0, move: null, speaks: false, returnsTo: null },
      transition: types[at],
    })),
    onBeatShare,
    tempoBpm,
    cutsPerBarByEnergy: null,
  };
}

/** Lengths at even steps of the style's quantiles, in an order without runs of long or short ones. */
function spreadLengths(style: Style): number[] {
  const { shot_lengths: quantiles, cut_frequency: frequency } = style;
  const seconds =
    style.source_duration_seconds > 0
      ? Math.min(style.source_duration_seconds, MAX_FALLBACK_SECONDS)
      : DEFAULT_SECONDS;
  const mean = quantiles?.mean ?? (frequency > 0 ? 1 / frequency : DEFAULT_SHOT_SECONDS);
  const count = Math.max(2, Math.round(seconds / Math.max(0.3, mean)));
  const known = quantiles && [quantiles.p10, quantiles.p25, quantiles.p50, quantiles.p75, quantiles.p90];
  const lengths: number[] = [];
  for (let at = 0; at < count; at++) {
    const share = radicalInverse(at + 1);
    // Without quantiles a log-normal of the spread .5 about the mean (edits seen: .3 to .9), here by its logistic quantile.
    const length = known
      ? quantile(known, (share - 0.1) / 0.8)
      : mean * Math.exp(0.28 * Math.log(share / (1 - share)));
    lengths.push(Math.max(0.3, length));
  }
  if (known) return lengths;
  const scale = seconds / lengths.reduce((sum, length) => sum + length, 0);
  return lengths.map((length) => scale * length);
}

/** Van der Corput's sequence in base 2: evenly spread, each next far from the one before. */
function radicalInverse(index: number): number {
  let [value, digit] = [0, 0.5];
  for (let rest = index; rest > 0; rest >>= 1) {
    if (rest & 1) value += digit;
    digit /= 2;
  }
  return value;
}

/** The style's mix of transitions spread evenly over the slots; the first has none. */
function transitionsOf(style: Style, count: number): (SlotTransition | null)[] {
  const result: (SlotTransition | null)[] = Array.from({ length: count }, () => null);
  const primary = style.primary_transition;
  for (const [type, share] of Object.entries(style.transition_mix ?? {})) {
    if (type === 'cut' || share === undefined) continue;
    const isPrimary = primary?.type === type;
    const transition: SlotTransition = {
      type: type as SlotTransition['type'],
      durationSeconds: isPrimary && primary.duration_ms > 0 ? primary.duration_ms / 1000 : 0.5,
      easing: isPrimary ? primary.easing : 'linear',
    };
    const wanted = Math.round(share * (count - 1));
    for (let at = 0; at < wanted; at++) {
      const near = 1 + Math.floor(((at + 0.5) * (count - 1)) / wanted);
      const free = result.findIndex((taken, slot) => slot >= near && taken === null);
      if (free > 0) result[free] = transition;
    }
  }
  return result;
}
