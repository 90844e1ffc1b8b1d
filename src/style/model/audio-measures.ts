/** Dynamics and bass as fields of a style, and the inverse functions. */

import type { AudioFacts } from '../../analysis/facts.ts';
import { powerDb, powerOfDb } from '../../signal/decibels.ts';

/** Share of speech, and confidence in it, from which speech carries a recording. */
const MOSTLY_SPEECH = { share: 0.5, confidence: 0.5 } as const;

/**
 * Music without compression: loudness range in LU and peak-to-loudness ratio in dB. From orchestral and
 * acoustic recordings (Deruty and Tardieu 2014 list such figures by decade and genre).
 */
const OPEN_RANGE_LU = 14;
const OPEN_CREST_DB = 19;
/** Peak-to-loudness ratio of a square wave at full scale. */
const MIN_CREST_DB = 3;
/** Least duration for the loudness range, which is computed over 3 s windows (EBU Tech 3342). */
const RANGE_SECONDS = 20;

/** Bass (40–150 Hz) over the body (150 Hz–4 kHz) of common recordings, in dB (after Pestana et al. 2013). */
const COMMON_BASS_DB = 3;

/**
 * Ratio of a compressor that turns uncompressed dynamics into the measured ones. A ratio of R divides
 * everything above its threshold by R, so loudness range and crest each give an estimate. The result is their
 * geometric mean.
 */
export function compressionRatio(audio: AudioFacts): number {
  const { rangeLu } = audio.loudness;
  const ratios: number[] = [];
  if (rangeLu !== null && audio.durationSeconds >= RANGE_SECONDS) {
    ratios.push(OPEN_RANGE_LU / Math.max(0.5, rangeLu));
  }
  if (audio.crestDb !== null) {
    ratios.push((OPEN_CREST_DB - MIN_CREST_DB) / Math.max(0.5, audio.crestDb - MIN_CREST_DB));
  }
  if (ratios.length === 0) return 1;
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  return bounded(mean, 1, 20, 2);
}

/** Whether speech carries a recording, see `enhance_speech`. */
export function isMostlySpeech({ speech }: Pick<AudioFacts, 'speech'>): boolean {
  return speech.share >= MOSTLY_SPEECH.share && speech.confidence >= MOSTLY_SPEECH.confidence;
}

/** Inverse of `compressionRatio`: the loudness range (LU) of uncompressed dynamics after that ratio. */
export function rangeOfRatio(ratio: number): number {
  return OPEN_RANGE_LU / ratio;
}

/** The same for the peak-to-loudness ratio in dB. */
export function crestOfRatio(ratio: number): number {
  return MIN_CREST_DB + (OPEN_CREST_DB - MIN_CREST_DB) / ratio;
}

/** Bass against the body of the sound, relative to common recordings, in dB; 0 without sound. */
export function bassBoost(audio: Pick<AudioFacts, 'spectrum' | 'loudness'>): number {
  const { centresHz, levelsDb } = audio.spectrum;
  const meanLevel = (from: number, to: number) => {
    const powers = levelsDb.filter((_, at) => centresHz[at] >= from && centresHz[at] < to);
    const power = powers.reduce((sum, level) => sum + powerOfDb(level), 0) / Math.max(1, powers.length);
    return powerDb(power);
  };
  const difference = meanLevel(39, 150) - meanLevel(150, 4100);
  if (audio.loudness.integratedLufs === null || !Number.isFinite(difference)) return 0;
  return bounded(difference - COMMON_BASS_DB, -12, 12, 1);
}

/** Within limits, rounded, and never −0. */
export function bounded(value: number, min: number, max: number, digits: number): number {
  return Number(Math.max(min, Math.min(max, value)).toFixed(digits)) + 0;
}
