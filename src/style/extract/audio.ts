import { confidentAudio } from '../../analysis/confident-facts.ts';
import type { AudioFacts } from '../../analysis/facts.ts';
import { mean } from '../../signal/statistics.ts';
import { bassBoost, bounded, compressionRatio, isMostlySpeech } from '../model/audio-measures.ts';
import type { Style } from '../model/schema.ts';
import { talkField } from './talk.ts';

/** Null for silence and for sounds as short as a click: they have no style. */
function audioStyle(audio: AudioFacts): NonNullable<Style['audio_style']> | null {
  if (audio.loudness.integratedLufs === null || audio.confidence === 0) return null;
  return {
    normalization_level: bounded(audio.loudness.integratedLufs, -70, 0, 1),
    compression_ratio: compressionRatio(audio),
    bass_boost: bassBoost(audio),
    enhance_speech: isMostlySpeech(audio),
  };
}

/** The measured fields of the sound: audio style, tempo, beats, genre, loudness and spectrum. */
export function audioFields(measured: AudioFacts): Partial<Style> {
  const audio = confidentAudio(measured);
  const fields: Partial<Style> = { music_genre: audio.genre.name };
  const { tempo, beats, loudness, spectrum } = audio;
  const talk = talkField(audio);
  if (talk !== null) fields.talk = talk;
  const style = audioStyle(audio);
  if (style !== null) fields.audio_style = style;
  if (tempo !== null) {
    fields.tempo_bpm = Number(tempo.bpm.toFixed(2));
    fields.tempo_alternatives = tempo.alternatives.slice(0, 16).map(({ bpm, confidence }) => ({
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
  if (style !== null && loudness.rangeLu !== null)
    fields.loudness_range_lu = bounded(loudness.rangeLu, 0, 100, 1);
  if (style !== null && loudness.truePeakDbtp !== null)
    fields.true_peak_dbtp = bounded(loudness.truePeakDbtp, -150, 24, 1);
  const bands = spectrum.levelsDb
    .map((level, at) => ({ hz: spectrum.centresHz[at], level }))
    .filter(({ level }) => Number.isFinite(level));
  if (style !== null && bands.length > 0) {
    const middle = mean(bands.map(({ level }) => level));
    fields.spectrum = {
      centres_hz: bands.map(({ hz }) => hz),
      levels_db: bands.map(({ level }) => Number((level - middle).toFixed(2))),
    };
  }
  return fields;
}
