import { mean, standardDeviation } from '../../signal/statistics.ts';
import type { AudioFacts, Genre } from '../facts.ts';

type Heard = Omit<AudioFacts, 'genre' | 'confidence'>;

/**
 * A coarse genre by rules, `unknown` unless the evidence is strong. Silence, speech and what has no pulse are told
 * reliably; among music with a beat only the two ends are: machine-made dance music and dense distorted rock.
 * `variation` is the standard deviation of the level between 300 Hz and 4 kHz over its mean.
 */
export function guessGenre(heard: Heard, variation: number): { name: Genre; confidence: number } {
  if (heard.loudness.integratedLufs === null || heard.silence.share > 0.98) {
    return { name: 'silence', confidence: 1 };
  }
  const sounding = 1 - heard.silence.share;
  const speechShare = heard.speech.share / sounding;
  if (speechShare > 0.5) {
    return { name: 'speech', confidence: Math.min(1, speechShare) * heard.speech.confidence };
  }
  const unknown = { name: 'unknown', confidence: 0 } as const;
  const soundingSeconds = heard.durationSeconds * sounding;
  if (soundingSeconds < 8 || speechShare > 0.15) return unknown;
  const onsetsPerSecond = heard.onsets.length / soundingSeconds;
  if (heard.tempo === null) return onsetsPerSecond < 0.5 ? unpulsed(heard) : unknown;
  if (heard.tempo.confidence < 0.6) return unknown;
  return danceMusic(heard) ?? distortedRock(heard, variation) ?? unknown;
}

/** Slow sound without onsets is music only when it is tonal and wide: bands stand out, and many of them sound. */
function unpulsed(heard: Heard): { name: Genre; confidence: number } {
  const levels = heard.spectrum.levelsDb;
  const loudest = Math.max(...levels);
  const wide = levels.filter((level) => level > loudest - 40).length >= 8;
  const roughness = mean(levels.slice(1).map((level, i) => Math.abs(level - levels[i])));
  return wide && roughness > 4 ? { name: 'ambient', confidence: 0.5 } : { name: 'unknown', confidence: 0 };
}

/** A kick on nearly every beat at 118–150 BPM, to the millisecond. */
function danceMusic(heard: Heard): { name: Genre; confidence: number } | null {
  const bpm = heard.tempo!.bpm;
  if (bpm < 118 || bpm > 150) return null;
  const steps = heard.beats.slice(1).map((beat, i) => beat.timeSeconds - heard.beats[i].timeSeconds);
  const steady = standardDeviation(steps) < 0.002;
  const kicks = heard.beats.filter((beat) => beat.band === 'low' || beat.band === 'full').length;
  const share = kicks / heard.beats.length;
  const bass = bandLevel(heard, 40, 150) - bandLevel(heard, 150, 4000);
  return steady && share > 0.9 && bass > 9 ? { name: 'electronic', confidence: 0.6 } : null;
}

/** Loud, dense, little bass beyond the guitars, and a spectrum that hardly falls up to 4 kHz. */
function distortedRock(heard: Heard, variation: number): { name: Genre; confidence: number } | null {
  const dense = (heard.crestDb ?? 99) < 11 && variation < 0.5;
  const slope = bandLevel(heard, 150, 800) - bandLevel(heard, 1600, 4000);
  const onsetsPerSecond = heard.onsets.length / heard.durationSeconds;
  return dense && slope < 6 && onsetsPerSecond > 4 ? { name: 'rock', confidence: 0.6 } : null;
}

/** Mean level of the bands between two frequencies, dB. */
function bandLevel(heard: Heard, lowHz: number, highHz: number): number {
  const { centresHz, levelsDb } = heard.spectrum;
  return mean(levelsDb.filter((_, i) => centresHz[i] >= lowHz && centresHz[i] < highHz));
}
