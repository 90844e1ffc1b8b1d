/** The rhythm of a template: whether it follows a beat, and how long its shots may last in another edit. */
import { clamp } from '../../signal/interpolation.ts';
import { mean, median, quantile } from '../../signal/statistics.ts';
import type { TemplateEdit, TemplateSlot } from './edit-plan.ts';

/** Fewer cuts do not show whether they follow a beat. */
const MIN_CUTS = 12;
/** Cuts on each beat cluster once within a beat, cuts that are also on half beats twice. */
const CYCLES_PER_BEAT = [1, 2];
/** Probability of cuts at random phases in one of the two tests. */
const MAX_CHANCE = 0.01;
/** Of the template's lengths: longer shots are exceptions, which other material rarely holds. */
const LONGEST_QUANTILE = 0.9;
/** Of shots without speech, whichever is longer. Last shots of 10.3 s between shots of 1 to 2 s were seen. */
const LONGEST_BARS = 2;
const LONGEST_MEDIANS = 3;
/** In ten reels all of 13 silent shots of 4.5 s and more were judged too long, of 11 shots of 3.2 to 4 s five (0301). */
const LONGEST_SECONDS = 4.5;
/** Of slots that are slower than the template's (0309). */
const LONGEST_SLOWER_SECONDS = 3;
/** A template with shorter shots is not calm: it is not cut faster to show more takes. */
const CALM_SECONDS = 2.5;

/** Whether the template's cuts follow its beat, by Rayleigh's test on their phases; null: too few cuts. */
export function followsBeat({ slots }: TemplateEdit): boolean | null {
  const phases = slots.slice(1).flatMap(({ phase }) => (phase === null ? [] : [phase]));
  if (phases.length < MIN_CUTS) return null;
  return CYCLES_PER_BEAT.some((cycles) => chanceOf(phases.map((phase) => phase * cycles)) <= MAX_CHANCE);
}

/** Probability that random phases (in turns) cluster as these do: Rayleigh's test, with the second term of its series. */
function chanceOf(phases: readonly number[]): number {
  const sum = (part: (angle: number) => number) =>
    phases.reduce((total, phase) => total + part(2 * Math.PI * phase), 0);
  const z = (sum(Math.cos) ** 2 + sum(Math.sin) ** 2) / phases.length;
  return clamp(Math.exp(-z) * (1 + (2 * z - z * z) / (4 * phases.length)), 0, 1);
}

/** Length that few of a template's shots exceed, in the unit of `lengths`. */
export function longestUsual(lengths: readonly number[]): number {
  return quantile(lengths, LONGEST_QUANTILE);
}

/** The longest that each slot may last, in the unit of `lengths`, as are `bar` and `second`. `hasSpeech`: the takes are heard. */
export function longestLengths(
  slots: readonly Pick<TemplateSlot, 'speaks'>[],
  lengths: readonly number[],
  { bar, second, hasSpeech }: { readonly bar: number; readonly second: number; readonly hasSpeech: boolean },
): number[] {
  const longest = longestUsual(lengths);
  const usual = Math.max(LONGEST_BARS * bar, LONGEST_MEDIANS * median(lengths));
  const silent = Math.min(longest, usual, LONGEST_SECONDS * second);
  return slots.map(({ speaks }) => (speaks && hasSpeech ? longest : silent));
}

/** The longest that slots may last where all are slower by a factor: `limits` in the unit of `second`. */
export function slowerLimits(limits: readonly number[], slower: number, second: number): number[] {
  return limits.map((limit) => Math.max(limit, Math.min(slower * limit, LONGEST_SLOWER_SECONDS * second)));
}

/** Factor of all lengths with which `seconds` hold enough slots, for calm templates. */
export function paceFor(lengthsSeconds: readonly number[], seconds: number, leastSlots: number): number {
  const slots = seconds / mean(lengthsSeconds);
  return clamp(slots / leastSlots, Math.min(1, CALM_SECONDS / median(lengthsSeconds)), 1);
}
