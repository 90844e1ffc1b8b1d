/** How each field of several styles becomes one field. */
import type { Style, StyleField } from '../model/schema.ts';
import { centralColor, mergedLook, mergedPalette, mergedStatistics } from './merged-color.ts';
import type { TraitPart } from './traits.ts';
import {
  having,
  majority,
  medianOf,
  toFieldStep,
  totalWeight,
  type Weighted,
  weightedMean,
  weightedMedian,
} from './weighted.ts';

type Value<Field extends StyleField> = NonNullable<Style[Field]>;
type Merge<Field extends StyleField> = (values: readonly Weighted<Value<Field>>[]) => Value<Field>;
/** The part whose confidence applies to the field, and its merge. */
type Rule<Field extends StyleField> = { readonly part: TraitPart; readonly merge: Merge<Field> };

const median = (values: readonly Weighted<number>[]) => toFieldStep(weightedMedian(values));
const most = <Word extends string | number | boolean>(values: readonly Weighted<Word>[]): Word =>
  majority(values)!;

/**
 * Medians of numbers, mixtures of shares, the majority of categories. `single`: cannot be averaged and comes from the
 * template that is nearest to all. `derived`: follows from others. `left_out`: belongs to one song.
 */
export const MERGE_RULES = {
  version: 'derived',
  created_at: 'derived',
  source_kind: 'derived',
  source_duration_seconds: 'derived',
  extraction_confidence: 'derived',
  confidence: 'derived',
  consensus: 'derived',
  detected_beats: 'left_out',
  tempo_alternatives: 'left_out',
  fingerprint: 'left_out',
  edit: 'single',
  aspect_ratio: { part: 'shape', merge: most },
  frame_rate: { part: 'shape', merge: most },
  cut_frequency: { part: 'pacing', merge: median },
  shot_lengths: { part: 'pacing', merge: mergedLengths },
  cuts_on_beat: { part: 'pacing', merge: median },
  primary_transition: { part: 'transitions', merge: mergedTransition },
  transition_mix: { part: 'transitions', merge: mixture },
  transition_color: { part: 'transitions', merge: centralColor },
  motion_intensity: { part: 'motion', merge: median },
  zoom_usage: { part: 'motion', merge: median },
  camera_shake: { part: 'motion', merge: median },
  tempo_bpm: { part: 'audio', merge: median },
  music_genre: { part: 'audio', merge: most },
  audio_style: { part: 'audio', merge: mergedSound },
  loudness_range_lu: { part: 'audio', merge: median },
  true_peak_dbtp: { part: 'audio', merge: median },
  spectrum: { part: 'audio', merge: mergedSpectrum },
  talk: { part: 'audio', merge: mergedTalk },
  use_subtitles: { part: 'subtitles', merge: most },
  subtitle_style: { part: 'subtitles', merge: mergedCaptions },
  title_style: { part: 'subtitles', merge: mergedTitles },
  color_grade: { part: 'color', merge: mergedDials },
  look: { part: 'color', merge: mergedLook },
  palette: { part: 'color', merge: mergedPalette },
  color_statistics: { part: 'color', merge: mergedStatistics },
} as const satisfies {
  readonly [Field in StyleField]: Rule<Field> | 'single' | 'derived' | 'left_out';
};

function mergedDials(grades: readonly Weighted<Value<'color_grade'>>[]): Value<'color_grade'> {
  const dial = (name: 'temperature' | 'tint' | 'saturation' | 'contrast' | 'highlights' | 'shadows') =>
    medianOf(grades, (grade) => grade[name])!;
  return {
    temperature: dial('temperature'),
    tint: dial('tint'),
    saturation: dial('saturation'),
    contrast: dial('contrast'),
    highlights: dial('highlights'),
    shadows: dial('shadows'),
  };
}

/** Medians of the quantiles ascend like the quantiles. */
function mergedLengths(lengths: readonly Weighted<Value<'shot_lengths'>>[]): Value<'shot_lengths'> {
  const quantile = (name: 'p10' | 'p25' | 'p50' | 'p75' | 'p90' | 'mean') =>
    medianOf(lengths, (one) => one[name])!;
  return {
    p10: quantile('p10'),
    p25: quantile('p25'),
    p50: quantile('p50'),
    p75: quantile('p75'),
    p90: quantile('p90'),
    mean: quantile('mean'),
  };
}

/** The most frequent type, with the median duration and the most frequent easing of the templates that have it. */
function mergedTransition(
  transitions: readonly Weighted<Value<'primary_transition'>>[],
): Value<'primary_transition'> {
  const type = most(having(transitions, (one) => one.type));
  const same = transitions.filter(({ value }) => value.type === type);
  return {
    type,
    duration_ms: Math.round(weightedMedian(having(same, (one) => one.duration_ms))),
    easing: most(having(same, (one) => one.easing)),
  };
}

function mixture(mixes: readonly Weighted<Value<'transition_mix'>>[]): Value<'transition_mix'> {
  const types = [...new Set(mixes.flatMap(({ value }) => Object.keys(value)))].sort();
  return Object.fromEntries(
    types.map((type) => [
      type,
      toFieldStep(weightedMean(having(mixes, (mix) => mix[type as keyof typeof mix] ?? 0))),
    ]),
  );
}

function mergedSound(sounds: readonly Weighted<Value<'audio_style'>>[]): Value<'audio_style'> {
  return {
    normalization_level: medianOf(sounds, (sound) => sound.normalization_level)!,
    compression_ratio: medianOf(sounds, (sound) => sound.compression_ratio)!,
    bass_boost: medianOf(sounds, (sound) => sound.bass_boost)!,
    enhance_speech: most(having(sounds, (sound) => sound.enhance_speech)),
  };
}

/** Spectra of the most common bands. */
function mergedSpectrum(spectra: readonly Weighted<Value<'spectrum'>>[]): Value<'spectrum'> {
  const bands = most(having(spectra, (one) => one.centres_hz.join()));
  const same = spectra.filter(({ value }) => value.centres_hz.join() === bands);
  const { centres_hz } = same[0]!.value;
  return {
    centres_hz,
    levels_db: centres_hz.map((_, at) => medianOf(same, (one) => one.levels_db[at]) ?? 0),
  };
}

function mergedTalk(talks: readonly Weighted<Value<'talk'>>[]): Value<'talk'> {
  const pause = (name: 'p10' | 'p25' | 'p50' | 'p75' | 'p90') => medianOf(talks, (one) => one.pauses[name])!;
  const p90 = pause('p90');
  // Of other templates than the ninth decile, where some have none.
  const longest = medianOf(talks, (one) => one.pauses.longest);
  return {
    pauses: {
      p10: pause('p10'),
      p25: pause('p25'),
      p50: pause('p50'),
      p75: pause('p75'),
      p90,
      ...(longest !== undefined && { longest: Math.max(longest, p90) }),
    },
    pauses_per_minute: medianOf(talks, (one) => one.pauses_per_minute)!,
    confidence: medianOf(talks, (one) => one.confidence)!,
  };
}

/** Captions at the most frequent position. */
function mergedCaptions(styles: readonly Weighted<Value<'subtitle_style'>>[]): Value<'subtitle_style'> {
  const position = most(having(styles, (one) => one.position));
  const same = styles.filter(({ value }) => value.position === position);
  const optional = {
    boxed: majority(having(same, (one) => one.boxed)),
    stroke_width: medianOf(same, (one) => one.stroke_width),
    anchor_y: medianOf(same, (one) => one.anchor_y),
    timing: majority(having(same, (one) => one.timing)),
  };
  return {
    position,
    line_height: medianOf(same, (one) => one.line_height)!,
    color: centralColor(having(same, (one) => one.color)),
    outlined: most(having(same, (one) => one.outlined)),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

type TitleStyle = Value<'title_style'>;
type TitleAnimation = NonNullable<TitleStyle['animation_in']>;

/** Box and animations that at least half of the templates with titles have. */
function mergedTitles(styles: readonly Weighted<TitleStyle>[]): TitleStyle {
  const boxes = having(styles, (one) => one.box);
  const appear = having(styles, (one) => one.animation_in);
  const disappear = having(styles, (one) => one.animation_out);
  const confidence = (values: readonly Weighted<{ readonly confidence: number }>[]) =>
    medianOf(values, (one) => one.confidence)!;
  const animation = (values: readonly Weighted<TitleAnimation>[]): TitleAnimation => {
    const type = most(having(values, (one) => one.type));
    const same = values.filter(({ value }) => value.type === type);
    const sides = having(same, (one) => one.side);
    const distance = medianOf(same, (one) => one.distance);
    return {
      type,
      duration_ms: Math.round(medianOf(same, (one) => one.duration_ms)!),
      ...(sides.length === 0 ? {} : { side: most(sides) }),
      ...(distance === undefined ? {} : { distance }),
      confidence: confidence(same),
    };
  };
  return {
    ...mergedCaptions(styles),
    ...(isPresent(boxes, styles) && {
      box: {
        color: centralColor(having(boxes, (one) => one.color)),
        opacity: medianOf(boxes, (one) => one.opacity)!,
        confidence: confidence(boxes),
      },
    }),
    ...(isPresent(appear, styles) && { animation_in: animation(appear) }),
    ...(isPresent(disappear, styles) && { animation_out: animation(disappear) }),
  };
}

/** Whether enough templates have a field for the merged style to have it: not fewer than half of those that could. */
export function isPresent(
  values: readonly Weighted<unknown>[],
  possible: readonly Weighted<unknown>[],
): boolean {
  return values.length > 0 && 2 * totalWeight(values) >= totalWeight(possible);
}
