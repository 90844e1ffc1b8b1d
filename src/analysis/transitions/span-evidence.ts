import { isSamePlace, panLikeness } from '../frames/likeness.ts';
import { coarseDistance, type FrameSketch, medianCellDistance, oneSidedness } from '../frames/sketch.ts';
import { analyseBlend } from './blend.ts';
import type { Candidate } from './candidate.ts';
import { coarseCorrelation } from './ground.ts';
import type { Span } from './window.ts';

/** Evidence for and against a gradual transition in a span. Evidence of other kinds is 0. */
export interface SpanEvidence {
  readonly bias: 1;
  /** Deviation of the progress from an eased ramp, as a logarithm. */
  readonly error: number;
  /**
   * Change within the same length of time before or after, the larger, over the change from end to end: shots are
   * calmer.
   */
  readonly around: number;
  /** Squared correlation of the ends in place: high for one scene in changing light. */
  readonly alike: number;
  /** Whether the ends show the same place at some shift and magnification. */
  readonly samePlace: number;
  /** Few parts of the picture change: a title fades in. */
  readonly patchy: number;
  /** 0..1: how close the picture returns to the old one, or was to the new one: somebody walks past the lens. */
  readonly return: number;
  readonly seconds: number;
  /** One over the number of steps. */
  readonly brief: number;
  /** 0..1: change of the largest step over the change from end to end: of a cut that the span crosses, all of it. */
  readonly leap: number;
  /** Residual of one mixing share for the whole picture, relative to the difference of the ends. */
  readonly plain: number;
  /**
   * Dissolves. 0..1: residual with one share per small cell over that with one share in all: a dissolve is even,
   * ...
   */
  readonly even: number;
  /** ... and the part missing from that. */
  readonly uneven: number;
  /** Dissolves: residual of one share, weighted by the share of the change that block motion explains. */
  readonly moved: number;
  /** Dissolves: nearly everything becomes lighter, or nearly everything darker. */
  readonly oneSided: number;
  /** Others: reduction of the residual by the kind, as a logarithm. */
  readonly advantage: number;
  /** Wipes and circles: share of the variance of the switch times that the shape explains. */
  readonly explained: number;
  /** Slides: clarity of the edge between the pictures (`SlideAnalysis.seam`), as a logarithm. */
  readonly seam: number;
  /** Slides: correlation of the ends in the part that a pan would leave in common. */
  readonly pan: number;
  /** Slides: displacement by the camera's motion, in widths or heights, ... */
  readonly travel: number;
  /** ... and 0..1, the share of that speed before and after. */
  readonly panContinuation: number;
  /** Zooms: log magnification. */
  readonly growth: number;
}

export const EVIDENCE = {
  /** Least likeness of two pictures of the same place. */
  SAME_PLACE: 0.8,
  /** Levels: shorter paths are noise. */
  MIN_TRAVEL: 0.5,
  /** Residuals below this are coding noise. */
  MIN_RESIDUAL: 0.02,
  /** Makes the logarithm of a perfect fit finite; dissolves have .01 to .05. */
  MIN_ERROR: 0.005,
  /** Least evenness of an even dissolve. */
  EVEN: 0.7,
  /** Share above which nearly all of a picture changes, and changes in one direction. */
  NEARLY_ALL: 0.8,
  /** Limit of the change around a span, relative to its own change. */
  MAX_AROUND: 2,
  /** Least time for which somebody who walks past the lens may be out of sight. */
  RETURN_SECONDS: 0.7,
} as const;

const OF_SOME_KINDS = {
  ...{ even: 0, uneven: 0, moved: 0, oneSided: 0, plain: 0, advantage: 0 },
  ...{ explained: 0, seam: 0, pan: 0, travel: 0, panContinuation: 0, growth: 0 },
};

/** The evidence of a candidate within `segment`, which has no hard cut. */
export function spanEvidence(
  samples: readonly FrameSketch[],
  candidate: Candidate,
  segment: Span,
): SpanEvidence {
  const { start, end, fit } = candidate;
  const [before, after] = [samples[start], samples[end]];
  const change = Math.max(EVIDENCE.MIN_TRAVEL, coarseDistance(before, after));
  const likeness = coarseCorrelation(before.coarse, after.coarse);
  return {
    ...OF_SOME_KINDS,
    bias: 1,
    error: Math.log(fit.error + EVIDENCE.MIN_ERROR),
    around: Math.min(EVIDENCE.MAX_AROUND, changeAround(samples, candidate, segment) / change),
    // Plain pictures, whose correlation counts as 1, match nothing.
    alike: likeness === 1 ? 0 : likeness ** 2,
    samePlace: isSamePlace(before, after, EVIDENCE.SAME_PLACE) ? 1 : 0,
    patchy: Math.max(0, EVIDENCE.NEARLY_ALL - medianCellDistance(before, after) / change),
    return: Math.max(0, 1 - nearestReturn(samples, candidate, segment) / change),
    seconds: after.timeSeconds - before.timeSeconds,
    brief: 1 / (end - start),
    leap: Math.min(1, largestStep(samples, candidate) / change),
    ...(candidate.type === 'dissolve'
      ? ofDissolve(samples, candidate)
      : ofOthers(samples, candidate, segment)),
  };
}

function ofDissolve(
  samples: readonly FrameSketch[],
  { start, end, blend }: Candidate & { readonly type: 'dissolve' },
): Partial<SpanEvidence> {
  const residual = Math.max(EVIDENCE.MIN_RESIDUAL, blend.dissolveResidual);
  const even = Math.min(1, blend.cellResidual / residual);
  let explained = 0;
  for (let i = start + 1; i <= end; i++) explained += samples[i].camera?.explained ?? 0;
  return {
    plain: blend.dissolveResidual,
    even,
    uneven: Math.max(0, EVIDENCE.EVEN - even),
    moved: (residual * explained) / (end - start),
    oneSided: Math.max(0, oneSidedness(samples[start], samples[end]) - EVIDENCE.NEARLY_ALL),
  };
}

function ofOthers(
  samples: readonly FrameSketch[],
  candidate: Exclude<Candidate, { readonly type: 'dissolve' }>,
  segment: Span,
): Partial<SpanEvidence> {
  const { type, start, end, residual } = candidate;
  const plain = analyseBlend(samples, { start, end }, { from: start, to: end }).dissolveResidual;
  const common = {
    plain,
    advantage: Math.log((residual + EVIDENCE.MIN_RESIDUAL) / (plain + EVIDENCE.MIN_RESIDUAL)),
  };
  if (type === 'zoom') return { ...common, growth: candidate.logScale };
  if (type !== 'slide') return { ...common, explained: candidate.explained };
  const isVertical = candidate.direction === 'up' || candidate.direction === 'down';
  return {
    ...common,
    seam: Math.log(candidate.seam),
    pan: panLikeness(samples[start], samples[end], isVertical),
    travel: travel(samples, candidate),
    panContinuation: panContinuation(samples, candidate, segment),
  };
}

/** Largest change from one sample to the next, levels of 255. */
export function largestStep(samples: readonly FrameSketch[], { start, end }: Span): number {
  let largest = 0;
  for (let i = start + 1; i <= end; i++)
    largest = Math.max(largest, coarseDistance(samples[i - 1], samples[i]));
  return largest;
}

function changeAround(samples: readonly FrameSketch[], { start, end }: Span, segment: Span): number {
  const length = end - start;
  const from = samples[Math.max(segment.start, start - length)];
  const to = samples[Math.min(segment.end, end + length)];
  return Math.max(coarseDistance(from, samples[start]), coarseDistance(samples[end], to));
}

/** Distance of the closest picture after the span from the one before it, or before it from the one after it. */
function nearestReturn(samples: readonly FrameSketch[], { start, end }: Span, segment: Span): number {
  const [before, after] = [samples[start], samples[end]];
  const within = Math.max(EVIDENCE.RETURN_SECONDS, after.timeSeconds - before.timeSeconds);
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = end + 1; i <= segment.end && samples[i].timeSeconds - after.timeSeconds <= within; i++)
    nearest = Math.min(nearest, coarseDistance(before, samples[i]));
  for (let i = start - 1; i >= segment.start && before.timeSeconds - samples[i].timeSeconds <= within; i--)
    nearest = Math.min(nearest, coarseDistance(after, samples[i]));
  return nearest;
}

/** Displacement by the camera's motion from start to end, in widths or heights of the picture. */
function travel(samples: readonly FrameSketch[], { start, end }: Span): number {
  let x = 0;
  let y = 0;
  for (let i = start + 1; i <= end; i++) {
    x += samples[i].camera?.shiftX ?? 0;
    y += samples[i].camera?.shiftY ?? 0;
  }
  return Math.max(Math.abs(x), Math.abs(y));
}

/**
 * Speed of the picture over the same length of time before or after, the smaller, over that inside: a pan
 * continues.
 */
function panContinuation(samples: readonly FrameSketch[], { start, end }: Span, segment: Span): number {
  const length = end - start;
  const inside = travel(samples, { start, end }) / length;
  const speeds = [
    { start: Math.max(segment.start, start - length), end: start },
    { start: end, end: Math.min(segment.end, end + length) },
  ]
    .filter((part) => part.end > part.start)
    .map((part) => travel(samples, part) / (part.end - part.start));
  // Without known motion, no pan continues.
  return inside === 0 ? 0 : Math.min(1, ...speeds.map((speed) => speed / inside));
}

/** 0..1: the change from the start to the end over the sum of the changes from sample to sample. */
export function straightness(samples: readonly FrameSketch[], { start, end }: Span): number {
  let travelled = 0;
  for (let i = start + 1; i <= end; i++) travelled += coarseDistance(samples[i - 1], samples[i]);
  return coarseDistance(samples[start], samples[end]) / Math.max(EVIDENCE.MIN_TRAVEL, travelled);
}
