import type { CutEvidence } from './cut-evidence.ts';

/** Weight of each piece of evidence for a cut, in logarithmic odds. Written by `bench/fit-shots.ts` from 124 clips. */
export const WEIGHTS: Readonly<Record<keyof CutEvidence, number>> = {
  bias: -0.82,
  unexplained: -1.26,
  'unexplained.less': 0.5,
  'unexplained.more': 0.76,
  structure: 0.12,
  'structure.less': 0.34,
  light: -7.71,
  peak: 1.3,
  apart: 1.08,
  still: -3.39,
  'tone.explained': -2.11,
  'tone.left': -1.71,
  flash: -7.76,
  goesOn: -6.66,
  gone: 5.86,
};
