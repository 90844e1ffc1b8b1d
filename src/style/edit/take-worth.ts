/** How much of a take deserves to be shown beside the others. */
import type { Span } from '../../analysis/facts.ts';
import { smoothstep } from '../../signal/interpolation.ts';
import { median } from '../../signal/statistics.ts';
import type { CurveMeans } from './curve-means.ts';
import { bestSharpness, softnessOf } from './take-sharpness.ts';

/** Worth of the best run of a take with something and with nothing to see: skies and walls have .1 to .3, an unlit car park by night .05 to .15. */
const NOTHING = [0.3, 0.1] as const;

/**
 * Light times worth, over the usual one of the takes. An unlit hall among rooms and faces has .2, a night fair among lit grills .1, a concert
 * among selfies .14; selfies by night .22 to .26, a sky .35.
 */
const PLAIN = [0.4, 0.1] as const;

/** 0: there is nothing to see; 1: no less than in usual takes. */
export function seenShare(means: CurveMeans, { startSeconds, endSeconds }: Span): number {
  return 1 - smoothstep(...NOTHING, means.mean('worth', startSeconds, endSeconds));
}

interface MeasuredTake {
  readonly means: CurveMeans;
  readonly runs: readonly Span[];
}

/**
 * Of each take, 0..1: less if it is far softer than its `references`, shows nothing in any of its runs, or is dark and shows little beside the
 * others.
 */
export function worthsOfTakes(takes: readonly MeasuredTake[], references: readonly number[]): number[] {
  const appeal = takes.map(appealOf);
  const usable = appeal.filter((_, at) => takes[at].runs.length > 0);
  const usual = usable.length === 0 ? 0 : median(usable);
  return takes.map((take, at) => {
    const seen = take.runs.reduce((most, run) => Math.max(most, seenShare(take.means, run)), 0);
    const plain = smoothstep(...PLAIN, appeal[at] / Math.max(1e-3, usual));
    return (1 - softnessOf(bestSharpness(take) / references[at])) * seen * (1 - plain);
  });
}

/** Light times what there is to see, of its best run. */
function appealOf({ means, runs }: MeasuredTake): number {
  return runs.reduce((most, { startSeconds, endSeconds }) => {
    const mean = (name: 'lightness' | 'worth') => means.mean(name, startSeconds, endSeconds);
    return Math.max(most, mean('lightness') * mean('worth'));
  }, 0);
}
