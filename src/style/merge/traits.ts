/** How near two styles are, field by field: the agreement of templates, and which of several styles a clip has. */

import { ratioOf } from '../model/aspect-ratio.ts';
import { hasPicture, isMeasured, isOfMovingPictures, type StylePart } from '../model/measured-parts.ts';
import type { Style, StyleField } from '../model/schema.ts';

/** Parts of a style that templates can differ in; `shape`: the picture's ratio and rate. */
export type TraitPart = StylePart | 'shape';

export interface Trait {
  readonly field: StyleField;
  readonly part: TraitPart;
  /** In units of a difference that a viewer notices; null: one of the styles lacks the field. */
  readonly distance: (one: Style, other: Style) => number | null;
}

/** Of two different categories: as three noticeable differences, so that closeness is .1. */
const OTHER_CATEGORY = 3;
/** Noticeable differences. Dials: `MIN_VISIBLE` of `style-sentence.ts`. Lab units: a cast, a lightness beside another. */
const NOTICED = {
  dial: 15,
  cast: 5,
  lightness: 8,
  share: 0.2,
  intensity: 0.15,
  /** Factors of e. Lengths of shots: 1.5; shake: 2; tempo: 4 %, as the two tempo estimators may differ. */
  length: Math.log(1.5),
  shake: Math.log(2),
  tempo: Math.log(1.04),
  ratio: Math.log(1.05),
  decibel: 4,
} as const;
/** Added before logarithms: below these values less is not noticed. */
const LEAST_RATE = 0.02;
const LEAST_SECONDS = 0.1;
const LEAST_SHAKE = 0.003;

const DIALS = ['temperature', 'tint', 'saturation', 'contrast', 'highlights', 'shadows'] as const;
const QUANTILES = ['p10', 'p25', 'p50', 'p75', 'p90'] as const;

export const TRAITS: readonly Trait[] = [
  of('color', 'color_grade', (one, other) =>
    rms(DIALS.map((dial) => (one[dial] - other[dial]) / NOTICED.dial)),
  ),
  of('color', 'color_statistics', (one, other) =>
    rms([
      ...one.lightness_percentiles.map(
        (value, at) => (value - other.lightness_percentiles[at]!) / NOTICED.lightness,
      ),
      ...one.mean_ab.map((value, axis) => (value - other.mean_ab[axis]!) / NOTICED.cast),
    ]),
  ),
  of('pacing', 'cut_frequency', (one, other) => logDifference(one, other, LEAST_RATE) / NOTICED.length),
  of('pacing', 'shot_lengths', (one, other) =>
    rms(QUANTILES.map((name) => logDifference(one[name], other[name], LEAST_SECONDS) / NOTICED.length)),
  ),
  of('pacing', 'cuts_on_beat', (one, other) => Math.abs(one - other) / NOTICED.share),
  of('transitions', 'primary_transition', (one, other) => category(one.type, other.type)),
  of('transitions', 'transition_mix', (one, other) => {
    const types = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof typeof one>;
    return (
      [...types].reduce((sum, type) => sum + Math.abs((one[type] ?? 0) - (other[type] ?? 0)), 0) /
      (2 * NOTICED.share)
    );
  }),
  of('motion', 'motion_intensity', (one, other) => Math.abs(one - other) / NOTICED.intensity),
  of('motion', 'zoom_usage', (one, other) => Math.abs(one - other) / NOTICED.share),
  of('motion', 'camera_shake', (one, other) => logDifference(one, other, LEAST_SHAKE) / NOTICED.shake),
  of('audio', 'audio_style', (one, other) =>
    rms([
      (one.normalization_level - other.normalization_level) / NOTICED.decibel,
      (one.bass_boost - other.bass_boost) / NOTICED.decibel,
      one.enhance_speech === other.enhance_speech ? 0 : OTHER_CATEGORY,
    ]),
  ),
  of('audio', 'loudness_range_lu', (one, other) => Math.abs(one - other) / NOTICED.decibel),
  of('audio', 'tempo_bpm', (one, other) => Math.abs(Math.log(one / other)) / NOTICED.tempo),
  of('audio', 'music_genre', category),
  of('audio', 'spectrum', (one, other) =>
    one.centres_hz.join() === other.centres_hz.join() && one.levels_db.length === other.levels_db.length
      ? rms(one.levels_db.map((level, at) => (level - other.levels_db[at]!) / NOTICED.decibel))
      : null,
  ),
  of('subtitles', 'use_subtitles', category),
  of('subtitles', 'subtitle_style', (one, other) => category(one.position, other.position)),
  of(
    'shape',
    'aspect_ratio',
    (one, other) => Math.abs(Math.log(ratioOf(one) / ratioOf(other))) / NOTICED.ratio,
  ),
  of('shape', 'frame_rate', category),
];

/** 1: the same; .5: a noticeable difference. */
export function closeness(distance: number): number {
  return 1 / (1 + distance * distance);
}

/** Whether a file of this kind shows the part at all, and the part was measured. */
export function canShow(style: Style, part: TraitPart, field: StyleField): boolean {
  if (part === 'shape') return field === 'aspect_ratio' ? hasPicture(style) : isOfMovingPictures(style);
  if (part === 'audio') return style.source_kind !== 'image';
  const isShown = part === 'color' ? hasPicture(style) : isOfMovingPictures(style);
  return isShown && isMeasured(style, part);
}

/** Mean closeness of the fields that both styles have, each counted as `weightOf` says; null: they have none in common. */
export function likeness(
  one: Style,
  other: Style,
  weightOf: (trait: Trait) => number = () => 1,
): number | null {
  let [sum, weights] = [0, 0];
  for (const trait of TRAITS) {
    if (!canShow(one, trait.part, trait.field) || !canShow(other, trait.part, trait.field)) continue;
    const distance = trait.distance(one, other);
    if (distance === null) continue;
    sum += weightOf(trait) * closeness(distance);
    weights += weightOf(trait);
  }
  return weights === 0 ? null : sum / weights;
}

/** A trait whose distance is that of a field which both styles have. */
function of<Field extends StyleField>(
  part: TraitPart,
  field: Field,
  distance: (one: NonNullable<Style[Field]>, other: NonNullable<Style[Field]>) => number | null,
): Trait {
  return {
    ...{ field, part },
    distance: (one, other) => {
      const [first, second] = [one, other].map(
        (style) => style[field] as NonNullable<Style[Field]> | undefined,
      );
      return first === undefined || second === undefined ? null : distance(first, second);
    },
  };
}

function category(one: unknown, other: unknown): number {
  return one === other ? 0 : OTHER_CATEGORY;
}

function logDifference(one: number, other: number, least: number): number {
  return Math.abs(Math.log((one + least) / (other + least)));
}

function rms(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
