/** How sharp takes are at the output's size, compared with each other. */
import type { Span } from '../../analysis/facts.ts';
import { smoothstep } from '../../signal/interpolation.ts';
import { median } from '../../signal/statistics.ts';
import type { CurveMeans } from './curve-means.ts';
import type { EditTake } from './edit-plan.ts';
import type { TimeLine } from './look-alikes.ts';

/** Shares of the reference: sharp faces and machines of one camera differ by the first; a blur of .4 % of the width leaves .4 to .55. */
const SOFTER = [0.67, 0.5] as const;
/** The reference is the median of the takes that have this share of the sharpest one's sharpness: however many others are blurred. */
const SHARP_SHARE = 0.55;
/**
 * Sharpness below which a take is blurred beside sharper ones, and share of theirs: a blur of .4 % of the width leaves .40 to .52 and .5 to .72,
 * sharp takes have .65 to 1. Alone, such takes are how somebody films.
 */
const BLURRED = { sharpness: 0.55, share: 0.75 } as const;
/** Outputs have about so many lines; more are not seen. */
const OUTPUT_LINES = 720;

interface MeasuredTake {
  readonly take: EditTake;
  readonly means: CurveMeans;
  readonly runs: readonly Span[];
  readonly line: TimeLine;
}

/** 0: about as sharp as the reference, 1: much softer. `ratio`: sharpness over the reference. */
export function softnessOf(ratio: number): number {
  return smoothstep(...SOFTER, ratio);
}

/**
 * For each take, the sharpness at which it looks like the sharp takes at the output's size, or like its sharpest twin: more for one of fewer
 * lines.
 */
export function referenceSharpness(takes: readonly MeasuredTake[]): number[] {
  const lines = ({ take }: MeasuredTake) => Math.min(OUTPUT_LINES, take.material.lines ?? OUTPUT_LINES);
  const sharpness = takes.map((take) => bestSharpness(take) * lines(take));
  const most = Math.max(1e-3, ...sharpness);
  const sharp = sharpness.filter((value) => value >= SHARP_SHARE * most);
  const usual = sharp.length === 0 ? most : median(sharp);
  return takes.map((take) => {
    const twins = sharpness.filter((_, other) => takes[other].line.group === take.line.group);
    return Math.max(1e-3, usual, ...twins) / lines(take);
  });
}

/** For each take, whether it is blurred beside the sharp ones, whatever its size. */
export function areBlurred(takes: readonly Pick<MeasuredTake, 'means' | 'runs'>[]): boolean[] {
  const sharpness = takes.map(bestSharpness);
  const sharp = sharpness.filter((value) => value >= BLURRED.sharpness);
  if (sharp.length === 0) return takes.map(() => false);
  const limit = Math.min(BLURRED.sharpness, BLURRED.share * median(sharp));
  return sharpness.map((value) => value < limit);
}

/** Of its sharpest usable run; 0: it has none. */
export function bestSharpness({ means, runs }: Pick<MeasuredTake, 'means' | 'runs'>): number {
  return runs.reduce(
    (most, { startSeconds, endSeconds }) => Math.max(most, means.mean('sharpness', startSeconds, endSeconds)),
    0,
  );
}
