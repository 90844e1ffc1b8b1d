import type { SoundFacts } from '../analysis/facts.ts';
import type { Style } from './schema.ts';

/**
 * What music is like that no compressor touched: loudness range in LU and peak-to-loudness ratio in dB
 * (orchestral and acoustic recordings; Deruty and Tardieu 2014 give such figures by decade and genre).
 */
const OPEN_RANGE_LU = 14;
const OPEN_CREST_DB = 19;
/** A crest that even a square wave at full scale keeps above its loudness. */
const LEAST_CREST_DB = 3;
/** Loudness range needs some of the 3 s windows that it is counted over (EBU Tech 3342). */
const RANGE_SECONDS = 20;

/** Bass (40–150 Hz) over the body (150 Hz–4 kHz) of common recordings, in dB (after Pestana et al. 2013). */
const COMMON_BASS_DB = 3;

/** Null for silence: there is no style in it. */
function audioStyle(sound: SoundFacts): NonNullable<Style['audio_style']> | null {
  if (sound.loudness.integratedLufs === null) return null;
  return {
    normalization_level: bounded(sound.loudness.integratedLufs, -70, 0, 1),
    compression_ratio: compressionRatio(sound),
    bass_boost: bassBoost(sound),
    enhance_speech: sound.speech.share >= 0.5 && sound.speech.confidence >= 0.5,
  };
}

/** Audio style, tempo, beats, genre, loudness and spectrum: those that were found. */
export function soundFields(sound: SoundFacts): Partial<Style> {
  const fields: Partial<Style> = { music_genre: sound.genre.name };
  const { tempo, beats, loudness, spectrum } = sound;
  const audio = audioStyle(sound);
  if (audio !== null) fields.audio_style = audio;
  if (tempo !== null && tempo.bpm >= 40 && tempo.bpm <= 240) {
    fields.tempo_bpm = Number(tempo.bpm.toFixed(2));
    fields.tempo_alternatives = tempo.alternatives
      .filter(({ bpm }) => bpm >= 20 && bpm <= 480)
      .slice(0, 16)
      .map(({ bpm, confidence }) => ({
        bpm: Number(bpm.toFixed(2)),
        confidence: bounded(confidence, 0, 1, 3),
      }));
  }
  if (beats.length > 0) {
    fields.detected_beats = beats.slice(0, 60000).map((beat) => ({
      timestamp_ms: Math.max(0, Math.round(beat.timeSeconds * 1000)),
      confidence: bounded(beat.confidence, 0, 1, 3),
      frequency: beat.band,
    }));
  }
  if (loudness.rangeLu !== null) fields.loudness_range_lu = bounded(loudness.rangeLu, 0, 100, 1);
  if (loudness.truePeakDbtp !== null) fields.true_peak_dbtp = bounded(loudness.truePeakDbtp, -150, 24, 1);
  const bands = spectrum.levelsDb
    .map((level, at) => ({ hz: spectrum.centresHz[at]!, level }))
    .filter(({ level }) => Number.isFinite(level))
    .slice(0, 40);
  if (audio !== null && bands.length > 0) {
    const mean = bands.reduce((sum, { level }) => sum + level, 0) / bands.length;
    fields.spectrum = {
      centres_hz: bands.map(({ hz }) => hz),
      levels_db: bands.map(({ level }) => Number((level - mean).toFixed(2))),
    };
  }
  return fields;
}

/**
 * The ratio of a compressor that would turn open dynamics into the observed ones: a ratio of R divides what lies
 * above its threshold by R, so both the loudness range and the crest tell it; their geometric mean decides.
 */
export function compressionRatio(sound: SoundFacts): number {
  const { rangeLu } = sound.loudness;
  const ratios: number[] = [];
  if (rangeLu !== null && sound.durationSeconds >= RANGE_SECONDS) {
    ratios.push(OPEN_RANGE_LU / Math.max(0.5, rangeLu));
  }
  if (sound.crestDb !== null) {
    ratios.push((OPEN_CREST_DB - LEAST_CREST_DB) / Math.max(0.5, sound.crestDb - LEAST_CREST_DB));
  }
  if (ratios.length === 0) return 1;
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  return bounded(mean, 1, 20, 2);
}

/** The loudness range (LU) that open dynamics have behind a compressor of that ratio: the other way round. */
export function rangeOfRatio(ratio: number): number {
  return OPEN_RANGE_LU / ratio;
}

/** Likewise the peak-to-loudness ratio in dB. */
export function crestOfRatio(ratio: number): number {
  return LEAST_CREST_DB + (OPEN_CREST_DB - LEAST_CREST_DB) / ratio;
}

/** Bass against the body of the sound, relative to common recordings, in dB; 0 without sound. */
export function bassBoost(sound: Pick<SoundFacts, 'spectrum' | 'loudness'>): number {
  const { centresHz, levelsDb } = sound.spectrum;
  const meanLevel = (from: number, to: number) => {
    const powers = levelsDb.filter((_, at) => centresHz[at]! >= from && centresHz[at]! < to);
    const power = powers.reduce((sum, level) => sum + 10 ** (level / 10), 0) / Math.max(1, powers.length);
    return 10 * Math.log10(power);
  };
  const difference = meanLevel(39, 150) - meanLevel(150, 4100);
  if (sound.loudness.integratedLufs === null || !Number.isFinite(difference)) return 0;
  return bounded(difference - COMMON_BASS_DB, -12, 12, 1);
}

function bounded(value: number, least: number, most: number, digits: number): number {
  return Number(Math.max(least, Math.min(most, value)).toFixed(digits)) + 0;
}
