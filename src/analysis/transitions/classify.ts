import type { Direction } from '../facts.ts';
import { isSamePlace } from '../frames/likeness.ts';
import { coarseDistance, type FrameSketch, medianCellDistance } from '../frames/sketch.ts';
import { analyseBlend, type BlendAnalysis } from './blend.ts';
import { isDissolve } from './dissolve.ts';
import { type MixedSpan, straightness } from './dissolve-evidence.ts';
import { confidence, type GradualTransition, MOVEMENT_LIMITS, PROGRESS_ERROR } from './evidence.ts';
import { coarseCorrelation } from './fade.ts';
import { classifyMovement, MOVEMENT, travel } from './movement.ts';
import { fitProgress } from './progress.ts';
import { anchors, type Span, surroundings, type TransitionWindow } from './window.ts';

export const MIXTURE = {
  /**
   * Limits of what a mixture in place may leave of the difference of the two pictures. On 60 cross-fades a dissolve
   * left .13–.30, on 60 stretches inside shots a pan .46 and a zoom .36.
   */
  DISSOLVE_RESIDUAL: 0.31,
  /** Windows that go straighter than this may be a dissolve. */
  STRAIGHT: 0.4,
  /** How far outside the last anchors lie, as a share of the length. */
  SETTLING_SHARE: 0.3,
  SHAPE_RESIDUAL: 0.42,
  /** Share of the switch times' variance that the shape explains: at least, and from where no pan looks alike. */
  LINE_EXPLAINED: 0.55,
  SURELY_EXPLAINED: 0.75,
  SURE_ADVANTAGE: 0.72,
  /** Old and new picture that correlate this well, at some shift, are the same place. */
  SAME_PLACE: 0.8,
  /** Median change of the parts of the picture over their mean: a title that fades in changes few of them. */
  WIDESPREAD: 0.5,
  /** Ends that correlate so well are one scene in changing light: seen on dissolves up to .46, on ramps from .68. */
  LIKE_ENDS: 0.6,
  /** What moves or has an edge shows clearly or is none; a dissolve between moving shots never does. */
  MIN_CONFIDENCE: 0.57,
  /** The picture is back when it differs by less than this share of the change; how soon, at least. */
  RETURN_SHARE: 0.33,
  RETURN_SECONDS: 0.7,
  MIN_SECONDS: 0.11,
  /** An eased change of five frames shows in three: enough where it is explained so well. */
  MIN_SURE_SECONDS: 0.06,
  SURE_CONFIDENCE: 0.8,
  MIN_STEPS: 2,
  MAX_SECONDS: 4,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

const { ADVANTAGE } = MOVEMENT_LIMITS;

/** Decides what, if anything, happens in a window inside `first..last`, a stretch without a hard cut. */
export function classifyWindow(
  samples: readonly FrameSketch[],
  window: TransitionWindow,
  first: number,
  last: number,
): GradualTransition | null {
  const stretch = { start: first, end: last };
  const found = likeliest(samples, window, stretch);
  if (found === null) return null;
  if (found.type !== 'dissolve' && !isWidespread(samples, found)) return null;
  const seconds = samples[found.end].timeSeconds - samples[found.start].timeSeconds;
  const least = found.confidence >= MIXTURE.SURE_CONFIDENCE ? MIXTURE.MIN_SURE_SECONDS : MIXTURE.MIN_SECONDS;
  if (found.end - found.start < MIXTURE.MIN_STEPS || seconds < least || seconds > MIXTURE.MAX_SECONDS)
    return null;
  if (found.type === 'zoom' && hasLikeEnds(samples[found.start], samples[found.end])) return null;
  if (found.type !== 'dissolve' && found.confidence < MIXTURE.MIN_CONFIDENCE) return null;
  if (isInterruption(samples, found, first, last)) return null;
  const isMoved = found.type === 'slide' || found.type === 'zoom';
  return isMoved && isSamePlace(samples[found.start], samples[found.end], MIXTURE.SAME_PLACE) ? null : found;
}

function likeliest(samples: readonly FrameSketch[], window: Span, stretch: Span): GradualTransition | null {
  const isWide = isWidespread(samples, window);
  // Most windows are motion within a shot: this tells it for little.
  const isSame = isSamePlace(samples[window.start], samples[window.end], MIXTURE.SAME_PLACE);
  if (isWide && !isSame) return bestOf(samples, window, stretch);
  const shape = isWide ? sureShape(samples, window, stretch) : null;
  if (shape !== null || straightness(samples, window) < MIXTURE.STRAIGHT) return shape;
  const whole = refine(samples, window, stretch, 'whole');
  return whole === null ? null : dissolveOf(samples, whole, stretch);
}

/** One scene before and after, under another light. Exactly 1 stands for a plain picture, which is like nothing. */
function hasLikeEnds(before: FrameSketch, after: FrameSketch): boolean {
  const likeness = coarseCorrelation(before.coarse, after.coarse);
  return likeness >= MIXTURE.LIKE_ENDS && likeness < 1;
}

/** Somebody walks past the lens: the old picture is back soon, or the new one was there just before. */
function isInterruption(samples: readonly FrameSketch[], span: Span, first: number, last: number): boolean {
  const { start, end } = span;
  const before = samples[start];
  const after = samples[end];
  const limit = MIXTURE.RETURN_SHARE * coarseDistance(before, after);
  const within = Math.max(MIXTURE.RETURN_SECONDS, after.timeSeconds - before.timeSeconds);
  for (let i = end + 1; i <= last && samples[i].timeSeconds - after.timeSeconds <= within; i++) {
    if (coarseDistance(before, samples[i]) < limit) return true;
  }
  for (let i = start - 1; i >= first && before.timeSeconds - samples[i].timeSeconds <= within; i--) {
    if (coarseDistance(after, samples[i]) < limit) return true;
  }
  return false;
}

/** The pictures at both ends differ in more than a part, a title. */
function isWidespread(samples: readonly FrameSketch[], span: Span): boolean {
  const before = samples[span.start];
  const after = samples[span.end];
  return medianCellDistance(before, after) >= MIXTURE.WIDESPREAD * coarseDistance(before, after);
}

/** Shots that look alike are told apart only by an edge that no camera makes. */
function sureShape(samples: readonly FrameSketch[], window: Span, stretch: Span): GradualTransition | null {
  const blend = analyseBlend(samples, window.start, window.end, window.start, window.end);
  const shape = shapeOf(blend);
  const isSure =
    shape !== null &&
    shape.explained >= MIXTURE.SURELY_EXPLAINED &&
    shape.residual <= MIXTURE.SURE_ADVANTAGE * blend.dissolveResidual;
  return isSure ? followShape(samples, shape, window, stretch) : null;
}

/** The model that leaves least. Movement is looked into where mixing in place leaves doubt. */
function bestOf(samples: readonly FrameSketch[], window: Span, stretch: Span): GradualTransition | null {
  const whole = refine(samples, window, stretch, 'whole');
  // What moves need not look like a mixture at all.
  if (whole === null) return classifyMovement(samples, [window], stretch);
  const blend = classifyBlend(samples, whole, window, stretch);
  if (blend !== null && blend.type !== 'dissolve' && travel(samples, whole) < MOVEMENT.TRAVEL) return blend;
  const movement = classifyMovement(samples, [whole, window], stretch);
  return blend === null || (movement !== null && movement.confidence > blend.confidence) ? movement : blend;
}

type ProgressKind = 'whole' | 'columns' | 'rows' | 'rings';

/** Moves the ends of a window to where the progress begins and ends, until they stay. */
export function refine(
  samples: readonly FrameSketch[],
  window: Span,
  stretch: Span,
  kind: ProgressKind,
): MixedSpan | null {
  let span = window;
  let refined: MixedSpan | null = null;
  for (let round = 0; round < 4; round++) {
    const { from, to } = surroundings(span, stretch);
    const at = round === 0 ? span : anchors(span, { start: from, end: to });
    const blend = analyseBlend(samples, at.start, at.end, from, to);
    const times = samples.slice(from, to + 1).map((sample) => sample.timeSeconds);
    const fit = fitProgress(times, blend.progress[kind]);
    if (fit === null) return refined;
    refined = { ...span, blend, fit };
    const next = { start: from + fit.start, end: from + fit.end };
    if (next.start === span.start && next.end === span.end) break;
    if (next.end - next.start < 2) return null;
    span = next;
  }
  return refined;
}

/** Pictures mixed in place: dissolve, wipe, circle. */
function classifyBlend(
  samples: readonly FrameSketch[],
  whole: MixedSpan,
  window: Span,
  stretch: Span,
): GradualTransition | null {
  const shape = shapeOf(whole.blend);
  const followed = shape === null ? null : followShape(samples, shape, window, stretch);
  if (followed !== null) return followed;
  return dissolveOf(samples, whole, stretch);
}

function dissolveOf(
  samples: readonly FrameSketch[],
  whole: MixedSpan,
  stretch: Span,
): GradualTransition | null {
  if (!isDissolve(samples, whole, stretch)) return null;
  const { start, end, fit, blend } = whole;
  const { easing } = fit;
  return {
    type: 'dissolve',
    start,
    end,
    easing,
    confidence: Math.max(0.5, confidence(blend.dissolveResidual, MIXTURE.DISSOLVE_RESIDUAL)),
  };
}

/**
 * The ends once more against pictures from well outside: near ones are part of a slow beginning themselves, which
 * makes it look short and straight. Left as they were where nothing fits.
 */
function settle(
  samples: readonly FrameSketch[],
  refined: MixedSpan,
  stretch: Span,
  kind: ProgressKind,
): MixedSpan {
  const length = refined.end - refined.start;
  const outside = Math.max(2, Math.round(MIXTURE.SETTLING_SHARE * length));
  const from = Math.max(stretch.start, refined.start - 2 * outside);
  const to = Math.min(stretch.end, refined.end + 2 * outside);
  const start = Math.max(stretch.start, refined.start - outside);
  const end = Math.min(stretch.end, refined.end + outside);
  const blend = analyseBlend(samples, start, end, from, to);
  const times = samples.slice(from, to + 1).map((sample) => sample.timeSeconds);
  const fit = fitProgress(times, blend.progress[kind]);
  if (fit === null) return refined;
  return { start: from + fit.start, end: from + fit.end, fit, blend: refined.blend };
}

/** Where the shape begins and ends. */
function followShape(
  samples: readonly FrameSketch[],
  shape: Shape,
  window: Span,
  stretch: Span,
): GradualTransition | null {
  const refined = refine(samples, window, stretch, shape.kind);
  if (refined === null || refined.fit.error > PROGRESS_ERROR) return null;
  const { type, direction, residual } = shapeOf(refined.blend) ?? {};
  if (type !== shape.type || residual === undefined) return null;
  const { start, end, fit } = settle(samples, refined, stretch, shape.kind);
  return {
    type,
    start,
    end,
    easing: fit.easing,
    ...(direction === undefined ? {} : { direction }),
    confidence: confidence(residual, MIXTURE.SHAPE_RESIDUAL),
  };
}

interface Shape {
  readonly type: 'wipe' | 'circle';
  readonly kind: ProgressKind;
  readonly direction?: Direction;
  readonly residual: number;
  readonly explained: number;
}

/** The order in which the places of the picture switch, when there is one. */
function shapeOf(blend: BlendAnalysis): Shape | null {
  const { acrossX: x, acrossY: y, acrossRadius: r, dissolveResidual: plain } = blend;
  const sure = Math.max(x.explained, y.explained, r.explained);
  if (sure < MIXTURE.LINE_EXPLAINED) return null;
  if (sure === r.explained) {
    if (blend.ringResidual > MIXTURE.SHAPE_RESIDUAL) return null;
    return explainsMore(blend.ringResidual, plain)
      ? { type: 'circle', kind: 'rings', residual: blend.ringResidual, explained: sure }
      : null;
  }
  const horizontal = sure === x.explained;
  const slope = horizontal ? x.slope : y.slope;
  const residual = horizontal ? blend.columnResidual : blend.rowResidual;
  if (residual > MIXTURE.SHAPE_RESIDUAL || !explainsMore(residual, plain)) return null;
  const direction = horizontal ? (slope > 0 ? 'right' : 'left') : slope > 0 ? 'down' : 'up';
  return { type: 'wipe', kind: horizontal ? 'columns' : 'rows', direction, residual, explained: sure };
}

function explainsMore(residual: number, plain: number): boolean {
  return residual <= ADVANTAGE * plain;
}
