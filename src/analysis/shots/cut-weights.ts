import type { CutEvidence } from './cut-evidence.ts';

/** Weight of each piece of evidence for a cut, in logarithmic odds. Written by `bench/fit-shots.ts` from 124 clips. */
export const WEIGHTS: Readonly<Record<keyof CutEvidence, number>> = {
  bias: -0.84,
  unexplained: -1.25,
  'unexplained.less': -0.12,
  'unexplained.more': 1.07,
  structure: 0.08,
  'structure.less': 1.02,
  light: -7.66,
  peak: 0.77,
  apart: 1.35,
  still: -3.85,
  'tone.explained': -2.15,
  'tone.left': -1.51,
  flash: -7.6,
  goesOn: -6.01,
  gone: 5.33,
};
