import type { SeriesEvidence } from './series-evidence.ts';

/** Weight of each piece of evidence for captions, in logarithmic odds. Written by `bench/fit-captions.ts` from 96 clips. */
export const WEIGHTS: Readonly<Record<keyof SeriesEvidence, number>> = {
  bias: -2.98,
  lone: -2.69,
  texts: 0.49,
  isOverlay: 1.39,
  hasMoved: -5.26,
  crowd: -2.94,
  lines: -1.83,
  offCentre: -13.89,
  height: 5.11,
  lineHeight: -1.23,
  likeness: -2.77,
  ofClip: 2.79,
  clip: -1.11,
};
