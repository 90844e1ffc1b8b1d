import type { SpeechEvidence } from './speech-evidence.ts';

/** Weight of each piece of evidence for speech, in logarithmic odds. Written by `bench/fit-speech.ts` from 397 clips. */
export const WEIGHTS: Readonly<Record<keyof SpeechEvidence, number>> = {
  bias: -17.23,
  dips: 11.4,
  swing: -1.31,
  voiced: 27.94,
  sung: -17.95,
  alternating: 9.66,
  bright: -7.99,
  hissing: -1,
  gliding: 8.49,
};
