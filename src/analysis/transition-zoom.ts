import type { FrameSketch } from './shot-sketch.ts';
import { probeIndices } from './transition-slide.ts';

export interface ZoomAnalysis {
  /** What the best zoom leaves, relative to the difference of the two pictures. */
  readonly residual: number;
  /** Largest log magnification seen while the moving picture still shows. */
  readonly logScale: number;
  /** Share of the new picture, 0..1, in every sample from `from` to `to`. */
  readonly progress: Float64Array;
}

/** Magnifications tried: e^0 .. e^2.4 in even steps. */
const LOG_STEP = 0.1;
const STEPS = 25;
/** A picture shows as long as its share is above this. */
const VISIBLE_SHARE = 0.25;

/**
 * Explains the samples between `start` and `end` as the old picture magnified about the middle while the new
 * one is mixed in, or the other way round in time: the new one mixed in magnified and settling.
 */
export function analyseZoom(
  samples: readonly FrameSketch[],
  start: number,
  end: number,
  from: number,
  to: number,
): ZoomAnalysis | null {
  const probes = probeIndices(start, end).map((index) => samples[index]);
  if (probes.length === 0) return null;
  const old = samples[start];
  const fresh = samples[end];
  const out = explain(old, fresh, probes);
  const into = explain(fresh, old, probes);
  const best = out.residual <= into.residual ? out : into;
  if (!Number.isFinite(best.residual)) return null;
  const around = samples.slice(from, to + 1);
  const { shares } = best === out ? explain(old, fresh, around) : explain(fresh, old, around);
  return {
    residual: best.residual,
    logScale: best.logScale,
    progress: best === out ? shares : shares.map((share) => 1 - share),
  };
}

interface Explanation {
  readonly residual: number;
  readonly logScale: number;
  /** Share of the still picture in each sample. */
  readonly shares: Float64Array;
}

/** Samples as mixtures of `moving` at some magnification and `still`. */
function explain(moving: FrameSketch, still: FrameSketch, samples: readonly FrameSketch[]): Explanation {
  const b = still.pixels;
  let energy = 0;
  for (let i = 0; i < b.length; i++) energy += (b[i] - moving.pixels[i]) ** 2;
  const least = new Float64Array(samples.length).fill(Number.POSITIVE_INFINITY);
  const shares = new Float64Array(samples.length);
  let logScale = 0;
  const scales = new Float64Array(samples.length);
  for (let step = 0; step < STEPS; step++) {
    const a = magnify(moving, Math.exp(step * LOG_STEP));
    for (let k = 0; k < samples.length; k++) {
      const { left, share } = mix(a, b, samples[k].pixels);
      if (left >= least[k]) continue;
      least[k] = left;
      shares[k] = share;
      scales[k] = 1 - share >= VISIBLE_SHARE ? step * LOG_STEP : 0;
    }
  }
  let left = 0;
  for (let k = 0; k < samples.length; k++) {
    left += least[k];
    logScale = Math.max(logScale, scales[k]);
  }
  return { residual: Math.sqrt(left / (energy * samples.length)), logScale, shares };
}

/** Share of `b` in `f` by least squares, the rest being `a`; and the squared difference left. */
function mix(a: Float32Array, b: Uint8Array, f: Uint8Array): { left: number; share: number } {
  let dd = 0;
  let fd = 0;
  let ff = 0;
  for (let i = 0; i < f.length; i++) {
    const d = b[i] - a[i];
    const x = f[i] - a[i];
    dd += d * d;
    fd += x * d;
    ff += x * x;
  }
  const share = dd === 0 ? 0 : Math.min(1, Math.max(0, fd / dd));
  return { left: Math.max(0, ff - 2 * share * fd + share * share * dd), share };
}

/** The picture magnified about its middle, bilinear. */
function magnify({ width, height, pixels }: FrameSketch, scale: number): Float32Array {
  const out = new Float32Array(pixels.length);
  for (let y = 0; y < height; y++) {
    const sy = (y + 0.5 - height / 2) / scale + height / 2 - 0.5;
    const y0 = Math.min(height - 1, Math.max(0, Math.floor(sy)));
    const y1 = Math.min(height - 1, y0 + 1);
    const v = Math.min(1, Math.max(0, sy - y0));
    for (let x = 0; x < width; x++) {
      const sx = (x + 0.5 - width / 2) / scale + width / 2 - 0.5;
      const x0 = Math.min(width - 1, Math.max(0, Math.floor(sx)));
      const x1 = Math.min(width - 1, x0 + 1);
      const u = Math.min(1, Math.max(0, sx - x0));
      for (let c = 0; c < 3; c++) {
        const top = pixels[(y0 * width + x0) * 3 + c] * (1 - u) + pixels[(y0 * width + x1) * 3 + c] * u;
        const low = pixels[(y1 * width + x0) * 3 + c] * (1 - u) + pixels[(y1 * width + x1) * 3 + c] * u;
        out[(y * width + x) * 3 + c] = top * (1 - v) + low * v;
      }
    }
  }
  return out;
}
