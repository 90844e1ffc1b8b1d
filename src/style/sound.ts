import type { SoundFacts } from '../analysis/facts.ts';
import { bassBoost, compressionRatio } from './extract-sound.ts';
import type { Style } from './schema.ts';
import { reachOf } from './strength.ts';
import type { SoundPlan } from './timeline.ts';

/** What streaming services play at: the target where no style gives one. */
const COMMON_LUFS = -14;
const TRUE_PEAK_DBTP = -1;
/** Outside these a template is a fault or a whisper; a limiter at −1 dBTP cannot keep a louder one clean. */
const LEAST_LUFS = -36;
const MOST_LUFS = -7;
const MOST_GAIN_DB = 6;
/** Bands this far below the source's loudest begin to hold noise, which no equaliser should bring up; then only noise. */
const NOISE_DB = [47, 55] as const;
const OFFSET_STEP_DB = 0.25;
const MOST_RATIO = 8;
const LEAST_COMPRESSION_LU = 0.5;
/** Sound quieter than this that carries neither speech nor a beat is background. */
const QUIET_LUFS = -26;
const LEAST_SPEECH_SHARE = 0.1;
/** Background louder than this is heard as hiss. */
const ROOM_LUFS = -34;

/** No style: sound as it is, at a common loudness. */
export function loudnessOnly(source: SoundFacts): SoundPlan {
  return {
    equalizer: [],
    compressor: null,
    targetLufs: source.loudness.integratedLufs === null ? null : Math.min(COMMON_LUFS, mostLoudness(source)),
    truePeakDbtp: TRUE_PEAK_DBTP,
  };
}

/** Brings the source's sound towards the style's spectrum, dynamics and loudness. Silence stays silent. */
export function planSound(source: SoundFacts, style: Style, strength: number): SoundPlan {
  const plain = loudnessOnly(source);
  const reach = reachOf(strength);
  const wanted = style.audio_style;
  if (source.loudness.integratedLufs === null || wanted === undefined || reach === 0) return plain;
  const level = Math.max(LEAST_LUFS, Math.min(MOST_LUFS, wanted.normalization_level));
  const targetLufs = Number((COMMON_LUFS + reach * (level - COMMON_LUFS)).toFixed(2));
  const most = mostLoudness(source);
  // Noise that is shaped is noise still.
  if (targetLufs > most) return { ...plain, targetLufs: most };
  return {
    equalizer: equalizer(source, style, reach),
    compressor: compressor(source, style, reach),
    targetLufs,
    truePeakDbtp: TRUE_PEAK_DBTP,
  };
}

/**
 * The loudest (LUFS) that a source can be made without becoming noise: a quiet one without speech or a beat is the sound
 * of a room, and is raised only until its quiet parts reach what a room sounds like. Infinite for all others.
 */
export function mostLoudness({ loudness, speech, tempo }: SoundFacts): number {
  const { integratedLufs, shortTermLufs } = loudness;
  const carries = tempo !== null || speech.share >= LEAST_SPEECH_SHARE;
  if (carries || integratedLufs === null || integratedLufs > QUIET_LUFS) return Number.POSITIVE_INFINITY;
  const levels = shortTermLufs.filter((level) => level !== null).sort((a, b) => a - b);
  const floor = levels[Math.floor(levels.length * 0.1)] ?? integratedLufs;
  return Number((integratedLufs + Math.max(0, ROOM_LUFS - floor)).toFixed(2));
}

function equalizer(source: SoundFacts, style: Style, reach: number): SoundPlan['equalizer'] {
  const { centresHz, levelsDb } = source.spectrum;
  const loudest = Math.max(...levelsDb.filter(Number.isFinite));
  // Falls to nothing towards the noise, so that no step is heard.
  const audible = levelsDb.map((level) => {
    const share = (level - loudest + NOISE_DB[1]) / (NOISE_DB[1] - NOISE_DB[0]);
    return Number.isFinite(level) ? Math.max(0, Math.min(1, share)) : 0;
  });
  const wanted =
    style.spectrum === undefined || style.spectrum.levels_db.length < 3
      ? smooth(bassOnly(source, style))
      : smooth(spectrumGains(source, style.spectrum, audible));
  const clarity = style.audio_style?.enhance_speech === true && source.speech.share >= 0.3;
  return centresHz.map((hz, band) => {
    const gain = audible[band]! * (wanted[band]! + (clarity ? speechClarity(hz) : 0));
    // Adding 0 makes a −0 a 0, which JSON would otherwise turn it into later.
    return { hz, gainDb: Number((bounded(gain) * reach).toFixed(2)) + 0 };
  });
}

/**
 * Gains per band within the limits that leave the least of the difference in the shape of the spectra: loudness is set
 * elsewhere, so the whole of them may be moved up or down until few bands want more than there is to give.
 */
function spectrumGains(
  source: SoundFacts,
  wanted: NonNullable<Style['spectrum']>,
  audible: readonly number[],
): number[] {
  const { centresHz, levelsDb } = source.spectrum;
  const differences = centresHz.map((hz, band) =>
    audible[band] === 0 ? 0 : levelNear(wanted, hz) - levelsDb[band]!,
  );
  const counted = differences.filter((_, band) => audible[band]! > 0);
  const middle = meanOf(counted);
  let [best, offset] = [Number.POSITIVE_INFINITY, middle];
  const [least, most] = [Math.min(...counted), Math.max(...counted)];
  for (let step = 0; least + step * OFFSET_STEP_DB <= most; step++) {
    const tried = least + step * OFFSET_STEP_DB;
    const left = counted.map((difference) => difference - bounded(difference - tried));
    const mean = meanOf(left);
    // Of equals the one that changes the level least.
    const error = meanOf(left.map((value) => (value - mean) ** 2)) + 0.002 * (tried - middle) ** 2;
    if (error < best) [best, offset] = [error, tried];
  }
  return differences.map((difference, band) => (audible[band] === 0 ? 0 : bounded(difference - offset)));
}

function bounded(gainDb: number): number {
  return Math.max(-MOST_GAIN_DB, Math.min(MOST_GAIN_DB, gainDb));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The style's level at a frequency, linear in the logarithm of frequency, held beyond its ends. */
function levelNear(
  { centres_hz: centres, levels_db: levels }: NonNullable<Style['spectrum']>,
  hz: number,
): number {
  const after = centres.findIndex((centre) => centre >= hz);
  if (after < 0) return levels.at(-1)!;
  if (after === 0 || centres[after] === hz) return levels[after]!;
  const t = Math.log(hz / centres[after - 1]!) / Math.log(centres[after]! / centres[after - 1]!);
  return levels[after - 1]! + t * (levels[after]! - levels[after - 1]!);
}

function bassOnly(source: SoundFacts, style: Style): number[] {
  const difference = (style.audio_style?.bass_boost ?? 0) - bassBoost(source);
  return source.spectrum.centresHz.map((hz) => (hz < 150 ? difference : hz < 250 ? difference / 2 : 0));
}

function smooth(values: readonly number[]): number[] {
  return values.map((value, at) => {
    const [before, after] = [values[at - 1] ?? value, values[at + 1] ?? value];
    return 0.1 * before + 0.8 * value + 0.1 * after;
  });
}

/** Less rumble below the voice, a little presence where consonants lie (2–5 kHz). */
function speechClarity(hz: number): number {
  if (hz < 90) return -3;
  return hz >= 2000 && hz <= 5000 ? 1.5 : 0;
}

/**
 * A slow compressor whose ratio brings the source's loudness range to the style's: found on the source's own short-
 * term loudness, which it would turn into T + (L − T) / R above the threshold T. Null when the source is compressed
 * enough already.
 */
function compressor(source: SoundFacts, style: Style, reach: number): SoundPlan['compressor'] {
  const loudness = source.loudness.shortTermLufs.filter((value): value is number => value !== null);
  const range = source.loudness.rangeLu;
  const target = style.loudness_range_lu;
  if (range === null || target === undefined || loudness.length < 5) return byRatio(source, style, reach);
  const wanted = Math.max(1, range + reach * (target - range));
  if (range - wanted < LEAST_COMPRESSION_LU) return null;
  const sorted = loudness.sort((one, other) => one - other);
  const threshold = sorted[Math.floor(0.1 * sorted.length)]!;
  const ratio = Math.max(1, Math.min(MOST_RATIO, range / wanted));
  return slow(threshold, ratio);
}

/** Without loudness ranges: the ratio that is still missing to the style's. */
function byRatio(source: SoundFacts, style: Style, reach: number): SoundPlan['compressor'] {
  const missing = (style.audio_style?.compression_ratio ?? 1) / compressionRatio(source);
  if (missing <= 1.1) return null;
  return slow(source.loudness.integratedLufs! - 6, Math.min(MOST_RATIO, 1 + reach * (missing - 1)));
}

function slow(thresholdDb: number, ratio: number): NonNullable<SoundPlan['compressor']> {
  return {
    thresholdDb: Number(Math.max(-60, Math.min(0, thresholdDb)).toFixed(2)),
    ratio: Number(ratio.toFixed(3)),
    attackMs: 30,
    releaseMs: 400,
    kneeDb: 6,
  };
}
