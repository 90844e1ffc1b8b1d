import { ratioOf } from './aspect-ratio.ts';
import { colorName } from './color-name.ts';
import { isMeasured, type StylePart } from './measured-parts.ts';
import type { Style } from './schema.ts';
import { transitionWord } from './transition-words.ts';

/**
 * A style in one sentence, in an editor's words: "Warm, hard contrast, a cut every 1.6 s on the beat, 150 BPM".
 * It names distinctive and confident values; ordinary and doubtful ones are left out. Sound alone needs only the
 * sound's fields. Without imports from Node: pages use it too.
 */
export function styleSentence(style: Partial<Style>): string {
  const phrases = phrasesOf(style);
  const text = phrases.length === 0 ? 'nothing stands out' : phrases.join(', ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function phrasesOf(style: Partial<Style>): string[] {
  switch (style.source_kind) {
    case 'image':
      return ['a still picture', ...colorWords(style), ...shapeWords(style)];
    case 'audio':
      return ['sound alone', ...soundWords(style)];
    default:
      return [
        ...colorWords(style),
        ...[...cutWords(style), ...cameraWords(style), ...captionWords(style)],
        ...shapeWords(style),
        ...soundWords(style),
      ];
  }
}

/** Least confidence of a measured part. */
const MIN_CONFIDENCE = 0.5;
/** The same for a rate of cuts: 2.7 s of a clip have it. */
const MIN_PACE_CONFIDENCE = 0.3;
/** Loudness and voices are valid for clips of any length: 4.5 s of sound. */
const MIN_SOUND_CONFIDENCE = 0.3;

/** Authored parts have no confidence: they are certain. */
function isConfident(style: Partial<Style>, part: StylePart, least: number = MIN_CONFIDENCE): boolean {
  return Number(style.confidence?.[part] ?? 1) >= least;
}

/**
 * Least visible dial. Overcast roofs with contrast −17 look flat, an edit
 * graded by `contrast=1.12` has 18, ungraded clips lie within ±10. A tint of 22 was invisible in two of two
 * clips.
 */
const MIN_VISIBLE = {
  temperature: 15,
  tint: 30,
  saturation: 18,
  contrast: 15,
  highlights: 20,
  shadows: 20,
} as const;
/** Least dial that is called very strong. */
const MIN_STRONG = 50;
const DIAL_WORDS = [
  ['temperature', 'cool', 'warm'],
  ['tint', 'green tint', 'magenta tint'],
  ['saturation', 'muted color', 'vivid color'],
  ['contrast', 'soft contrast', 'hard contrast'],
  ['shadows', 'deep blacks', 'lifted blacks'],
  ['highlights', 'dimmed highlights', 'bright highlights'],
] as const;
/** More words would be a list. */
const MAX_COLOR_WORDS = 3;
/** An authored dial for black and white; measured film without color has less (−40 to −50). */
const COLORLESS_DIAL = -85;
/**
 * Largest chroma of a film without color (CIELAB): two black-and-white films have 0.0 and 0.3, the palest of a
 * dozen in color 5.7.
 */
const COLORLESS_CHROMA = 2;

/** At most three words on its picture: `warm`, `hard contrast`. */
export function colorWords(style: Partial<Style>): string[] {
  const { color_grade: grade, look } = style;
  if (grade === undefined || !isMeasured(style, 'color')) return [];
  const colorless = isColorless(style);
  const words = colorless ? ['black and white'] : [];
  if (!isConfident(style, 'color') || (look?.confidence ?? 1) < MIN_CONFIDENCE) return words;
  for (const [dial, below, above] of DIAL_WORDS) {
    const value = grade[dial];
    const needsColor = dial === 'temperature' || dial === 'tint' || dial === 'saturation';
    if ((colorless && needsColor) || Math.abs(value) < MIN_VISIBLE[dial]) continue;
    words.push(`${Math.abs(value) >= MIN_STRONG ? 'very ' : ''}${value < 0 ? below : above}`);
  }
  return words.slice(0, MAX_COLOR_WORDS);
}

function isColorless({ color_grade: grade, color_statistics: statistics }: Partial<Style>): boolean {
  if (grade !== undefined && grade.saturation <= COLORLESS_DIAL) return true;
  if (statistics === undefined) return false;
  const [a, b] = statistics.mean_ab;
  const [aa, , bb] = statistics.covariance_ab;
  return Math.hypot(a, b) + Math.sqrt(aa + bb) < COLORLESS_CHROMA;
}

/** Fewer changes of shot are counted instead of having a rate. */
const MIN_CHANGES = 3;
/** Share from which hard cuts, or one type of transition, are most of the changes. */
const MAJORITY = 0.5;
/** Least cuts on the beat beyond chance, as a share and as a number. */
const MIN_ON_BEAT_SHARE = 0.3;
const MIN_CUTS_ON_BEAT = 2;

type Mix = NonNullable<Style['transition_mix']>;

/** A fade through white up to this long looks like a flash. */
const MAX_FLASH_MS = 400;

function cutWords(style: Partial<Style>): string[] {
  const { cut_frequency: rate, source_duration_seconds: seconds = 0 } = style;
  if (rate === undefined || !isMeasured(style, 'pacing')) return [];
  if (rate === 0) return [isAuthored(style) ? 'no cuts' : 'one shot'];
  const mix = isConfident(style, 'transitions') ? sharesOf(style.transition_mix) : [];
  const changes = Math.round(rate * seconds);
  if (seconds > 0 && changes < MIN_CHANGES) return [countedChanges(style, changes, mix)];
  if (!isConfident(style, 'pacing', MIN_PACE_CONFIDENCE)) return [];
  const noun = cutShare(style) >= MAJORITY ? 'cut' : 'change of shot';
  return [
    `a ${noun} every ${secondsText(1 / rate)}${areCutsOnBeat(style) ? ' on the beat' : ''}`,
    ...transitionWords(style, mix),
  ];
}

/** Whether enough cuts are on the beat to mention it. */
export function areCutsOnBeat(style: Partial<Style>): boolean {
  const {
    cut_frequency: rate = 0,
    source_duration_seconds: seconds = 0,
    cuts_on_beat: beyondChance = 0,
  } = style;
  const cuts = Math.round(rate * seconds) * cutShare(style);
  return beyondChance >= MIN_ON_BEAT_SHARE && (seconds === 0 || beyondChance * cuts >= MIN_CUTS_ON_BEAT);
}

/** Share of hard cuts among the changes of shot, 0..1. */
function cutShare({ transition_mix: mix }: Partial<Style>): number {
  return mix === undefined ? 1 : (mix.cut ?? 0);
}

function isAuthored({ confidence }: Partial<Style>): boolean {
  return confidence === undefined;
}

/** The types of the mix, the most frequent first. */
function sharesOf(mix: Mix | undefined): [keyof Mix, number][] {
  return (Object.entries(mix ?? {}) as [keyof Mix, number][])
    .filter(([, share]) => share > 0)
    .sort((one, other) => other[1] - one[1]);
}

function countedChanges(style: Partial<Style>, changes: number, mix: readonly [keyof Mix, number][]): string {
  const [only, second] = mix;
  const number = changes === 2 ? 'two' : 'one';
  if (only === undefined) return changes === 2 ? 'two changes of shot' : 'one change of shot';
  if (second !== undefined) return `one ${nameOf(style, only[0])} and one ${nameOf(style, second[0])}`;
  return `${number} ${nameOf(style, only[0], changes === 2)}`;
}

/** Empty if all are hard cuts, the default. */
function transitionWords(style: Partial<Style>, mix: readonly [keyof Mix, number][]): string[] {
  const gradual = mix.filter(([type]) => type !== 'cut');
  const [first, second] = gradual;
  if (first === undefined) return [];
  const name = nameOf(style, first[0], true);
  const cuts = mix.find(([type]) => type === 'cut')?.[1] ?? 0;
  const others = second === undefined ? name : `${name} and ${nameOf(style, second[0], true)}`;
  if (cuts >= MAJORITY) return ['mostly hard cuts', `some ${others}`];
  if (second === undefined && cuts === 0) return [`all of them ${name}`];
  return [first[1] >= MAJORITY ? `mostly ${name}` : 'cuts and transitions of many kinds'];
}

function nameOf(style: Partial<Style>, type: keyof Mix, many = false): string {
  const { primary_transition: primary, transition_color: color } = style;
  if (type === 'fade_white' && primary?.type === type && primary.duration_ms <= MAX_FLASH_MS)
    return many ? 'flashes of white' : 'flash of white';
  const name = transitionWord(type, many ? 2 : 1);
  return type === 'fade_color' && color !== undefined ? name.replace('a color', colorName(color)) : name;
}

/** Frame diagonals per second: a tripod has less than 0.006, a hand 0.025 or more (`docs/style-motion.md`). */
const MAX_STEADY_SHAKE = 0.01;
const MIN_HAND_SHAKE = 0.025;
/** Least share of the time with a zoom, or with a punch-in at a cut. */
const MIN_ZOOM_SHARE = 0.3;
/** Least `motion_intensity` that is called much movement. */
const MIN_LIVELY_MOTION = 0.6;

function cameraWords(style: Partial<Style>): string[] {
  const { camera_shake: shake, zoom_usage: zooms = 0, motion_intensity: motion = 0 } = style;
  if (!isConfident(style, 'motion')) return [];
  const words: string[] = [];
  if (shake !== undefined && shake >= MIN_HAND_SHAKE) words.push('handheld');
  else if (shake !== undefined && shake < MAX_STEADY_SHAKE) words.push('steady camera');
  if (zooms >= MIN_ZOOM_SHARE) words.push('zooms');
  if (motion >= MIN_LIVELY_MOTION && words[0] !== 'handheld') words.push('much movement');
  return words;
}

function captionWords(style: Partial<Style>): string[] {
  const { use_subtitles: used, subtitle_style: look } = style;
  if (used !== true || !isConfident(style, 'subtitles')) return [];
  if (look === undefined) return ['captions'];
  const place = look.position === 'middle' ? 'in the middle' : `at the ${look.position}`;
  return [`captions ${look.timing === 'words' ? 'word by word ' : ''}${place}`];
}

/** Ratios with a one-number name. */
const WIDE_NAMES: Readonly<Record<string, string>> = {
  '37:20': '1.85:1',
  '47:20': '2.35:1',
  '64:27': '2.37:1',
  '239:100': '2.39:1',
};
/** From this ratio on a picture is called wide: 16:9 is 1.78. */
const MIN_WIDE_RATIO = 1.8;

function shapeWords({ aspect_ratio: text }: Partial<Style>): string[] {
  if (text === undefined) return [];
  const ratio = ratioOf(text);
  // Unfamiliar fractions, such as 113:213, say less than the word.
  const known = text.length <= 5 ? ` ${text}` : '';
  if (ratio < 1) return [`upright${known}`];
  if (ratio === 1) return ['square'];
  if (ratio > MIN_WIDE_RATIO) return [`wide ${WIDE_NAMES[text] ?? `${ratio.toFixed(2)}:1`}`];
  return text === '16:9' || known === '' ? [] : [text];
}

/** LUFS: streaming services reduce louder sound to −14; broadcast is at −23. */
const MIN_LOUD_LUFS = -11;
const MAX_QUIET_LUFS = -28;
const NOT_MUSIC: readonly Style['music_genre'][] = ['speech', 'silence', 'unknown', undefined];

function soundWords(style: Partial<Style>): string[] {
  const { confidence, music_genre: genre, tempo_bpm: tempo, audio_style: audio } = style;
  if (style.cut_frequency !== undefined && confidence !== undefined && confidence.audio === undefined)
    return ['no sound'];
  if (genre === 'silence') return ['silent'];
  const kind = NOT_MUSIC.includes(genre) ? null : genre!.replace('hip_hop', 'hip-hop');
  const words: string[] = [];
  if (tempo !== undefined) words.push(`${Math.round(tempo)} BPM${kind === null ? '' : ` ${kind}`}`);
  else if (kind !== null) words.push(kind === 'ambient' ? 'ambient sound' : `${kind} music`);
  if (!isConfident(style, 'audio', MIN_SOUND_CONFIDENCE)) return words;
  if (genre === 'speech' || (isAuthored(style) && audio?.enhance_speech === true)) words.push('speech');
  const level = audio?.normalization_level;
  if (level !== undefined && (level >= MIN_LOUD_LUFS || level <= MAX_QUIET_LUFS))
    words.push(
      `${level >= MIN_LOUD_LUFS ? 'loud' : 'quiet'} (${level < 0 ? '−' : ''}${Math.abs(level).toFixed(0)} LUFS)`,
    );
  return words;
}

/** A length in words: `1.6 s`, `13 s`, `1.7 min`. */
export function secondsText(seconds: number): string {
  if (seconds >= 90) return `${Number((seconds / 60).toFixed(1))} min`;
  return `${seconds < 9.95 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`;
}
