/**
 * Loudness range and peaks of an output. A recording's range and peaks are mostly content: under a song, quiet parts of a street were raised by
 * 12 dB.
 */
import type { AudioFacts } from '../../analysis/facts.ts';
import { between, clamp } from '../../signal/interpolation.ts';
import { crestOfRatio, isMostlySpeech, rangeOfRatio } from '../model/audio-measures.ts';
import type { Style } from '../model/schema.ts';
import type { AudioPlan } from '../model/timeline.ts';
import { hasSpeech, speaks } from './equalizer.ts';

/** More compressed speech loses its syllables, and its pauses become noise. */
const MIN_SPEECH_RANGE_LU = 4;
const MIN_RANGE_LU = 1;
/** Limiting music further damages it. */
const MIN_CREST_DB = 6;
/** For speech, whose peaks are its consonants. */
const MIN_SPEECH_CREST_DB = 12;

/** Medians of 73 recordings with at least half of speech and of 112 others; middle halves 2.4 to 6.1 and 1.3 to 5.4 LU, 13 to 17 and 12 to 16 dB. */
const USUAL = { speech: { rangeLu: 3.7, crestDb: 14.7 }, other: { rangeLu: 2.8, crestDb: 13.6 } } as const;
/**
 * Exponent of a style's range over the usual one, and share of the distance between its peaks and usual ones. Known compressors on other
 * recordings are followed best with .3 to .6 and .7 to 1; .6 and 1 harm more.
 */
const RANGE_EXPONENT = 0.35;
const CREST_SHARE = 0.7;

/** How far dynamics are followed. */
interface DynamicsReach {
  /** 0..1: share of the change. */
  readonly reach: number;
  /** 0..1: 0 follows range and peaks as they are; 1 only as far as they are unusually small. */
  readonly caution: number;
}

/** Null if the source has neither a range nor peaks. */
export function compressorTowards(
  source: AudioFacts,
  style: Style,
  following: DynamicsReach,
): AudioPlan['compressor'] {
  const [rangeLu, crestDb] = [targetRange(source, style, following), targetCrest(source, style, following)];
  return rangeLu === null && crestDb === null ? null : { rangeLu, crestDb };
}

/**
 * A style without a range implies one by its ratio, which only narrows. Speech is never expanded, so that quiet words stay clear. The
 * source's own range is a target too: an equalizer changes it by up to 5 LU.
 */
function targetRange(source: AudioFacts, style: Style, { reach, caution }: DynamicsReach): number | null {
  const range = source.loudness.rangeLu;
  if (range === null) return null;
  const ofStyle = style.loudness_range_lu;
  const followed = ofStyle ?? Math.min(range, rangeOfRatio(style.audio_style!.compression_ratio));
  const target = between(followed, cautiousRange(range, followed, usualOf(source, style)), caution);
  const least = Math.min(range, speaks(source) ? MIN_SPEECH_RANGE_LU : MIN_RANGE_LU);
  const most = hasSpeech(source) ? range : Number.POSITIVE_INFINITY;
  return Number(clamp(range + reach * (target - range), least, most).toFixed(2));
}

/** Target of the crest factor: peaks are lowered to the style's, and never raised. */
function targetCrest(source: AudioFacts, style: Style, { reach, caution }: DynamicsReach): number | null {
  const { crestDb } = source;
  if (crestDb === null) return null;
  const { normalization_level: level, compression_ratio: ratio } = style.audio_style!;
  const followed = style.true_peak_dbtp === undefined ? crestOfRatio(ratio) : style.true_peak_dbtp - level;
  const target = between(followed, cautiousCrest(crestDb, followed, usualOf(source, style)), caution);
  const least = speaks(source) ? MIN_SPEECH_CREST_DB : MIN_CREST_DB;
  // The style's spectrum may raise the peaks again.
  const wanted = target < crestDb ? crestDb + reach * (target - crestDb) : target;
  return Number(Math.max(least, wanted).toFixed(2));
}

interface Usual {
  readonly rangeLu: number;
  readonly crestDb: number;
}

/** What is usual for recordings of the source's kind, and of the style's. */
interface UsualPair {
  readonly own: Usual;
  readonly ofStyle: Usual;
}

function usualOf(source: AudioFacts, style: Style): UsualPair {
  return {
    own: isMostlySpeech(source) ? USUAL.speech : USUAL.other,
    ofStyle: style.audio_style!.enhance_speech ? USUAL.speech : USUAL.other,
  };
}

/** The range (LU) of a source under a style that has the range `followed`, with full caution. Never wider than the source's, nor narrower than both. */
function cautiousRange(range: number, followed: number, { ofStyle }: UsualPair): number {
  const share = Math.min(1, Math.max(MIN_RANGE_LU, followed) / ofStyle.rangeLu) ** RANGE_EXPONENT;
  return Math.max(share * range, Math.min(range, followed));
}

/**
 * The same for peaks (dB over the loudness). They are never lower than the style's would be with the source's content, so that nothing is
 * lowered twice. Higher peaks than the source's limit nothing.
 */
function cautiousCrest(crestDb: number, followed: number, { own, ofStyle }: UsualPair): number {
  if (followed >= crestDb) return followed;
  const lacking = Math.max(0, ofStyle.crestDb - followed);
  return Math.min(crestDb, Math.max(crestDb - CREST_SHARE * lacking, own.crestDb - lacking));
}
