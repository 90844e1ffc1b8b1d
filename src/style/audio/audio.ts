import type { AudioFacts } from '../../analysis/facts.ts';
import { crestOfRatio, rangeOfRatio } from '../model/audio-measures.ts';
import { isMeasured } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import { levelShareOf } from '../model/strength.ts';
import type { AudioPlan } from '../model/timeline.ts';
import { equalizerTowards, speaks } from './equalizer.ts';

/** What streaming services play at: the target where no style gives one. */
const COMMON_LUFS = -14;
const TRUE_PEAK_DBTP = -1;
/** A style quieter than this is of a room, not of sound: nobody wants to strain for what is said. */
const MIN_LUFS = -36;
/** A limiter at −1 dBTP cannot keep a louder one clean. */
const MAX_LUFS = -7;
/** Speech louder than this has lost its syllables, and its pauses are noise; narrower than that, too. */
const MAX_SPEECH_LUFS = COMMON_LUFS;
const MIN_SPEECH_RANGE_LU = 4;
/** A source with less sound than this share is silence with a click in it. */
const MIN_AUDIO_SHARE = 0.05;
const MIN_CHANGE_LU = 0.5;
const MIN_RANGE_LU = 1;
/** From this gain of a band on the spectrum is another one. */
const SHAPED_DB = 1;
/** No limiter leaves less of music whole. */
const MIN_CREST_DB = 6;
/** Nor of speech, whose peaks are its consonants. */
const MIN_SPEECH_CREST_DB = 12;
/** Sound quieter than this that carries neither speech nor a beat is background. */
const QUIET_LUFS = -26;
const MIN_SPEECH_SHARE = 0.1;
/** Background louder than this is heard as hiss. */
const ROOM_LUFS = -34;

/** No style: sound as it is, at a common loudness. */
export function loudnessOnly(source: AudioFacts): AudioPlan {
  return {
    equalizer: [],
    compressor: null,
    targetLufs: source.loudness.integratedLufs === null ? null : Math.min(COMMON_LUFS, maxLoudness(source)),
    truePeakDbtp: TRUE_PEAK_DBTP,
  };
}

/** Whether a style was measured on next to no sound: there is nothing in it to be followed. */
export function isSilentStyle({ audio_style: wanted }: Style): boolean {
  return wanted !== undefined && wanted.normalization_level < MIN_LUFS;
}

/** Brings the source's sound towards the style's spectrum, dynamics and loudness. Silence stays silent. */
export function planAudio(source: AudioFacts, style: Style, strength: number): AudioPlan {
  const plain = loudnessOnly(source);
  const reach = levelShareOf(strength);
  const wanted = style.audio_style;
  if (source.loudness.integratedLufs === null || wanted === undefined || reach === 0) return plain;
  if (isSilentStyle(style) || !isMeasured(style, 'audio')) return plain;
  const loudest = speaks(source) ? MAX_SPEECH_LUFS : MAX_LUFS;
  const level = Math.min(loudest, wanted.normalization_level);
  const targetLufs = Number((COMMON_LUFS + reach * (level - COMMON_LUFS)).toFixed(2));
  const most = maxLoudness(source);
  // Noise that is shaped is noise still.
  if (targetLufs > most) return { ...plain, targetLufs: most };
  const equalizer = equalizerTowards(source, style, reach);
  const shaped = equalizer.some(({ gainDb }) => Math.abs(gainDb) >= SHAPED_DB);
  return {
    equalizer,
    compressor: compressor(source, style, reach, shaped),
    targetLufs,
    truePeakDbtp: TRUE_PEAK_DBTP,
  };
}

/**
 * The loudest (LUFS) that a source can be made without becoming noise: a quiet one without speech or a beat is the sound
 * of a room, and is raised only until its quiet parts reach what a room sounds like. Infinite for all others.
 */
export function maxLoudness({ loudness, speech, tempo, silence }: AudioFacts): number {
  const { integratedLufs, shortTermLufs } = loudness;
  const carries = tempo !== null || speech.share >= MIN_SPEECH_SHARE;
  if (carries || integratedLufs === null || integratedLufs > QUIET_LUFS) return Number.POSITIVE_INFINITY;
  if (silence.share > 1 - MIN_AUDIO_SHARE) return Number(integratedLufs.toFixed(2));
  const levels = shortTermLufs.filter((level) => level !== null).sort((a, b) => a - b);
  const floor = levels[Math.floor(levels.length * 0.1)] ?? integratedLufs;
  return Number((integratedLufs + Math.max(0, ROOM_LUFS - floor)).toFixed(2));
}

/** Null when there is nothing to change. */
function compressor(
  source: AudioFacts,
  style: Style,
  reach: number,
  shaped: boolean,
): AudioPlan['compressor'] {
  const [rangeLu, crestDb] = [wantedRange(source, style, reach, shaped), wantedCrest(source, style, reach)];
  return rangeLu === null && crestDb === null ? null : { rangeLu, crestDb };
}

/**
 * A style without a range tells one by its ratio, which only narrows. Speech is never spread: its quiet words are words. Where
 * nothing is to change the range is held, if the sound is `shaped`: another spectrum is another range, by up to 5 LU.
 */
function wantedRange(source: AudioFacts, style: Style, reach: number, shaped: boolean): number | null {
  const range = source.loudness.rangeLu;
  if (range === null) return null;
  const told = style.loudness_range_lu;
  const target = told ?? Math.min(range, rangeOfRatio(style.audio_style!.compression_ratio));
  const least = speaks(source) ? Math.min(range, MIN_SPEECH_RANGE_LU) : MIN_RANGE_LU;
  const wanted = Math.max(least, range + reach * (target - range));
  const spreads = wanted > range && source.speech.share >= MIN_SPEECH_SHARE;
  if (!shaped && (spreads || Math.abs(wanted - range) < MIN_CHANGE_LU)) return null;
  return Number((spreads ? range : wanted).toFixed(2));
}

/** The most that peaks may stand out: they are lowered to the style's, and never given back what they lost. */
function wantedCrest(source: AudioFacts, style: Style, reach: number): number | null {
  const { crestDb } = source;
  if (crestDb === null) return null;
  const { normalization_level: level, compression_ratio: ratio } = style.audio_style!;
  const target = style.true_peak_dbtp === undefined ? crestOfRatio(ratio) : style.true_peak_dbtp - level;
  const least = speaks(source) ? MIN_SPEECH_CREST_DB : MIN_CREST_DB;
  // The spectrum that the style asks for may make them stand out again.
  const wanted = target < crestDb ? crestDb + reach * (target - crestDb) : target;
  return Number(Math.max(least, wanted).toFixed(2));
}
