import type { AudioFacts, MeasuredGenre } from '../facts.ts';

/** Share of the running time: clicks of a recorder do not count as sound. */
const MIN_SILENT_SHARE = 0.98;
/** Share of the sound that is speech. */
const MIN_SPEECH_SHARE = 0.5;

/** Silence, speech, or unknown: genres of music are not measured (docs/decisions/0285-leave-the-genre-of-music-unknown.md). */
export function genreOf({
  loudness,
  silence,
  speech,
}: Pick<AudioFacts, 'loudness' | 'silence' | 'speech'>): AudioFacts['genre'] {
  const found = (name: MeasuredGenre, confidence: number) => ({ name, confidence });
  if (loudness.integratedLufs === null || silence.share > MIN_SILENT_SHARE) return found('silence', 1);
  const speechShare = speech.share / (1 - silence.share);
  return speechShare > MIN_SPEECH_SHARE
    ? found('speech', Math.min(1, speechShare) * speech.confidence)
    : found('unknown', 0);
}
