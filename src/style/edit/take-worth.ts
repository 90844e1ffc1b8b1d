/** How much of a take deserves to be shown beside the others. */
import type { Span } from '../../analysis/facts.ts';
import { smoothstep } from '../../signal/interpolation.ts';
import type { CurveMeans } from './curve-means.ts';
import { bestSharpness, softnessOf } from './take-sharpness.ts';

/** Worth of the best run of a take with something and with nothing to see: skies and walls have .1 to .3, an unlit car park by night .05 to .15. */
const NOTHING = [0.3, 0.1] as const;

/** 0: there is nothing to see; 1: no less than in usual takes. */
export function seenShare(means: CurveMeans, { startSeconds, endSeconds }: Span): number {
  return 1 - smoothstep(...NOTHING, means.mean('worth', startSeconds, endSeconds));
}

/** 0..1: less for a take that is far softer than `reference`, or that shows nothing in any of its runs. */
export function worthOfTake(
  take: { readonly means: CurveMeans; readonly runs: readonly Span[] },
  reference: number,
): number {
  const seen = take.runs.reduce((most, run) => Math.max(most, seenShare(take.means, run)), 0);
  return (1 - softnessOf(bestSharpness(take) / reference)) * seen;
}
