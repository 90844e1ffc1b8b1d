import { median } from '../../signal/statistics.ts';
import type { Direction } from '../facts.ts';
import type { FrameSketch } from '../frames/sketch.ts';
import { slideAxes, VARIANTS, type Variant } from './slide-axis.ts';

/** Samples used to choose direction and kind. */
const PROBES = 6;

export interface SlideAnalysis {
  readonly direction: Direction;
  readonly variant: Variant;
  /** Residual of the best slide, relative to the difference of the two pictures. */
  readonly residual: number;
  /** Progress 0..1 of every sample from `from` to `to`. */
  readonly progress: Float64Array;
  /** Clarity of the edge between the pictures, from `SlideAxis.seam`: about 1 without an edge, as in a pan. */
  readonly seam: number;
}

interface Movement {
  readonly direction: Direction;
  readonly vertical: boolean;
  /** The new picture enters at the last line instead of the first. */
  readonly fromEnd: boolean;
}

const MOVEMENTS: readonly Movement[] = [
  { direction: 'left', vertical: false, fromEnd: true },
  { direction: 'right', vertical: false, fromEnd: false },
  { direction: 'up', vertical: true, fromEnd: true },
  { direction: 'down', vertical: true, fromEnd: false },
];

/**
 * Models the samples between `start` and `end` as one picture moving out and the other moving in. Null if the
 * residual exceeds `limit`.
 */
export function analyseSlide(
  samples: readonly FrameSketch[],
  start: number,
  end: number,
  from: number,
  to: number,
  limit = Number.POSITIVE_INFINITY,
): SlideAnalysis | null {
  const probes = probeIndices(start, end);
  if (probes.length === 0) return null;
  const axes = slideAxes(samples[start], samples[end]);
  const energy = axes[0].energy;
  if (energy === 0) return null;
  const moves = MOVEMENTS.flatMap((movement) =>
    VARIANTS.map((variant) => ({ movement, variant, remaining: 0 })),
  );
  for (const axis of axes) {
    const along = moves.filter(({ movement }) => movement.vertical === axis.vertical);
    for (const probe of probes) {
      axis.compare(samples[probe]);
      for (const move of along)
        move.remaining += axis.bestShift(move.movement.fromEnd, move.variant).remaining;
    }
  }
  const { movement, variant, remaining } = moves.reduce((best, move) =>
    move.remaining < best.remaining ? move : best,
  );
  const residual = Math.sqrt(remaining / (energy * probes.length));
  if (residual > limit) return null;
  const axis = axes[movement.vertical ? 1 : 0];
  const progress = new Float64Array(to - from + 1);
  for (let i = from; i <= to; i++) {
    axis.compare(samples[i]);
    progress[i - from] = axis.bestShift(movement.fromEnd, variant).shift / axis.lines;
  }
  const seams = probes
    .map((probe) =>
      axis.seam(samples[probe], movement.fromEnd, Math.round(progress[probe - from] * axis.lines)),
    )
    .filter((seam) => seam !== null);
  return {
    direction: movement.direction,
    variant,
    residual,
    progress,
    seam: seams.length === 0 ? 1 : median(seams),
  };
}

/** Up to `PROBES` indices between the two, spread evenly. */
export function probeIndices(start: number, end: number): number[] {
  const count = Math.min(PROBES, end - start - 1);
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    Math.round(start + ((i + 1) * (end - start)) / (count + 1)),
  );
}
