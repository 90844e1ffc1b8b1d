import type { DissolveEvidence } from './dissolve-evidence.ts';

/** Weight of each piece of evidence for a dissolve, in logarithmic odds. Written by `bench/fit-shots.ts` from 124 clips. */
export const WEIGHTS: Readonly<Record<keyof DissolveEvidence, number>> = {
  bias: -2.39,
  error: -1.22,
  even: 5.17,
  uneven: 6.51,
  moved: -24.22,
  around: -3.85,
  oneSided: -15.23,
  alike: -5.64,
  samePlace: -2.43,
  patchy: -9.33,
};
