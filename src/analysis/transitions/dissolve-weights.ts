import type { DissolveEvidence } from './dissolve-evidence.ts';

/** Weight of each piece of evidence for a dissolve, in logarithmic odds. Written by `bench/fit-shots.ts` from 283 clips. */
export const WEIGHTS: Readonly<Record<keyof DissolveEvidence, number>> = {
  bias: -2.47,
  error: -1.06,
  even: 4.85,
  uneven: 3.73,
  moved: -27.31,
  around: -2.17,
  oneSided: -6.59,
  alike: -6.83,
  samePlace: -2.36,
  patchy: -8.04,
};
