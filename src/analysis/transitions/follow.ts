import type { FrameSketch } from '../frames/sketch.ts';
import { fitProgress, type ProgressFit } from './progress.ts';
import { anchors, type Span, surroundings } from './window.ts';

/** A span of a transition with the model that explains it, such as a blend or a slide, and the ramp of its progress. */
export interface Followed<Found> extends Span {
  readonly found: Found;
  readonly fit: ProgressFit;
  readonly residual: number;
}

/** Models samples `from`..`to` by the pictures at the ends of a span; null if no model fits. `progress`: 0..1, one value a sample. */
export type Explain<Found> = (
  at: Span,
  around: { readonly from: number; readonly to: number },
) => { readonly found: Found; readonly progress: Float64Array; readonly residual: number } | null;

/** Most steps until the ends are stable. */
const ROUNDS = 4;

/**
 * Moves the ends of a window to the start and end of the progress until they are stable. Returns the visited
 * span with the least residual.
 */
export function follow<Found>(
  samples: readonly FrameSketch[],
  window: Span,
  segment: Span,
  explain: Explain<Found>,
): Followed<Found> | null {
  let span = window;
  let followed: Followed<Found> | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const { from, to } = surroundings(span, segment);
    const explained = explain(round === 0 ? span : anchors(span, { start: from, end: to }), { from, to });
    if (explained === null) break;
    const times = samples.slice(from, to + 1).map((sample) => sample.timeSeconds);
    const fit = fitProgress(times, explained.progress);
    if (fit === null) break;
    const next = { start: from + fit.start, end: from + fit.end };
    if (next.end - next.start < 2) return null;
    const { found, residual } = explained;
    if (followed === null || residual <= followed.residual) followed = { ...next, found, fit, residual };
    if (next.start === span.start && next.end === span.end) break;
    span = next;
  }
  return followed;
}
