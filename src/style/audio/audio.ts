import type { AudioFacts } from '../../analysis/facts.ts';
import { between, clamp } from '../../signal/interpolation.ts';
import { isMeasured } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import { levelShareOf, protectionAt } from '../model/strength.ts';
import type { AudioPlan } from '../model/timeline.ts';
import { compressorTowards } from './dynamics.ts';
import { equalizerTowards, hasSpeech, speaks } from './equalizer.ts';

/** The loudness of streaming services: the target if no style defines one. */
const COMMON_LUFS = -14;
const TRUE_PEAK_DBTP = -1;
/** A quieter style is room noise: listeners do not want to strain. */
const MIN_LUFS = -36;
/**
 * Least loudness of outputs of quiet sources, and of loud ones and speech. AES TD1004 recommends −16 to −20 for streams, and encoded sound differs by up to .3.
 * Sound of the scene or a distant recording has −24 to −36. By their levels, a strict eye called three sources of −14 too quiet at −16.3 to −19, and talkers of −28 and −23 at −19.
 */
const QUIETEST_LUFS = [-19, -16] as const;
/** A limiter at −1 dBTP distorts louder sound. */
const MAX_LUFS = -7;
/** Louder speech loses its syllables. */
const MAX_SPEECH_LUFS = COMMON_LUFS;
/** A source with a smaller share of sound is silence with clicks. */
const MIN_AUDIO_SHARE = 0.05;
/** Quieter sound with neither speech nor a beat is background. */
const QUIET_LUFS = -26;
/** Six quiet recordings without speech, mostly knocks in noise, have tempi with a confidence of .12 to .4. Not fitted. */
const MIN_TEMPO_CONFIDENCE = 0.5;
/**
 * Background is raised until its quiet parts (P10) have `steady`, or `varied` if P90 is at least `range` above them. Above `whole` as a whole, they get only `least`.
 * P90 of hum and hiss is 1 to 3 LU above P10, that of workshops, streets and wind 5 to 18. With `least` alone, four such takes ended at −29 to −32.6: "much too quiet".
 */
const ROOM_LUFS = { least: -34, steady: -30, varied: -26, range: 5, whole: -20 } as const;

/** Without a style: unchanged sound at a common loudness. */
export function loudnessOnly(source: AudioFacts): AudioPlan {
  return {
    equalizer: [],
    compressor: null,
    targetLufs: source.loudness.integratedLufs === null ? null : Math.min(COMMON_LUFS, maxLoudness(source)),
    truePeakDbtp: TRUE_PEAK_DBTP,
  };
}

/** Whether a style was measured on almost no sound, so that there is nothing to follow. */
export function isSilentStyle({ audio_style: wanted }: Style): boolean {
  return wanted !== undefined && wanted.normalization_level < MIN_LUFS;
}

/**
 * The least loudness (LUFS) of an output at a strength, however quiet the style is: up to .8 the source's own within limits, the upper
 * one for speech; at 1 that of the quietest style.
 */
export function quietestLufs(source: AudioFacts, strength: number): number {
  const own = clamp(source.loudness.integratedLufs ?? COMMON_LUFS, ...QUIETEST_LUFS);
  return between(MIN_LUFS, speaks(source) ? QUIETEST_LUFS[1] : own, protectionAt(strength));
}

/**
 * The maximum loudness (LUFS) of an output at a strength, however loud the style is: the common one, or the source's own. From −27 to −9.6, quiet steps became blows,
 * and players lower what is louder than −14.
 */
export function loudestLufs(source: AudioFacts, strength: number): number {
  if (speaks(source)) return MAX_SPEECH_LUFS;
  const own = source.loudness.integratedLufs ?? COMMON_LUFS;
  const calm = clamp(own, COMMON_LUFS, MAX_LUFS);
  return between(MAX_LUFS, calm, protectionAt(strength));
}

/** Brings the source's sound towards the style's spectrum, dynamics and loudness. Silence stays silent. */
export function planAudio(source: AudioFacts, style: Style, strength: number): AudioPlan {
  const plain = loudnessOnly(source);
  const reach = levelShareOf(strength);
  const wanted = style.audio_style;
  if (source.loudness.integratedLufs === null || wanted === undefined || reach === 0) return plain;
  if (isSilentStyle(style) || !isMeasured(style, 'audio')) return plain;
  const level = clamp(
    wanted.normalization_level,
    quietestLufs(source, strength),
    loudestLufs(source, strength),
  );
  const targetLufs = Number((COMMON_LUFS + reach * (level - COMMON_LUFS)).toFixed(2));
  const most = maxLoudness(source);
  // Equalized noise is still noise.
  if (targetLufs > most) return { ...plain, targetLufs: most };
  // A written style has no recording whose content its spectrum could be.
  const caution = style.confidence === undefined ? 0 : protectionAt(strength);
  return {
    equalizer: equalizerTowards(source, style, { reach, caution }),
    compressor: compressorTowards(source, style, { reach, caution }),
    targetLufs,
    truePeakDbtp: TRUE_PEAK_DBTP,
  };
}

/**
 * The maximum loudness (LUFS) at which a source does not become noise. A quiet source without speech or a beat is room
 * noise; it is raised only as far as `ROOM_LUFS` allows. Infinite for all others.
 */
export function maxLoudness(source: AudioFacts): number {
  const { tempo, silence } = source;
  const { integratedLufs, shortTermLufs } = source.loudness;
  const hasBeat = tempo !== null && tempo.confidence >= MIN_TEMPO_CONFIDENCE;
  if (hasBeat || hasSpeech(source) || integratedLufs === null || integratedLufs > QUIET_LUFS)
    return Number.POSITIVE_INFINITY;
  if (silence.share > 1 - MIN_AUDIO_SHARE) return Number(integratedLufs.toFixed(2));
  const levels = shortTermLufs.filter((level) => level !== null).sort((a, b) => a - b);
  const [floor, top] = [0.1, 0.9].map((share) => levels[Math.floor(levels.length * share)] ?? integratedLufs);
  const room = top - floor >= ROOM_LUFS.range ? ROOM_LUFS.varied : ROOM_LUFS.steady;
  const raisedTo = (level: number) => integratedLufs + Math.max(0, level - floor);
  return Number(Math.max(raisedTo(ROOM_LUFS.least), Math.min(ROOM_LUFS.whole, raisedTo(room))).toFixed(2));
}
