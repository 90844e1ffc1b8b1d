/**
 * Weights of the evidence for the confidence in a tempo, per unit of logarithmic odds. Written by
 * `bench/fit-tempo-confidence.ts --write` (docs/decisions/0036-track-beats-over-the-whole-piece.md).
 */
export const CONFIDENCE_WEIGHTS: Readonly<Record<string, number>> = {
  score: 0.52,
  octaves: 0.29,
  octavesSquared: -1.49,
  'cycle.harmony.2': -4.23,
  'cycle.harmony.3': 3.14,
  'cycle.harmony.4': 3.45,
  'cycle.low.2': 0.45,
  'cycle.low.3': -2.84,
  'cycle.low.4': 0.26,
  'cycle.snare.2': 2.3,
  'cycle.snare.3': 0.43,
  'cycle.snare.4': -3.21,
  'cycle.full.2': -2.01,
  'cycle.full.3': -3.27,
  'cycle.full.4': -1.77,
  thirds: -1.71,
  quarters: -0.93,
};
/** Exponent of the share of the odds. */
export const CONFIDENCE_POWER = 1.5;
