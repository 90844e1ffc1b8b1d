import type { Direction } from '../facts.ts';
import { isSamePlace } from '../frames/likeness.ts';
import { coarseDistance, type FrameSketch, medianCellDistance } from '../frames/sketch.ts';
import { analyseBlend, type BlendAnalysis } from './blend.ts';
import type { Candidate } from './candidate.ts';
import { type Followed, follow } from './follow.ts';
import { fitProgress, type ProgressFit } from './progress.ts';
import { analyseSlide } from './slide.ts';
import { EVIDENCE, straightness } from './span-evidence.ts';
import type { Span } from './window.ts';
import { analyseZoom } from './zoom.ts';

const CANDIDATES = {
  /** Least straightness of a window that may be a dissolve. */
  STRAIGHT: 0.4,
  /** Least median change of the picture's cells over their mean: a title that fades in changes few cells. */
  WIDESPREAD: 0.5,
  /** Distance of the last anchors outside the span, as a share of its length. */
  SETTLING_SHARE: 0.25,
} as const;

type Samples = readonly FrameSketch[];

/**
 * Candidates in a window inside `segment`, which has no hard cut. Most windows are motion within a shot and are
 * rejected cheaply.
 */
export function* candidatesIn(samples: Samples, window: Span, segment: Span): Generator<Candidate> {
  const [before, after] = [samples[window.start], samples[window.end]];
  const isWide = medianCellDistance(before, after) >= CANDIDATES.WIDESPREAD * coarseDistance(before, after);
  const isElsewhere = isWide && !isSamePlace(before, after, EVIDENCE.SAME_PLACE);
  const mixes = isElsewhere || straightness(samples, window) >= CANDIDATES.STRAIGHT;
  const whole = mixes ? mixed(samples, window, segment, 'whole') : null;
  const blend = whole?.found ?? analyseBlend(samples, window, { from: window.start, to: window.end });
  if (whole !== null) {
    const { found, ...span } = whole;
    yield { ...span, type: 'dissolve', blend: found, residual: found.dissolveResidual };
  }
  const shape = isWide ? shapeIn(samples, window, segment, shapeOf(blend).progress) : null;
  if (shape !== null) yield shape;
  // Moving pictures need not look like a mixture.
  for (const span of isElsewhere ? [whole, window] : []) {
    if (span === null) continue;
    const moved = [
      slideIn(samples, span, segment, blend.dissolveResidual),
      zoomIn(samples, span, segment, blend.dissolveResidual),
    ];
    yield* moved.filter((one) => one !== null);
  }
}

type Progress = keyof BlendAnalysis['progress'];
type Shape = { readonly progress: Progress; readonly residual: number; readonly explained: number } & (
  | { readonly type: 'circle' }
  | { readonly type: 'wipe'; readonly direction: Direction }
);

/** The pictures between the ends as mixtures of both ends. */
function mixed(
  samples: Samples,
  window: Span,
  segment: Span,
  progress: Progress,
): Followed<BlendAnalysis> | null {
  return follow(samples, window, segment, (at, { from, to }) => {
    const found = analyseBlend(samples, at, { from, to });
    // The last span is the best: the closer the ends, the smaller the residual.
    return { found, progress: found.progress[progress], residual: 0 };
  });
}

/** The order in which the parts of the picture switch, and its residual. */
function shapeOf(blend: BlendAnalysis): Shape {
  const { across, outward } = blend;
  const explained = Math.max(across.explained, outward.explained);
  if (explained === outward.explained)
    return { type: 'circle', progress: 'rings', residual: blend.ringResidual, explained };
  const [x, y] = across.slopes;
  const wipe =
    Math.abs(x) > Math.abs(y)
      ? ({ progress: 'columns', direction: x > 0 ? 'right' : 'left' } as const)
      : ({ progress: 'rows', direction: y > 0 ? 'down' : 'up' } as const);
  const residual = wipe.progress === 'columns' ? blend.columnResidual : blend.rowResidual;
  return { ...wipe, type: 'wipe', residual, explained };
}

/** A wipe or circle, tracked by its edge. */
function shapeIn(samples: Samples, window: Span, segment: Span, progress: Progress): Candidate | null {
  const followed = mixed(samples, window, segment, progress);
  if (followed === null) return null;
  const { progress: same, ...shape } = shapeOf(followed.found);
  return same === progress ? { ...shape, ...refined(samples, followed, segment, progress) } : null;
}

/**
 * Refits the ends against pictures well outside: nearby ones belong to a slow beginning, which then looks short
 * and straight. Unchanged if nothing fits.
 */
function refined(
  samples: Samples,
  followed: Followed<BlendAnalysis>,
  segment: Span,
  progress: Progress,
): Span & { readonly fit: ProgressFit } {
  const length = followed.end - followed.start;
  const outside = Math.max(2, Math.round(CANDIDATES.SETTLING_SHARE * length));
  const from = Math.max(segment.start, followed.start - 2 * outside);
  const to = Math.min(segment.end, followed.end + 2 * outside);
  const ends = {
    start: Math.max(segment.start, followed.start - outside),
    end: Math.min(segment.end, followed.end + outside),
  };
  const blend = analyseBlend(samples, ends, { from, to });
  const times = samples.slice(from, to + 1).map((sample) => sample.timeSeconds);
  const fit = fitProgress(times, blend.progress[progress]);
  if (fit !== null) return { start: from + fit.start, end: from + fit.end, fit };
  return { start: followed.start, end: followed.end, fit: followed.fit };
}

/** One picture moves out while the other moves in, with a residual below `limit`. */
function slideIn(samples: Samples, span: Span, segment: Span, limit: number): Candidate | null {
  const followed = follow(samples, span, segment, (at, { from, to }) => {
    const found = analyseSlide(samples, at.start, at.end, from, to, limit);
    return found && { found, progress: found.progress, residual: found.residual };
  });
  // Without an edge between the pictures it is a pan.
  if (followed === null || followed.found.seam <= 1) return null;
  const { found, ...rest } = followed;
  const { direction, seam, residual } = found;
  return { ...rest, type: 'slide', direction, seam, residual };
}

/** One picture grows, or both do, while they are mixed, with a residual below `limit`. */
function zoomIn(samples: Samples, span: Span, segment: Span, limit: number): Candidate | null {
  const followed = follow(samples, span, segment, (at, { from, to }) => {
    const found = analyseZoom(samples, at.start, at.end, from, to, limit);
    return found && { found, progress: found.progress, residual: found.residual };
  });
  if (followed === null || followed.found.logScale === 0) return null;
  const { found, ...rest } = followed;
  return { ...rest, type: 'zoom', logScale: found.logScale, residual: found.residual };
}
