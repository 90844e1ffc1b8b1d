import type { Direction, Easing, TransitionType } from './facts.ts';
import { isSamePlace } from './shot-likeness.ts';
import { coarseDistance, type FrameSketch, medianCellDistance } from './shot-sketch.ts';
import { analyseBlend, type BlendAnalysis } from './transition-blend.ts';
import { fitProgress, type ProgressFit } from './transition-progress.ts';
import { analyseSlide } from './transition-slide.ts';
import type { TransitionWindow } from './transition-window.ts';
import { analyseZoom } from './transition-zoom.ts';

/** A gradual transition by indices of samples. */
export interface GradualTransition {
  readonly type: TransitionType;
  readonly start: number;
  readonly end: number;
  readonly easing: Easing;
  readonly direction?: Direction;
  readonly confidence: number;
}

/**
 * Limits of what a model may leave of the difference of the two pictures. On 60 cross-fades a dissolve left
 * .13–.30, on 60 stretches inside shots a pan .46 and a zoom .36.
 */
const DISSOLVE_RESIDUAL = 0.31;
/** A dissolve that leaves so little is no zoom. */
const CLEAR_DISSOLVE = 0.08;
const WIPE_RESIDUAL = 0.42;
const CIRCLE_RESIDUAL = 0.42;
const SLIDE_RESIDUAL = 0.5;
const ZOOM_RESIDUAL = 0.27;
/** A model with more freedom has to leave less than this share of what the plain mixture leaves. */
const ADVANTAGE = 0.8;
const ZOOM_ADVANTAGE = 0.65;
const MOST_ZOOM_SECONDS = 2;
/** Switch times of a wipe run over most of the picture; of a circle, whose edge is often soft, over less. */
const WIPE_SLOPE = 0.55;
const CIRCLE_SLOPE = 0.28;
const LINE_EXPLAINED = 0.55;
/** Root mean square difference of the old and the new picture, of 255: below it nothing is certain. */
const LEAST_DIFFERENCE = 24;
/** Old and new picture that correlate this well, at some shift, are the same place. */
const SAME_PLACE = 0.8;
/** Median change of the parts of the picture over their mean: a title that fades in changes few of them. */
const WIDESPREAD = 0.45;
const LEAST_SECONDS = 0.11;
const LEAST_STEPS = 3;
const MOST_SECONDS = 4;
/** Root mean square distance of the progress from an eased ramp. */
const PROGRESS_ERROR = 0.13;
/** Log magnification below which a zoom is camera movement within a dissolve. */
const ZOOM_LOG_SCALE = 0.25;

/** How far outside a transition the pictures are taken that it is explained by, as a share of its length. */
const ANCHOR_SHARE = 0.08;
/** A picture carried this far (in widths or heights) slides; one that stays where it is does not. */
const TRAVEL = 0.3;
/** Samples around a slide in which a pan would show. */
const PAN_SAMPLES = 6;
/** Means over a transition's steps above which the camera explains it. */
const CAMERA_SUPPORT = 0.7;
const CAMERA_EXPLAINED = 0.45;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Decides what, if anything, happens in a window inside `first..last`, a stretch without a hard cut. */
export function classifyWindow(
  samples: readonly FrameSketch[],
  window: TransitionWindow,
  first: number,
  last: number,
): GradualTransition | null {
  // Most windows are motion within a shot: this tells it for little.
  if (isOneShot(samples, window)) return null;
  const stretch = { start: first, end: last };
  const whole = refine(samples, window, stretch, 'whole');
  if (whole === null || whole.blend.difference < LEAST_DIFFERENCE) return null;
  const found = bestOf(samples, whole, window, stretch);
  if (found === null) return null;
  const seconds = samples[found.end].timeSeconds - samples[found.start].timeSeconds;
  if (found.end - found.start < LEAST_STEPS || seconds < LEAST_SECONDS || seconds > MOST_SECONDS) return null;
  return isOneShot(samples, found) ? null : found;
}

/** The model that leaves least. Movement is looked into where mixing in place leaves doubt. */
function bestOf(
  samples: readonly FrameSketch[],
  whole: Refined,
  window: Span,
  stretch: Span,
): GradualTransition | null {
  const blend = classifyBlend(samples, whole, window, stretch);
  if (blend?.type === 'dissolve' && whole.blend.dissolveResidual > CLEAR_DISSOLVE) {
    return zoomOf(samples, whole, window, stretch, ZOOM_ADVANTAGE * whole.blend.dissolveResidual) ?? blend;
  }
  if (blend !== null && travel(samples, whole) < TRAVEL) return blend;
  const movement = classifyMovement(samples, whole, window, stretch);
  return blend === null || (movement !== null && movement.confidence > blend.confidence) ? movement : blend;
}

/** The pictures at both ends differ in a part only, a title, or show the same place. */
function isOneShot(samples: readonly FrameSketch[], span: Span): boolean {
  const before = samples[span.start];
  const after = samples[span.end];
  if (medianCellDistance(before, after) < WIDESPREAD * coarseDistance(before, after)) return true;
  return isSamePlace(before, after, SAME_PLACE);
}

/** How far the camera's motion carries the picture from the start to the end, in widths or heights of it. */
function travel(samples: readonly FrameSketch[], span: Span): number {
  let x = 0;
  let y = 0;
  for (let i = span.start + 1; i <= span.end; i++) {
    x += samples[i].camera?.shiftX ?? 0;
    y += samples[i].camera?.shiftY ?? 0;
  }
  return Math.max(Math.abs(x), Math.abs(y));
}

/** The picture moves on at more than half its speed before and after the span: a pan, no slide. */
function movesOn(samples: readonly FrameSketch[], span: Span, stretch: Span): boolean {
  const reach = Math.min(span.end - span.start, PAN_SAMPLES);
  const inside = travel(samples, span) / (span.end - span.start);
  const around = [
    { start: Math.max(stretch.start, span.start - reach), end: span.start },
    { start: span.end, end: Math.min(stretch.end, span.end + reach) },
  ];
  return around.every(
    (part) => part.end === part.start || travel(samples, part) > (inside * (part.end - part.start)) / 2,
  );
}

/** The camera's motion alone explains what happens. */
function isCameraWork(samples: readonly FrameSketch[], span: Span): boolean {
  let support = 0;
  let explained = 0;
  for (let i = span.start + 1; i <= span.end; i++) {
    support += samples[i].camera?.support ?? 0;
    explained += samples[i].camera?.explained ?? 0;
  }
  const steps = span.end - span.start;
  return support >= CAMERA_SUPPORT * steps && explained >= CAMERA_EXPLAINED * steps;
}

type ProgressKind = 'whole' | 'columns' | 'rows' | 'rings';

interface Refined extends Span {
  readonly blend: BlendAnalysis;
  readonly fit: ProgressFit;
}

/** Moves the ends of a window to where the progress begins and ends, until they stay. */
function refine(
  samples: readonly FrameSketch[],
  window: Span,
  stretch: Span,
  kind: ProgressKind,
): Refined | null {
  let span = window;
  let refined: Refined | null = null;
  for (let round = 0; round < 4; round++) {
    const { from, to } = surroundings(span, stretch);
    // Anchors a little outside: an eased transition begins so slowly that its first frames look all old.
    const outside = round === 0 ? 0 : Math.max(1, Math.round((span.end - span.start) * ANCHOR_SHARE));
    const blend = analyseBlend(
      samples,
      Math.max(from, span.start - outside),
      Math.min(to, span.end + outside),
      from,
      to,
    );
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

function surroundings(span: Span, stretch: Span): { from: number; to: number } {
  const margin = Math.max(3, Math.round((span.end - span.start) / 2));
  return { from: Math.max(stretch.start, span.start - margin), to: Math.min(stretch.end, span.end + margin) };
}

/** Pictures mixed in place: dissolve, wipe, circle. */
function classifyBlend(
  samples: readonly FrameSketch[],
  whole: Refined,
  window: Span,
  stretch: Span,
): GradualTransition | null {
  const { blend, fit } = whole;
  const shape = shapeOf(blend);
  if (shape !== null) {
    const refined = refine(samples, window, stretch, shape.kind);
    const sure = refined === null ? null : shapeOf(refined.blend);
    if (
      refined !== null &&
      sure !== null &&
      sure.type === shape.type &&
      refined.fit.error <= PROGRESS_ERROR
    ) {
      return {
        type: sure.type,
        start: refined.start,
        end: refined.end,
        easing: refined.fit.easing,
        ...(sure.direction === undefined ? {} : { direction: sure.direction }),
        confidence: confidence(sure.residual, WIPE_RESIDUAL),
      };
    }
  }
  if (blend.dissolveResidual > DISSOLVE_RESIDUAL || fit.error > PROGRESS_ERROR) return null;
  if (explainsMore(blend.cellResidual, blend.dissolveResidual) && blend.dissolveResidual > 0.2) return null;
  return {
    type: 'dissolve',
    start: whole.start,
    end: whole.end,
    easing: fit.easing,
    confidence: confidence(blend.dissolveResidual, DISSOLVE_RESIDUAL),
  };
}

interface Shape {
  readonly type: 'wipe' | 'circle';
  readonly kind: ProgressKind;
  readonly direction?: Direction;
  readonly residual: number;
}

/** The order in which the places of the picture switch, when there is one. */
function shapeOf(blend: BlendAnalysis): Shape | null {
  const { acrossX: x, acrossY: y, acrossRadius: r, dissolveResidual: plain } = blend;
  const sure = Math.max(x.explained, y.explained, r.explained);
  if (sure < LINE_EXPLAINED) return null;
  if (sure === r.explained) {
    if (Math.abs(r.slope) < CIRCLE_SLOPE || blend.ringResidual > CIRCLE_RESIDUAL) return null;
    return explainsMore(blend.ringResidual, plain)
      ? { type: 'circle', kind: 'rings', residual: blend.ringResidual }
      : null;
  }
  const horizontal = sure === x.explained;
  const slope = horizontal ? x.slope : y.slope;
  const residual = horizontal ? blend.columnResidual : blend.rowResidual;
  if (Math.abs(slope) < WIPE_SLOPE || residual > WIPE_RESIDUAL || !explainsMore(residual, plain)) return null;
  const direction = horizontal ? (slope > 0 ? 'right' : 'left') : slope > 0 ? 'down' : 'up';
  return { type: 'wipe', kind: horizontal ? 'columns' : 'rows', direction, residual };
}

/** Pictures that move: slide and zoom. */
function classifyMovement(
  samples: readonly FrameSketch[],
  whole: Refined,
  window: Span,
  stretch: Span,
): GradualTransition | null {
  const plain = whole.blend.dissolveResidual;
  let best: GradualTransition | null = null;
  let least = Number.POSITIVE_INFINITY;
  // Where the camera's motion is known, a slide has to show in it.
  const moves = samples[whole.end].camera === null || travel(samples, window) >= TRAVEL / 2;
  for (const span of moves ? [whole, window] : []) {
    const { from, to } = surroundings(span, stretch);
    const slide = analyseSlide(samples, span.start, span.end, from, to);
    if (slide === null || slide.residual > SLIDE_RESIDUAL || slide.residual >= least) continue;
    if (!explainsMore(slide.residual, plain)) continue;
    const fit = fitProgress(
      samples.slice(from, to + 1).map((sample) => sample.timeSeconds),
      slide.progress,
    );
    if (fit === null || fit.error > PROGRESS_ERROR) continue;
    if (movesOn(samples, { start: from + fit.start, end: from + fit.end }, stretch)) continue;
    least = slide.residual;
    best = {
      type: 'slide',
      start: from + fit.start,
      end: from + fit.end,
      easing: fit.easing,
      direction: slide.direction,
      confidence: confidence(slide.residual, SLIDE_RESIDUAL),
    };
  }
  return zoomOf(samples, whole, window, stretch, Math.min(least, ZOOM_ADVANTAGE * plain)) ?? best;
}

/** A zoom that leaves less than `limit`. */
function zoomOf(
  samples: readonly FrameSketch[],
  whole: Span,
  window: Span,
  stretch: Span,
  limit: number,
): GradualTransition | null {
  let best: GradualTransition | null = null;
  let least = Math.min(limit, ZOOM_RESIDUAL);
  for (const span of [whole, window]) {
    const seconds = samples[span.end].timeSeconds - samples[span.start].timeSeconds;
    if (seconds > MOST_ZOOM_SECONDS || isCameraWork(samples, span)) continue;
    const { from, to } = surroundings(span, stretch);
    const zoom = analyseZoom(samples, span.start, span.end, from, to);
    if (zoom === null || zoom.residual > least || zoom.logScale < ZOOM_LOG_SCALE) continue;
    const fit = fitProgress(
      samples.slice(from, to + 1).map((sample) => sample.timeSeconds),
      zoom.progress.map(smoothStepInverse),
    );
    if (fit === null || fit.error > PROGRESS_ERROR) continue;
    least = zoom.residual;
    best = {
      type: 'zoom',
      start: from + fit.start,
      end: from + fit.end,
      easing: fit.easing,
      confidence: confidence(zoom.residual, ZOOM_RESIDUAL),
    };
  }
  return best;
}

/**
 * Where x² (3 − 2x) takes this value. Zooms commonly mix the new picture in by that curve over their progress
 * (gl-transitions' SimpleZoom, FFmpeg's zoomin).
 */
function smoothStepInverse(value: number): number {
  return 0.5 - Math.sin(Math.asin(1 - 2 * Math.min(1, Math.max(0, value))) / 3);
}

function explainsMore(residual: number, plain: number): boolean {
  return residual <= ADVANTAGE * plain;
}

/** 0.95 for a perfect fit, 0.5 at the limit. */
function confidence(residual: number, limit: number): number {
  return 0.95 - (0.45 * residual) / limit;
}
