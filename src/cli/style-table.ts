/** The findings of a clip, or the values of a style, as rows for a reader: a name, a value with its unit. */
import { isMeasured, neutralFields, type StylePart } from '../style/model/measured-parts.ts';
import type { Style } from '../style/model/schema.ts';
import { transitionWord } from '../style/model/transition-words.ts';

/** A Style DNA, or its fields and those of an analysis; of sound alone the sound's. */
export type Findings = Partial<Style> & {
  readonly duration_seconds?: number;
  readonly cuts?: readonly number[];
  readonly integrated_lufs?: number | null;
  readonly speech_share?: number;
  readonly tempo_confidence?: number;
};

interface Measure {
  readonly name: string;
  /** The part of the style with the row's confidence. */
  readonly part?: StylePart;
  /** Left out of comparisons, because it differs between any two clips. */
  readonly isOfClip?: true;
  readonly text: (found: Findings) => string | null | undefined;
  /** The quantity of a difference, in the unit that follows. */
  readonly number?: (found: Findings) => number | null | undefined;
  readonly unit?: string;
  readonly digits?: number;
}

/** Below this confidence a row shows its confidence. */
const DOUBTFUL = 0.5;
const MAX_COLORS = 5;
const DIALS = ['temperature', 'tint', 'contrast', 'saturation', 'highlights', 'shadows'] as const;

function numeric(
  name: string,
  number: NonNullable<Measure['number']>,
  unit: string,
  more: Partial<Measure> = {},
): Measure {
  const { digits = 1 } = more;
  const text: Measure['text'] = (found) => {
    const value = number(found);
    return value == null ? null : joined(fixed(value, digits), unit);
  };
  return { name, number, unit, digits, text, ...more };
}

const MEASURES: readonly Measure[] = [
  numeric('Length', (found) => found.duration_seconds ?? found.source_duration_seconds, 's', {
    isOfClip: true,
  }),
  { name: 'Shape', text: ({ aspect_ratio }) => aspect_ratio },
  numeric('Frame rate', ({ frame_rate }) => frame_rate, 'frames/s', { digits: 2 }),
  numeric('Cuts', ({ cuts }) => cuts?.length, '', { digits: 0, isOfClip: true }),
  numeric(
    'Pace',
    ({ cut_frequency }) => (cut_frequency === undefined ? null : 60 * cut_frequency),
    'changes/min',
    {
      part: 'pacing',
    },
  ),
  numeric('Middle shot', ({ shot_lengths }) => shot_lengths?.p50, 's', { part: 'pacing' }),
  {
    name: 'Most shots',
    part: 'pacing',
    text: ({ shot_lengths: lengths }) =>
      lengths === undefined ? null : `${fixed(lengths.p10, 1)} to ${fixed(lengths.p90, 1)} s`,
  },
  numeric(
    'On the beat',
    ({ cuts_on_beat: share }) => (share === undefined ? null : 100 * share),
    '% of cuts more than by chance',
    { part: 'pacing', digits: 0 },
  ),
  { name: 'Transitions', part: 'transitions', text: transitionsText },
  numeric(
    'Movement',
    ({ motion_intensity: share }) => (share === undefined ? null : 100 * share),
    '% (0: still)',
    {
      part: 'motion',
      digits: 0,
    },
  ),
  numeric('Zooms', ({ zoom_usage: share }) => (share === undefined ? null : 100 * share), '% of the time', {
    part: 'motion',
    digits: 0,
  }),
  ...DIALS.map((dial) =>
    numeric(dial[0].toUpperCase() + dial.slice(1), ({ color_grade }) => color_grade?.[dial], 'of 100', {
      part: 'color',
      digits: 0,
    }),
  ),
  { name: 'Palette', isOfClip: true, text: paletteText },
  { name: 'Captions', part: 'subtitles', text: captionsText },
  numeric('Tempo', ({ tempo_bpm }) => tempo_bpm, 'BPM', {
    text: ({ tempo_bpm: bpm, tempo_confidence: sure }) => {
      if (bpm === undefined) return null;
      return `${fixed(bpm, 1)} BPM${sure === undefined || sure >= DOUBTFUL ? '' : doubt(sure)}`;
    },
  }),
  numeric(
    'Loudness',
    ({ integrated_lufs, audio_style }) => integrated_lufs ?? audio_style?.normalization_level,
    'LUFS',
    { part: 'audio' },
  ),
  numeric('Loudness range', ({ loudness_range_lu }) => loudness_range_lu, 'LU', { part: 'audio' }),
  numeric('Peak', ({ true_peak_dbtp }) => true_peak_dbtp, 'dBTP', { part: 'audio' }),
  numeric(
    'Speech',
    ({ speech_share: share }) => (share === undefined ? null : 100 * share),
    '% of the time',
    {
      isOfClip: true,
      digits: 0,
    },
  ),
  {
    name: 'Music',
    text: ({ music_genre: genre }) => (genre === 'unknown' ? null : genre?.replaceAll('_', ' ')),
  },
];

const NAME_WIDTH = Math.max(...MEASURES.map(({ name }) => name.length)) + 2;

/** One line per finding; uncertain ones show their confidence. */
export function findingsTable(findings: Findings): string {
  const found = withoutNeutral(findings);
  return MEASURES.flatMap((measure) => {
    const text = textOf(measure, found);
    if (text === null) return [];
    const sure = measure.part === undefined ? 1 : Number(found.confidence?.[measure.part] ?? 1);
    return [`  ${measure.name.padEnd(NAME_WIDTH)}${text}${sure < DOUBTFUL ? doubt(sure) : ''}`];
  }).join('\n');
}

export interface ComparedRow {
  readonly name: string;
  /** Null: not found. */
  readonly first: string | null;
  readonly second: string | null;
  /** Second less first, in the row's unit; null: it is no number, or one is missing. */
  readonly difference: number | null;
  readonly unit: string;
}

/** The values of both, side by side. */
export function comparedRows(one: Findings, other: Findings): readonly ComparedRow[] {
  const [first, second] = [withoutNeutral(one), withoutNeutral(other)];
  return MEASURES.filter(({ isOfClip }) => isOfClip === undefined).flatMap((measure) => {
    const texts = [textOf(measure, first), textOf(measure, second)] as const;
    if (texts[0] === null && texts[1] === null) return [];
    const [from, to] = texts.map((text, index) =>
      text === null ? null : (measure.number?.(index === 0 ? first : second) ?? null),
    ) as [number | null, number | null];
    const difference = from === null || to === null ? null : Number((to - from).toFixed(measure.digits));
    return [{ name: measure.name, first: texts[0], second: texts[1], difference, unit: measure.unit ?? '' }];
  });
}

/** Without required fields that have only their neutral value. */
function withoutNeutral(found: Findings): Findings {
  const neutral = neutralFields(found);
  return Object.fromEntries(Object.entries(found).filter(([name]) => !neutral.includes(name)));
}

function textOf({ part, text }: Measure, found: Findings): string | null {
  return part !== undefined && !isMeasured(found, part) ? null : (text(found) ?? null);
}

function transitionsText({ transition_mix: mix, primary_transition: primary }: Findings): string | null {
  const shares = Object.entries(mix ?? {})
    .filter(([, share]) => Number(share) >= 0.005)
    .sort(([, one], [, other]) => Number(other) - Number(one))
    .map(([type, share]) => `${Math.round(100 * Number(share))} % ${transitionWord(type, 2)}`);
  const duration = primary !== undefined && primary.duration_ms > 0 ? ` of ${primary.duration_ms} ms` : '';
  return shares.length === 0 ? null : `${shares.join(', ')}${duration}`;
}

function paletteText({ palette = [] }: Findings): string | null {
  const shown = palette.slice(0, MAX_COLORS).map(({ hex, weight }) => `${hex} ${Math.round(100 * weight)} %`);
  return shown.length === 0 ? null : shown.join(', ');
}

function captionsText({ use_subtitles, subtitle_style: style }: Findings): string | null {
  if (use_subtitles === undefined) return null;
  if (!use_subtitles) return 'none';
  if (style === undefined) return 'yes';
  const ground = style.boxed === true ? ', boxed' : style.outlined ? ', outlined' : '';
  return `${style.position}, ${style.color}${ground}, ${(100 * style.line_height).toFixed(1)} % of the height`;
}

function doubt(confidence: number): string {
  return `  (doubtful: confidence ${confidence.toFixed(2)})`;
}

/** A figure and its unit. */
function joined(figure: string, unit: string): string {
  return unit === '' ? figure : `${figure} ${unit}`;
}

/** Formatted with the minus sign "−". */
export function fixed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits))).replace('-', '−');
}
