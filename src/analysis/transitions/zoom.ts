import { RGB } from '../../domain/footage.ts';
import { clamp } from '../../signal/interpolation.ts';
import { LIKENESS } from '../frames/likeness.ts';
import type { FrameSketch } from '../frames/sketch.ts';
import { probeIndices } from './slide.ts';

const ZOOM = {
  /** Magnifications tried: e^0 .. e^2.4, in the steps of `LIKENESS`. */
  LOG_STEP: LIKENESS.LOG_STEP,
  STEPS: 25,
  /** Steps by which the two pictures together grow if both move: factors from 1.5 to 4. */
  THROUGH_STEPS: [4, 6, 9, 14],
  /** Least share of a visible picture; growth is not extrapolated from smaller shares. */
  VISIBLE_SHARE: 0.25,
  /** Pixels of the picture per pixel of the small one. */
  REDUCTION: 2,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** Values between compared pixels: one in three along a row. */
const STRIDE = 3 * RGB;

export interface ZoomAnalysis {
  /** Residual of the best zoom, relative to the difference of the two pictures. */
  readonly residual: number;
  /** Largest log magnification while the moving picture is visible. */
  readonly logScale: number;
  /** Progress, about 0..1, of every sample from `from` to `to`. */
  readonly progress: Float64Array;
}

/** A possible composition of a sample: two magnified pictures, by the index of their magnification. */
interface Mixture {
  readonly oldStep: number;
  readonly freshStep: number;
}

/**
 * The variants of editors. The old picture grows and the new one is mixed in (gl-transitions' SimpleZoom);
 * FFmpeg's `zoomin` first grows it into a single point. Or the new one is mixed in magnified and shrinks to
 * its place. Or the old one grows, and the new one continues to grow from a smaller part or shrinks from a
 * larger one.
 */
const VARIANTS: readonly (readonly Mixture[])[] = [
  Array.from({ length: ZOOM.STEPS }, (_, step) => ({ oldStep: step, freshStep: 0 })),
  Array.from({ length: ZOOM.STEPS }, (_, step) => ({ oldStep: 0, freshStep: step })),
  ...ZOOM.THROUGH_STEPS.map((steps) =>
    Array.from({ length: steps + 1 }, (_, step) => ({ oldStep: step, freshStep: steps - step })),
  ),
];

/**
 * Models the samples between `start` and `end` as one of the editors' zooms about the middle. Null if the
 * residual exceeds `limit`.
 */
export function analyseZoom(
  samples: readonly FrameSketch[],
  start: number,
  end: number,
  from: number,
  to: number,
  limit = Number.POSITIVE_INFINITY,
): ZoomAnalysis | null {
  const probes = probeIndices(start, end).map((index) => samples[index].small);
  if (probes.length === 0) return null;
  const old = magnifications(samples[start]);
  const fresh = magnifications(samples[end]);
  let energy = 0;
  for (let i = 0; i < old[0].length; i += STRIDE)
    for (let k = i; k < i + 3; k++) energy += (old[0][k] - fresh[0][k]) ** 2;
  if (energy === 0) return null;
  let best: { variant: readonly Mixture[]; left: number } | null = null;
  for (const variant of VARIANTS) {
    let left = 0;
    for (const probe of probes) left += explain(variant, old, fresh, probe).left;
    if (best === null || left < best.left) best = { variant, left };
  }
  const residual = Math.sqrt(best!.left / (energy * probes.length));
  if (residual > limit) return null;
  const explained: Explanation[] = [];
  for (let i = from; i <= to; i++) explained.push(explain(best!.variant, old, fresh, samples[i].small));
  const logScale =
    Math.max(...explained.slice(start - from + 1, end - from).map(visibleSteps)) * ZOOM.LOG_STEP;
  return {
    residual,
    logScale,
    progress: progressOf(best!.variant, explained, start - from, end - from),
  };
}

interface Explanation extends Mixture {
  /** Remaining squared difference. */
  readonly left: number;
  /** Share of the new picture. */
  readonly share: number;
}

function visibleSteps({ oldStep, freshStep, share }: Explanation): number {
  return Math.max(1 - share >= ZOOM.VISIBLE_SHARE ? oldStep : 0, share >= ZOOM.VISIBLE_SHARE ? freshStep : 0);
}

/**
 * Growth and mixing count half each, because a zoom may do one after the other. Once the growing picture is
 * invisible, only mixing counts; its final growth is extrapolated from the mixing at which it was last visible.
 */
function progressOf(
  variant: readonly Mixture[],
  explained: readonly Explanation[],
  start: number,
  end: number,
): Float64Array {
  const last = variant.length - 1;
  const isThrough = variant[0].freshStep === last && variant[last].oldStep === last;
  if (isThrough) return Float64Array.from(explained, ({ oldStep }) => oldStep / last);
  // A new picture that shrinks to its place is an old one that grows, backwards in time.
  const settles = variant[last].freshStep > 0;
  const grown = ({ oldStep, freshStep }: Explanation): number => (settles ? freshStep : oldStep);
  const mixed = ({ share }: Explanation): number => (settles ? 1 - share : share);
  let most = 0;
  let mixedAtMost = 1;
  for (const one of explained.slice(start + 1, end)) {
    if (1 - mixed(one) < ZOOM.VISIBLE_SHARE || grown(one) < most) continue;
    most = grown(one);
    mixedAtMost = smoothStepInverse(mixed(one));
  }
  const whole = Math.max(1, most / Math.max(ZOOM.VISIBLE_SHARE, mixedAtMost));
  return Float64Array.from(explained, (one, i) => {
    const share = smoothStepInverse(mixed(one));
    const isInside = i > start && i < end && 1 - mixed(one) >= ZOOM.VISIBLE_SHARE;
    const value = isInside ? (Math.min(1, grown(one) / whole) + share) / 2 : share;
    return settles ? 1 - value : value;
  });
}

/**
 * Inverse of x² (3 − 2x). Zooms usually mix in the new picture along that curve (gl-transitions' SimpleZoom,
 * FFmpeg's zoomin).
 */
function smoothStepInverse(value: number): number {
  return 0.5 - Math.sin(Math.asin(1 - 2 * value) / 3);
}

function explain(
  variant: readonly Mixture[],
  old: readonly Float32Array[],
  fresh: readonly Float32Array[],
  sample: Float32Array,
): Explanation {
  let best = variant[0];
  let least = Number.POSITIVE_INFINITY;
  let bestShare = 0;
  for (const mixture of variant) {
    const a = old[mixture.oldStep];
    const b = fresh[mixture.freshStep];
    // Least-squares share of `b`; the rest is `a`.
    let dd = 0;
    let fd = 0;
    let ff = 0;
    for (let i = 0; i < sample.length; i += STRIDE) {
      for (let k = i; k < i + 3; k++) {
        const d = b[k] - a[k];
        const x = sample[k] - a[k];
        dd += d * d;
        fd += x * d;
        ff += x * x;
      }
    }
    const share = dd === 0 ? 0 : clamp(fd / dd, 0, 1);
    const left = Math.max(0, ff - 2 * share * fd + share * share * dd);
    if (left >= least) continue;
    least = left;
    best = mixture;
    bestShare = share;
  }
  return { oldStep: best.oldStep, freshStep: best.freshStep, left: least, share: bestShare };
}

function magnifications(sketch: FrameSketch): Float32Array[] {
  return Array.from({ length: ZOOM.STEPS }, (_, step) => magnify(sketch, Math.exp(step * ZOOM.LOG_STEP)));
}

/** The picture magnified about its middle and reduced, bilinear; at scale 1 the small picture. */
function magnify(sketch: FrameSketch, scale: number): Float32Array {
  const { width, height, pixels, smallWidth: columns, smallHeight: rows } = sketch;
  const out = new Float32Array(columns * rows * 3);
  const step = ZOOM.REDUCTION / scale;
  for (let y = 0, o = 0; y < rows; y++) {
    const sy = (y + 0.5 - rows / 2) * step + rows - 0.5;
    const y0 = Math.min(height - 1, Math.max(0, Math.floor(sy)));
    const y1 = Math.min(height - 1, y0 + 1);
    const v = clamp(sy - y0, 0, 1);
    for (let x = 0; x < columns; x++) {
      const sx = (x + 0.5 - columns / 2) * step + columns - 0.5;
      const x0 = Math.min(width - 1, Math.max(0, Math.floor(sx)));
      const x1 = Math.min(width - 1, x0 + 1);
      const u = clamp(sx - x0, 0, 1);
      const a = (y0 * width + x0) * 3;
      const b = (y0 * width + x1) * 3;
      const c = (y1 * width + x0) * 3;
      const d = (y1 * width + x1) * 3;
      for (let k = 0; k < RGB; k++, o++) {
        const top = pixels[a + k] * (1 - u) + pixels[b + k] * u;
        const low = pixels[c + k] * (1 - u) + pixels[d + k] * u;
        out[o] = top * (1 - v) + low * v;
      }
    }
  }
  return out;
}
