import { LIKENESS, panLikeness } from '../frames/likeness.ts';
import type { FrameSketch } from '../frames/sketch.ts';
import { analyseBlend } from './blend.ts';
import { confidence, type GradualTransition, MOVEMENT_LIMITS, PROGRESS_ERROR } from './evidence.ts';
import { fitProgress, type ProgressFit } from './progress.ts';
import { analyseSlide } from './slide.ts';
import { anchors, type Span, surroundings } from './window.ts';
import { analyseZoom } from './zoom.ts';

export const MOVEMENT = {
  /** A span whose residual is above this many limits is not followed further. */
  HOPELESS: 1.4,
  MAX_ROUNDS: 3,
  /** Log magnification below which a zoom is camera movement within a dissolve. */
  ZOOM_LOG_SCALE: 0.25,
  /** See `SlideAnalysis.seam`: seen on slides from 1.2, mostly above 2, on pans .4 to 1.1. */
  MIN_SEAM: 1.35,
  /** A pan of a slide's length may leave no more than this of the picture. */
  MIN_PAN_OVERLAP: 0.1,
  /** A picture carried this far (in widths or heights) slides; one that stays where it is does not. */
  TRAVEL: 0.3,
  /** Samples around a slide in which a pan would show. */
  PAN_SAMPLES: 6,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

const { SLIDE_RESIDUAL, ZOOM_RESIDUAL, ADVANTAGE, ZOOM_ADVANTAGE } = MOVEMENT_LIMITS;

interface Analysis {
  readonly residual: number;
  /** Of every sample in the surroundings. */
  readonly progress: Float64Array;
}

interface Followed<Found> extends Span {
  readonly found: Found;
  readonly fit: ProgressFit;
}

/** Pictures that move: slide and zoom. */
export function classifyMovement(
  samples: readonly FrameSketch[],
  spans: readonly Span[],
  stretch: Span,
): GradualTransition | null {
  const slide = slideOf(samples, spans, stretch);
  const zoom = zoomOf(samples, spans, stretch);
  if (slide === null || zoom === null) return slide ?? zoom;
  return zoom.confidence > slide.confidence ? zoom : slide;
}

function slideOf(
  samples: readonly FrameSketch[],
  spans: readonly Span[],
  stretch: Span,
): GradualTransition | null {
  let best: GradualTransition | null = null;
  let least: number = SLIDE_RESIDUAL;
  for (const span of spans) {
    // Where the camera's motion is known, a slide has to show in it.
    if (samples[span.end].camera !== null && travel(samples, span) < MOVEMENT.TRAVEL / 2) continue;
    const followed = follow(samples, span, stretch, SLIDE_RESIDUAL, analyseSlide);
    if (followed === null || followed.found.residual >= least) continue;
    const { start, end, fit, found } = followed;
    if (found.residual >= ADVANTAGE * plainResidual(samples, followed)) continue;
    if (found.seam < MOVEMENT.MIN_SEAM || movesOn(samples, followed, stretch)) continue;
    const isVertical = found.direction === 'up' || found.direction === 'down';
    const likeness = panLikeness(samples[start], samples[end], isVertical, MOVEMENT.MIN_PAN_OVERLAP);
    if (likeness >= LIKENESS.PAN_LIKENESS) continue;
    least = found.residual;
    best = {
      type: 'slide',
      start,
      end,
      easing: fit.easing,
      direction: found.direction,
      confidence: confidence(found.residual, SLIDE_RESIDUAL),
    };
  }
  return best;
}

/** A zoom that leaves much less than mixing in place does. */
function zoomOf(
  samples: readonly FrameSketch[],
  spans: readonly Span[],
  stretch: Span,
): GradualTransition | null {
  let best: (GradualTransition & { readonly residual: number }) | null = null;
  for (const span of spans) {
    const followed = follow(samples, span, stretch, ZOOM_RESIDUAL, analyseZoom);
    if (followed === null || followed.found.residual >= ZOOM_RESIDUAL) continue;
    const { start, end, fit, found } = followed;
    if (found.logScale < MOVEMENT.ZOOM_LOG_SCALE) continue;
    if (found.residual >= ZOOM_ADVANTAGE * plainResidual(samples, followed)) continue;
    if (best !== null && found.residual >= best.residual) continue;
    best = {
      type: 'zoom',
      start,
      end,
      easing: fit.easing,
      confidence: confidence(found.residual, ZOOM_RESIDUAL),
      residual: found.residual,
    };
  }
  if (best === null) return null;
  const { residual, ...zoom } = best;
  return zoom;
}

/** What mixing in place leaves of the same span. */
function plainResidual(samples: readonly FrameSketch[], { start, end }: Span): number {
  return analyseBlend(samples, start, end, start, end).dissolveResidual;
}

/** Moves the ends of a span to where the movement begins and ends, until they stay. */
function follow<Found extends Analysis>(
  samples: readonly FrameSketch[],
  window: Span,
  stretch: Span,
  limit: number,
  analyse: (
    samples: readonly FrameSketch[],
    start: number,
    end: number,
    from: number,
    to: number,
    limit: number,
  ) => Found | null,
): Followed<Found> | null {
  let span = window;
  let best: Followed<Found> | null = null;
  for (let round = 0; round < MOVEMENT.MAX_ROUNDS; round++) {
    const { from, to } = surroundings(span, stretch);
    const at = round === 0 ? span : anchors(span, { start: from, end: to });
    const found = analyse(samples, at.start, at.end, from, to, MOVEMENT.HOPELESS * limit);
    if (found === null) break;
    const times = samples.slice(from, to + 1).map((sample) => sample.timeSeconds);
    const fit = fitProgress(times, found.progress);
    if (fit === null) break;
    const next = { start: from + fit.start, end: from + fit.end };
    if (next.end - next.start < 2) break;
    if (fit.error <= PROGRESS_ERROR && (best === null || found.residual <= best.found.residual))
      best = { ...next, found, fit };
    if (next.start === span.start && next.end === span.end) break;
    span = next;
  }
  return best;
}

/** How far the camera's motion carries the picture from the start to the end, in widths or heights of it. */
export function travel(samples: readonly FrameSketch[], span: Span): number {
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
  const reach = Math.min(span.end - span.start, MOVEMENT.PAN_SAMPLES);
  const inside = travel(samples, span) / (span.end - span.start);
  const around = [
    { start: Math.max(stretch.start, span.start - reach), end: span.start },
    { start: span.end, end: Math.min(stretch.end, span.end + reach) },
  ];
  return around.every(
    (part) => part.end === part.start || travel(samples, part) > (inside * (part.end - part.start)) / 2,
  );
}
