/**
 * Weights of the evidence for the confidence in a tempo, per unit of logarithmic odds. Fitted once, to 501 songs and 224 generated pieces
 * (docs/decisions/0036-track-beats-over-the-whole-piece.md).
 */
export const CONFIDENCE_WEIGHTS: Readonly<Record<string, number>> = {
  score: 0.4,
  octaves: -0.14,
  octavesSquared: -1.41,
  'cycle.harmony.2': -2.5,
  'cycle.harmony.3': 2.61,
  'cycle.harmony.4': 2.13,
  'cycle.low.2': 0.21,
  'cycle.low.3': -3.51,
  'cycle.low.4': -0.5,
  'cycle.snare.2': 2.21,
  'cycle.snare.3': 0.42,
  'cycle.snare.4': -0.81,
  'cycle.full.2': -2.49,
  'cycle.full.3': -2.98,
  'cycle.full.4': -2.22,
  thirds: -2.21,
  quarters: -0.93,
};
/** Exponent of the share of the odds. */
export const CONFIDENCE_POWER = 1;
