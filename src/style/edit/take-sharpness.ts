/** How sharp takes are at the output's size, compared with each other. */
import type { Span } from '../../analysis/facts.ts';
import { smoothstep } from '../../signal/interpolation.ts';
import { quantile } from '../../signal/statistics.ts';
import type { CurveMeans } from './curve-means.ts';
import type { EditTake } from './edit-plan.ts';

/** Shares of the reference: sharp faces and machines of one camera differ by the first; a blur of .4 % of the width leaves .4 to .55. */
const SOFTER = [0.65, 0.45] as const;
/** Quantile of the takes by their sharpness that is the reference: half of them may be blurred. */
const REFERENCE = 0.75;
/** Outputs have about so many lines; more are not seen. */
const OUTPUT_LINES = 720;

interface MeasuredTake {
  readonly take: EditTake;
  readonly means: CurveMeans;
  readonly runs: readonly Span[];
}

/** 0: about as sharp as the reference, 1: much softer. `ratio`: sharpness over the reference. */
export function softnessOf(ratio: number): number {
  return smoothstep(...SOFTER, ratio);
}

/** For each take, the sharpness at which it looks like the sharp takes: more for one of fewer lines. */
export function referenceSharpness(takes: readonly MeasuredTake[]): number[] {
  const shown = takes.filter(({ runs }) => runs.length > 0);
  const lines = ({ take }: MeasuredTake) => Math.min(OUTPUT_LINES, take.material.lines ?? OUTPUT_LINES);
  if (shown.length === 0) return takes.map(() => 1);
  const sharp = Math.max(1e-3, quantile(shown.map(bestSharpness), REFERENCE));
  const usualLines = quantile(shown.map(lines), REFERENCE);
  return takes.map((take) => sharp * Math.max(1, usualLines / lines(take)));
}

/** Of its sharpest usable run; 0: it has none. */
export function bestSharpness({ means, runs }: Omit<MeasuredTake, 'take'>): number {
  return runs.reduce(
    (most, { startSeconds, endSeconds }) => Math.max(most, means.mean('sharpness', startSeconds, endSeconds)),
    0,
  );
}
