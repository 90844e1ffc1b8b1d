import { isSamePlace } from '../frames/likeness.ts';
import { coarseDistance, type FrameSketch, medianCellDistance, oneSidedness } from '../frames/sketch.ts';
import type { BlendAnalysis } from './blend.ts';
import { coarseCorrelation } from './fade.ts';
import type { ProgressFit } from './progress.ts';
import type { Span } from './window.ts';

/** A span whose samples were explained as mixtures of the pictures at its ends. */
export interface MixedSpan extends Span {
  readonly blend: BlendAnalysis;
  readonly fit: ProgressFit;
}

/** What speaks for a dissolve in a span and against it. */
export interface DissolveEvidence {
  readonly bias: 1;
  /** Distance of the shares from an eased ramp, as a logarithm. */
  readonly error: number;
  /** 0..1: what shares of their own for small cells leave of what one share leaves: a dissolve is even, ... */
  readonly even: number;
  /** ... and what is missing to that. */
  readonly uneven: number;
  /** What one share leaves of the difference of the ends, as far as moving blocks explain the change. */
  readonly moved: number;
  /** Change within as long a time before or after, the larger, over the change from end to end: shots are calmer. */
  readonly around: number;
  /** Nearly all becomes lighter, or nearly all darker. */
  readonly oneSided: number;
  /** Squared correlation of the ends in place: one scene in changing light is like itself. */
  readonly alike: number;
  /** The ends show the same place at some shift and magnification. */
  readonly samePlace: number;
  /** Few parts of the picture change: a title fades in. */
  readonly patchy: number;
}

export const DISSOLVE = {
  /** Likeness at which two pictures show the same place. */
  SAME_PLACE: 0.8,
  /** Levels: a way shorter than this is noise. */
  LEAST_WAY: 0.5,
  /** Residuals below this are coding noise, even or not; above that the ends explain nothing. */
  LEAST_RESIDUAL: 0.02,
  MOST_RESIDUAL: 0.5,
  /** Keeps the logarithm of a perfect fit finite; seen on dissolves .01 to .05. */
  LEAST_ERROR: 0.005,
  /** From here on evidence speaks against a dissolve: on dissolves even from .7, one-sided to .8, widespread from .8. */
  EVEN: 0.7,
  ONE_SIDED: 0.8,
  WIDESPREAD: 0.8,
  /** Beyond twice the change, more change around says no more. */
  MOST_AROUND: 2,
} as const;

export function dissolveEvidence(
  samples: readonly FrameSketch[],
  { start, end, blend, fit }: MixedSpan,
  stretch: Span,
): DissolveEvidence {
  const [before, after] = [samples[start], samples[end]];
  const change = Math.max(DISSOLVE.LEAST_WAY, coarseDistance(before, after));
  const residual = Math.max(DISSOLVE.LEAST_RESIDUAL, blend.dissolveResidual);
  const even = Math.min(1, blend.cellResidual / residual);
  const likeness = coarseCorrelation(before.coarse, after.coarse);
  let explained = 0;
  for (let i = start + 1; i <= end; i++) explained += samples[i].camera?.explained ?? 0;
  return {
    bias: 1,
    error: Math.log(fit.error + DISSOLVE.LEAST_ERROR),
    even,
    uneven: Math.max(0, DISSOLVE.EVEN - even),
    moved: (residual * explained) / (end - start),
    around: Math.min(DISSOLVE.MOST_AROUND, changeAround(samples, { start, end }, stretch) / change),
    oneSided: Math.max(0, oneSidedness(before, after) - DISSOLVE.ONE_SIDED),
    // Plain pictures, whose correlation counts as 1, are like nothing.
    alike: likeness === 1 ? 0 : likeness ** 2,
    samePlace: isSamePlace(before, after, DISSOLVE.SAME_PLACE) ? 1 : 0,
    patchy: Math.max(0, DISSOLVE.WIDESPREAD - medianCellDistance(before, after) / change),
  };
}

function changeAround(samples: readonly FrameSketch[], { start, end }: Span, stretch: Span): number {
  const length = end - start;
  const from = samples[Math.max(stretch.start, start - length)];
  const to = samples[Math.min(stretch.end, end + length)];
  return Math.max(coarseDistance(from, samples[start]), coarseDistance(samples[end], to));
}

/** 0..1: the change from the start to the end over the sum of the changes from sample to sample. */
export function straightness(samples: readonly FrameSketch[], { start, end }: Span): number {
  let way = 0;
  for (let i = start + 1; i <= end; i++) way += coarseDistance(samples[i - 1], samples[i]);
  return coarseDistance(samples[start], samples[end]) / Math.max(DISSOLVE.LEAST_WAY, way);
}
