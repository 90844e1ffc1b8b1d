import { coarseDistance, type FrameSketch } from '../frames/sketch.ts';

const WINDOW = {
  /** Window lengths; a transition is found in the next longer one. */
  LENGTHS_SECONDS: [0.15, 0.25, 0.4, 0.63, 1, 1.6, 2.5, 4],
  MIN_SAMPLES: 3,
  /** Least score in levels, and as a share of the change. */
  SCORE_FLOOR: 5,
  SCORE_SHARE: 0.3,
  /** Windows that share this much of their union are duplicates. */
  SAME_OVERLAP: 0.5,
  /** Distance of the anchor pictures outside a transition, as a share of its length. */
  ANCHOR_SHARE: 0.08,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** A span of samples in which the picture changes more than just before and after it. */
export interface TransitionWindow {
  /** Indices of samples: the picture before the change, and after it. */
  readonly start: number;
  readonly end: number;
  /** Change inside less the change around it, levels of 255. */
  readonly score: number;
  /** Change inside, levels of 255. */
  readonly change: number;
}

/**
 * Windows inside `first..last` (samples without a hard cut), best first, without duplicates. Uses the coarse
 * pictures, in which small camera motions are invisible.
 */
export function transitionWindows(
  samples: readonly FrameSketch[],
  first: number,
  last: number,
): TransitionWindow[] {
  const found: TransitionWindow[] = [];
  if (last - first < WINDOW.MIN_SAMPLES) return found;
  const duration = samples[last].timeSeconds - samples[first].timeSeconds;
  const interval = duration / (last - first);
  let previous = 0;
  for (const seconds of WINDOW.LENGTHS_SECONDS) {
    const length = Math.max(WINDOW.MIN_SAMPLES, Math.round(seconds / interval));
    if (length === previous || length > last - first) continue;
    previous = length;
    const around = Math.max(2, Math.round(length / 2));
    // Change over the time before and after, computed once for each first sample.
    const nearby = new Float64Array(last + 1).fill(-1);
    const changeFrom = (from: number): number => {
      if (nearby[from] < 0)
        nearby[from] = coarseDistance(samples[from], samples[Math.min(last, from + around)]);
      return nearby[from];
    };
    for (let start = first; start + length <= last; start++) {
      const end = start + length;
      const change = coarseDistance(samples[start], samples[end]);
      if (change < WINDOW.SCORE_FLOOR) continue;
      const before =
        start - around < first ? coarseDistance(samples[first], samples[start]) : changeFrom(start - around);
      const least = Math.max(WINDOW.SCORE_FLOOR, WINDOW.SCORE_SHARE * change);
      if (change - before < least) continue;
      const after = changeFrom(end);
      const score = change - before - after;
      if (score >= least) found.push({ start, end, score, change });
    }
  }
  return distinct(found);
}

function distinct(windows: TransitionWindow[]): TransitionWindow[] {
  windows.sort((a, b) => b.score - a.score);
  const distinctWindows: TransitionWindow[] = [];
  for (const window of windows) {
    if (!distinctWindows.some((other) => overlap(other, window) > WINDOW.SAME_OVERLAP))
      distinctWindows.push(window);
  }
  return distinctWindows;
}

/** Intersection over union of two spans; 0 if they do not overlap. */
export function overlap(
  a: { readonly start: number; readonly end: number },
  b: { readonly start: number; readonly end: number },
): number {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared <= 0 ? 0 : shared / (Math.max(a.end, b.end) - Math.min(a.start, b.start));
}

/** Indices of samples. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span, widened a little: an eased transition begins so slowly that its first frames look old. */
export function anchors(span: Span, within: Span): Span {
  const outside = Math.max(1, Math.round((span.end - span.start) * WINDOW.ANCHOR_SHARE));
  return {
    start: Math.max(within.start, span.start - outside),
    end: Math.min(within.end, span.end + outside),
  };
}

/** A span plus half its length on both sides. */
export function surroundings(span: Span, segment: Span): { from: number; to: number } {
  const margin = Math.max(3, Math.round((span.end - span.start) / 2));
  return { from: Math.max(segment.start, span.start - margin), to: Math.min(segment.end, span.end + margin) };
}
