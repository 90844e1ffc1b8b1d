import { mean, standardDeviation } from '../../signal/statistics.ts';
import type { MusicFacts } from '../music-facts.ts';

/** Nearly all bars have four beats; three is the only other supported meter. */
const BAR_LENGTHS = [4, 3] as const;
/**
 * Standard errors between the first beat and the next best, also in the harmony alone. Of three drum loops
 * with a first beat without harmony, two were wrong.
 */
const MIN_MARGIN = 1.5;
const SURE_MARGIN = 4;
/** Factor over the margin of the other length. */
const OVER_OTHER = 1.3;
/** With fewer bars there is no meter. */
const MIN_BARS = 4;
/** On a first beat chords change and the bass plays, and a snare does not. */
const WEIGHTS = { harmony: 1, low: 0.5, kick: 0.4, snare: -0.3, full: 0.4 } as const;
/** Deviations below it are noise: drums alone change a chroma by .02, chords by .2 and more. */
const MIN_DEVIATION = 0.06;

export interface Meter {
  readonly beatsPerBar: number;
  /** Position of a first beat, counted in `places`. */
  readonly phase: number;
  /** 0..1 */
  readonly confidence: number;
}

export const NO_METER: Meter = { beatsPerBar: 1, phase: 0, confidence: 0 };

/**
 * Finds bars from accents that concentrate on one beat of a cycle. `places`: number of each beat, which also counts
 * missing beats.
 */
export function meterOf(accents: MusicFacts['beats'], places: readonly number[]): Meter {
  const harmony = accents.chroma.map((_, beat) => harmonicChange(accents.chroma, beat));
  const parts = { ...accents, harmony };
  const weighted = Object.entries(WEIGHTS).map(([name, weight]) =>
    standardized(parts[name as keyof typeof WEIGHTS]).map((value) => weight * value),
  );
  const scores = harmony.map((_, beat) => weighted.reduce((sum, values) => sum + values[beat], 0));
  const found = BAR_LENGTHS.map((beatsPerBar) => cycleOf(scores, places, beatsPerBar));
  const [best, other] = found.sort((a, b) => b.margin - a.margin);
  const { beatsPerBar, phase, margin } = best;
  const byHarmony = cycleOf(harmony, places, beatsPerBar);
  const agrees = byHarmony.phase === phase && byHarmony.margin >= MIN_MARGIN;
  if (!agrees || margin < MIN_MARGIN || margin < OVER_OTHER * other.margin) return NO_METER;
  return { beatsPerBar, phase, confidence: Math.min(1, margin / SURE_MARGIN) };
}

/** Cosine distance between this beat and the previous one. */
function harmonicChange(chroma: MusicFacts['beats']['chroma'], beat: number): number {
  if (beat === 0) return 0;
  const [before, after] = [chroma[beat - 1], chroma[beat]];
  const isSilent = before.every((share) => share === 0) || after.every((share) => share === 0);
  return isSilent ? 0 : Math.max(0, 1 - before.reduce((sum, share, pitch) => sum + share * after[pitch], 0));
}

function standardized(values: readonly number[]): number[] {
  const middle = mean(values);
  const deviation = Math.max(MIN_DEVIATION, standardDeviation(values));
  return values.map((value) => (value - middle) / deviation);
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
