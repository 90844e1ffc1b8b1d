import { mean, standardDeviation } from '../../signal/statistics.ts';
import type { MusicFacts } from '../music-facts.ts';

/** Nearly all bars have four beats; three are the only other that is claimed. */
const BAR_LENGTHS = [4, 3] as const;
/** Standard errors by which the first beat must stand out from the next best. */
const MIN_MARGIN = 1.5;
const SURE_MARGIN = 4;
/** Bars without which nothing is claimed. */
const MIN_BARS = 4;
/** What marks a first beat: chords change, the bass plays, a snare does not. */
const WEIGHTS = { harmony: 1, low: 0.6, kick: 0.4, snare: -0.5, full: 0.3 } as const;

export interface Meter {
  readonly beatsPerBar: number;
  /** Place of a first beat, counted in `places`. */
  readonly phase: number;
  /** 0..1 */
  readonly confidence: number;
}

export const NO_METER: Meter = { beatsPerBar: 1, phase: 0, confidence: 0 };

/**
 * Finds bars from what gathers on one beat of a cycle. `places`: number of each beat, which counts beats that are missing.
 */
export function meterOf(accents: MusicFacts['beats'], places: readonly number[]): Meter {
  const scores = accentScores(accents);
  const found = BAR_LENGTHS.map((beatsPerBar) => cycleOf(scores, places, beatsPerBar));
  const [best, other] = found.sort((a, b) => b.margin - a.margin);
  if (best === undefined || best.margin < MIN_MARGIN || best.margin < 1.3 * other.margin) return NO_METER;
  const { beatsPerBar, phase, margin } = best;
  return { beatsPerBar, phase, confidence: Math.min(1, margin / SURE_MARGIN) };
}

/** How much each beat resembles the first of a bar, in standard deviations. */
export function accentScores(accents: MusicFacts['beats']): number[] {
  const harmony = accents.chroma.map((_, beat) => harmonicChange(accents.chroma, beat));
  const parts = { ...accents, harmony };
  const weighted = Object.entries(WEIGHTS).map(([name, weight]) =>
    standardized(parts[name as keyof typeof WEIGHTS]).map((value) => weight * value),
  );
  return harmony.map((_, beat) => weighted.reduce((sum, values) => sum + values[beat], 0));
}

/** Cosine distance of the two beats before from the two from here on. */
function harmonicChange(chroma: MusicFacts['beats']['chroma'], beat: number): number {
  if (beat < 2 || beat + 1 >= chroma.length) return 0;
  const before = chroma[beat - 2].map((value, pitch) => value + chroma[beat - 1][pitch]);
  const after = chroma[beat].map((value, pitch) => value + chroma[beat + 1][pitch]);
  const dot = before.reduce((sum, value, pitch) => sum + value * after[pitch], 0);
  const lengths = Math.hypot(...before) * Math.hypot(...after);
  return lengths > 0 ? Math.max(0, 1 - dot / lengths) : 0;
}

function standardized(values: readonly number[]): number[] {
  const [middle, deviation] = [mean(values), standardDeviation(values)];
  return values.map((value) => (deviation > 0 ? (value - middle) / deviation : 0));
}

function cycleOf(scores: readonly number[], places: readonly number[], beatsPerBar: number) {
  const groups = Array.from({ length: beatsPerBar }, (_, phase) =>
    scores.filter((_, beat) => places[beat] % beatsPerBar === phase),
  );
  const none = { beatsPerBar, phase: 0, margin: 0 };
  if (groups.some((group) => group.length < MIN_BARS)) return none;
  const means = groups.map(mean);
  const order = means.map((_, phase) => phase).sort((a, b) => means[b] - means[a]);
  const [first, second] = order;
  const error = Math.hypot(
    ...[first, second].map((phase) => standardDeviation(groups[phase]) / Math.sqrt(groups[phase].length)),
  );
  return { beatsPerBar, phase: first, margin: (means[first] - means[second]) / Math.max(error, 1e-6) };
}
