import type { AudioFacts } from '../../analysis/facts.ts';
import { pausesOf, talkCertainty } from '../../analysis/speech/pauses.ts';
import { rounded } from '../../signal/rounding.ts';
import { quantile } from '../../signal/statistics.ts';
import type { TalkStyle } from '../model/talk.ts';

/** With fewer pauses the ends of their distribution are chance. */
const MIN_PAUSES = 6;
/** From this number the confidence is that of the pauses' borders. */
const MANY_PAUSES = 20;
/** Share of speech below which a video does not talk. */
const MIN_SPEECH_SHARE = 0.5;

/** Lengths of the pauses of a talk; null: nobody talks for half of the time, or its pauses are uncertain. */
export function talkField(audio: AudioFacts | null): TalkStyle | null {
  const talk = audio?.speech.talk ?? null;
  const certainty = talkCertainty(talk);
  if (audio === null || talk === null || certainty === 0) return null;
  if (audio.speech.share < MIN_SPEECH_SHARE) return null;
  const lengths = pausesOf(talk).map(({ lengthSeconds }) => lengthSeconds);
  if (lengths.length < MIN_PAUSES) return null;
  const at = (share: number) => rounded(quantile(lengths, share), 3);
  return {
    pauses: { p10: at(0.1), p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9), longest: at(1) },
    pauses_per_minute: rounded((60 * lengths.length) / audio.durationSeconds, 3),
    confidence: rounded(certainty * Math.min(1, lengths.length / MANY_PAUSES), 3),
  };
}
