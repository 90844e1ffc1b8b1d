import { RGB } from '../../domain/footage.ts';
import type { FrameSketch } from './sketch.ts';

export const LIKENESS = {
  /** Width of the small grey pictures that are compared. */
  WIDTH: 16,
  /**
   * Magnifications e^±0.1 .. e^±0.7 are tried, and shifts of up to a third, which leave four ninths of a picture
   * in common.
   */
  LOG_STEP: 0.1,
  LOG_STEPS: 7,
  REACH_SHARE: 1 / 3,
  /** Largest shift along a whip pan, which may replace nearly the whole picture. */
  PAN_REACH_SHARE: 0.88,
  /** Squared grey levels: below it a picture is flat, and its correlation is that of noise. */
  MIN_VARIANCE: 2,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** Sample points within an area, as shares of its sides. */
const QUARTERS = [0.25, 0.75] as const;

interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/**
 * Whether two pictures show the same place: their brightness correlates by at least `enough` (Pearson, −1..1) at
 * some shift and magnification of either. Flat pictures match nothing.
 */
export function isSamePlace(a: FrameSketch, b: FrameSketch, enough: number): boolean {
  const plainA = shrink(a, 1);
  const plainB = shrink(b, 1);
  if (bestCorrelation(plainA, plainB) >= enough) return true;
  for (let step = 1; step <= LIKENESS.LOG_STEPS; step++) {
    const scale = Math.exp(step * LIKENESS.LOG_STEP);
    if (bestCorrelation(shrink(a, scale), plainB) >= enough) return true;
    if (bestCorrelation(plainA, shrink(b, scale)) >= enough) return true;
  }
  return false;
}

/**
 * Best correlation (Pearson, −1..1) of two pictures of a pan, in their common part, over shifts along the
 * pan. The pan may have replaced nearly all of the picture.
 */
export function panLikeness(a: FrameSketch, b: FrameSketch, vertical: boolean): number {
  const one = shrink(a, 1);
  const other = shrink(b, 1);
  const far = Math.floor((vertical ? one.height : one.width) * LIKENESS.PAN_REACH_SHARE);
  return bestCorrelation(one, other, vertical ? 1 : far, vertical ? far : 1);
}

function bestCorrelation(
  a: GreyPicture,
  b: GreyPicture,
  reachX = Math.floor(a.width * LIKENESS.REACH_SHARE),
  reachY = Math.floor(a.height * LIKENESS.REACH_SHARE),
): number {
  let best = -1;
  for (let dy = -reachY; dy <= reachY; dy++) {
    for (let dx = -reachX; dx <= reachX; dx++) best = Math.max(best, correlation(a, b, dx, dy));
  }
  return best;
}

/** Grey, `LIKENESS.WIDTH` pixels wide, of the middle part at this magnification. */
function shrink({ width, height, pixels }: FrameSketch, scale: number): GreyPicture {
  const across = Math.min(LIKENESS.WIDTH, width);
  const down = Math.max(1, Math.round((across * height) / width));
  const data = new Float32Array(across * down);
  const stepX = width / across / scale;
  const stepY = height / down / scale;
  for (let y = 0; y < down; y++) {
    const top = height / 2 + (y - down / 2) * stepY;
    for (let x = 0; x < across; x++) {
      const left = width / 2 + (x - across / 2) * stepX;
      // Four sample points per area.
      let sum = 0;
      for (const below of QUARTERS) {
        const py = Math.min(height - 1, Math.floor(top + stepY * below));
        for (const aside of QUARTERS) {
          const px = Math.min(width - 1, Math.floor(left + stepX * aside));
          const p = (py * width + px) * RGB;
          sum += pixels[p] + 2 * pixels[p + 1] + pixels[p + 2];
        }
      }
      data[y * across + x] = sum / 16;
    }
  }
  return { width: across, height: down, data };
}

function correlation(a: GreyPicture, b: GreyPicture, dx: number, dy: number): number {
  const { width, height } = a;
  const fromX = Math.max(0, dx);
  const toX = Math.min(width, width + dx);
  const fromY = Math.max(0, dy);
  const toY = Math.min(height, height + dy);
  const n = (toX - fromX) * (toY - fromY);
  let su = 0;
  let sv = 0;
  let suu = 0;
  let svv = 0;
  let suv = 0;
  for (let y = fromY; y < toY; y++) {
    let p = y * width + fromX;
    let q = (y - dy) * width + fromX - dx;
    for (let x = fromX; x < toX; x++, p++, q++) {
      const u = a.data[p];
      const v = b.data[q];
      su += u;
      sv += v;
      suu += u * u;
      svv += v * v;
      suv += u * v;
    }
  }
  const du = suu - (su * su) / n;
  const dv = svv - (sv * sv) / n;
  if (Math.min(du, dv) < LIKENESS.MIN_VARIANCE * n) return 0;
  return (suv - (su * sv) / n) / Math.sqrt(du * dv);
}
