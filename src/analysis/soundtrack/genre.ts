import { mean } from '../../signal/statistics.ts';
import type { AudioFacts, Genre } from '../facts.ts';

type SoundFacts = Omit<AudioFacts, 'genre' | 'confidence'>;

/**
 * Thresholds between one kind of sound and all others, on 80 songs, loops and clips and on generated pieces.
 * Rejected because they did not separate them: confidence in the tempo, evenness of the kicks, slope of a
 * guitar's spectrum, ambient sound.
 */
const GENRE = {
  /** Clicks of a recorder do not count as sound. */
  silentShare: 0.98,
  /** Share of the sound that is speech. */
  speechShare: 0.5,
  /** Tempo of electronic dance music: generated pop has 107, hardcore and metal 160 and more. */
  danceBpm: { slowest: 118, fastest: 150 },
  /** Share of its beats with a kick; a breakbeat has .8. */
  kicks: 0.9,
  /** dB of the bands below 150 Hz relative to those above. */
  bassDb: 9,
  bassBelowHz: 150,
  /**
   * dB of the peaks above the loudness, and variation of the level, below which sound is distorted rock; drum
   * loops vary more.
   */
  distortedCrestDb: 11,
  distortedVariation: 0.5,
  distortedOnsetsPerSecond: 4,
  /** Confidence of the rules: right for seven clips in ten. */
  confidence: 0.6,
} as const;

/**
 * Guesses a coarse genre by rules; `unknown` unless the evidence is strong. Silence and speech are reliable.
 * Among music with a beat only electronic dance music and dense distorted rock are separable. `variation`:
 * standard deviation of the level between 300 Hz and 4 kHz over its mean.
 */
export function guessGenre(facts: SoundFacts, variation: number): { name: Genre; confidence: number } {
  if (facts.loudness.integratedLufs === null || facts.silence.share > GENRE.silentShare)
    return { name: 'silence', confidence: 1 };
  const speechShare = facts.speech.share / (1 - facts.silence.share);
  if (speechShare > GENRE.speechShare)
    return { name: 'speech', confidence: Math.min(1, speechShare) * facts.speech.confidence };
  if (facts.tempo === null) return { name: 'unknown', confidence: 0 };
  const { confidence } = GENRE;
  if (isDance(facts, facts.tempo.bpm)) return { name: 'electronic', confidence };
  return isDistortedRock(facts, variation)
    ? { name: 'rock', confidence }
    : { name: 'unknown', confidence: 0 };
}

/** A kick on nearly every beat, and strong bass. */
function isDance(facts: SoundFacts, bpm: number): boolean {
  const kicks = facts.beats.filter((beat) => beat.band === 'low' || beat.band === 'full').length;
  const bassDb =
    bandLevel(facts, 0, GENRE.bassBelowHz) - bandLevel(facts, GENRE.bassBelowHz, Number.POSITIVE_INFINITY);
  return (
    bpm >= GENRE.danceBpm.slowest &&
    bpm <= GENRE.danceBpm.fastest &&
    kicks > GENRE.kicks * facts.beats.length &&
    bassDb > GENRE.bassDb
  );
}

/** Loud and dense: distortion fills every gap. */
function isDistortedRock({ crestDb, onsets, durationSeconds }: SoundFacts, variation: number): boolean {
  return (
    crestDb !== null &&
    crestDb < GENRE.distortedCrestDb &&
    variation < GENRE.distortedVariation &&
    onsets.length > GENRE.distortedOnsetsPerSecond * durationSeconds
  );
}

/** Mean level of the bands between two frequencies, dB. */
function bandLevel(facts: SoundFacts, lowHz: number, highHz: number): number {
  const { centresHz, levelsDb } = facts.spectrum;
  return mean(levelsDb.filter((_, i) => centresHz[i] >= lowHz && centresHz[i] < highHz));
}
