import type { MotionKernel } from './kernel.ts';
import type { Level, Pyramid } from './pyramid.ts';

/** The later picture is the earlier one, scaled in one step: a punch-in (logScale > 0) or a punch-out. */
export interface ScaleJump {
  readonly logScale: number;
  /** Correlation of the two after scaling, -1..1, without low spatial frequencies. */
  readonly correlation: number;
}

/**
 * Log scales tried: up to the factors 0.7 and 1.4 of editors' punch-ins. Below one step it is camera motion that
 * the block vectors measure.
 */
export const COARSE_STEP = 0.04;
const COARSE_STEPS = 9;
const FINE_STEP = COARSE_STEP / 2;
const MIN_CORRELATION = 0.7;

interface Candidate {
  logScale: number;
  /** Position of the tight picture's middle in the wide one, pixels of the level, after scaling. */
  x: number;
  y: number;
  correlation: number;
}

/**
 * Searches the later picture inside the scaled earlier one, and vice versa. All scales and positions are
 * tried at the quarter level, then a pattern search (Hooke & Jeeves 1961) follows at the half level. Takes
 * about two milliseconds, so it is for suspected cuts only.
 */
export function findScaleJump(kernel: MotionKernel, earlier: Pyramid, later: Pyramid): ScaleJump | null {
  const unscaled = bestPlace(kernel, earlier.quarter, later.quarter, 0, COARSE_STEP);
  let best: Candidate | null = null;
  let direction = 1;
  for (let k = 1; k <= COARSE_STEPS; k++) {
    for (const sign of [1, -1]) {
      const wide = sign === 1 ? earlier.quarter : later.quarter;
      const tight = sign === 1 ? later.quarter : earlier.quarter;
      const found = bestPlace(kernel, wide, tight, k * COARSE_STEP, 0);
      if (best === null || found.correlation > best.correlation) {
        best = found;
        direction = sign;
      }
    }
  }
  if (best === null || best.correlation < MIN_CORRELATION) return null;
  const wide = direction === 1 ? earlier.half : later.half;
  const tight = direction === 1 ? later.half : earlier.half;
  const fine = refine(kernel, wide, tight, { ...best, x: 2 * best.x, y: 2 * best.y });
  const accepted =
    fine.correlation >= MIN_CORRELATION &&
    fine.correlation > unscaled.correlation &&
    fine.logScale >= COARSE_STEP;
  return accepted ? { logScale: direction * fine.logScale, correlation: fine.correlation } : null;
}

/** Best position of the tight picture in the wide one. `slack` widens the range of positions, as if the scale were that much larger. */
function bestPlace(
  kernel: MotionKernel,
  wide: Level,
  tight: Level,
  logScale: number,
  slack: number,
): Candidate {
  const reach = (Math.exp(logScale + slack) - 1) / 2;
  const reachX = Math.ceil(reach * wide.width);
  const reachY = Math.ceil(reach * wide.height);
  const best: Candidate = { logScale, x: 0, y: 0, correlation: -1 };
  for (let y = -reachY; y <= reachY; y++) {
    for (let x = -reachX; x <= reachX; x++) {
      const r = correlate(kernel, wide, tight, logScale, x, y, 2);
      if (r > best.correlation) {
        best.x = x;
        best.y = y;
        best.correlation = r;
      }
    }
  }
  return best;
}

function refine(kernel: MotionKernel, wide: Level, tight: Level, start: Candidate): Candidate {
  const best = { ...start, correlation: correlate(kernel, wide, tight, start.logScale, start.x, start.y, 1) };
  for (let step = 1; step >= 1 / 16; step /= 2) {
    for (let before = -1; best.correlation > before; ) {
      before = best.correlation;
      for (const sign of [-1, 1]) {
        attempt(kernel, wide, tight, best, best.logScale + sign * step * FINE_STEP, best.x, best.y);
        attempt(kernel, wide, tight, best, best.logScale, best.x + sign * step, best.y);
        attempt(kernel, wide, tight, best, best.logScale, best.x, best.y + sign * step);
      }
    }
  }
  return best;
}

function attempt(
  kernel: MotionKernel,
  wide: Level,
  tight: Level,
  best: Candidate,
  logScale: number,
  x: number,
  y: number,
): void {
  const r = correlate(kernel, wide, tight, logScale, x, y, 1);
  if (r <= best.correlation) return;
  best.logScale = logScale;
  best.x = x;
  best.y = y;
  best.correlation = r;
}

/**
 * Correlation coefficient of the tight picture and the part of the wide one that it would show, on every `step`th
 * row and column.
 */
function correlate(
  { run, places }: MotionKernel,
  wide: Level,
  tight: Level,
  logScale: number,
  shiftX: number,
  shiftY: number,
  step: number,
): number {
  const { width, height } = tight;
  const shrink = Math.exp(-logScale);
  return run.correlate(wide.address, tight.address, width, height, shrink, shiftX, shiftY, step, places);
}
