import { SPREAD } from '../camera/motion-steps.ts';
import type { MotionCurve } from '../facts.ts';
import { middleOf, STEP_SECONDS } from './steps.ts';

/** Jitter is measured over this long. */
const JITTER_SECONDS = 0.5;

export interface CameraCurves {
  /** Diagonals per second, one per step. */
  readonly motion: readonly number[];
  readonly activity: readonly number[];
  /** Greatest departure of the picture from a smooth path within half a second around the step, in widths, from end to end. */
  readonly jitter: readonly number[];
  /** Mean share of the picture that the measured camera explains within half a second around the step, 0..1. */
  readonly support: readonly number[];
}

/** Motion of camera and content per step, from the motion from frame to frame; `aspect`: width over height. */
export function cameraCurves(curve: MotionCurve, aspect: number, count: number): CameraCurves {
  const path = pathOf(curve, aspect);
  const [motion, activity, jitter, support]: number[][] = [[], [], [], []];
  let from = 0;
  for (let step = 0; step < count; step++) {
    while (from < path.times.length && path.times[from] < step * STEP_SECONDS) from += 1;
    let to = from;
    while (to < path.times.length && path.times[to] < (step + 1) * STEP_SECONDS) to += 1;
    motion.push(meanOf(path.speed, from, to, motion.at(-1) ?? 0));
    activity.push(meanOf(path.residual, from, to, activity.at(-1) ?? 0));
    const [first, last] = framesAround(path.times, middleOf(step), from);
    jitter.push(
      Math.hypot(departure(path.times, path.x, first, last), departure(path.times, path.y, first, last)),
    );
    support.push(meanOf(curve.support, first, last, 1));
  }
  return { motion, activity, jitter, support };
}

interface Path {
  readonly times: readonly number[];
  /** Widths since the start. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Diagonals per second. */
  readonly speed: Float64Array;
  readonly residual: Float64Array;
}

function pathOf(curve: MotionCurve, aspect: number): Path {
  const { timesSeconds: times, shiftX, shiftY, logScale, rotation, residual } = curve;
  const count = times.length;
  const [x, y, speed, rest] = Array.from({ length: 4 }, () => new Float64Array(count));
  const widthInDiagonals = aspect / Math.hypot(aspect, 1);
  for (let i = 1; i < count; i++) {
    const [across, down] = [shiftX[i], shiftY[i] / aspect];
    x[i] = x[i - 1] + across;
    y[i] = y[i - 1] + down;
    const seconds = Math.max(1e-3, times[i] - times[i - 1]);
    const turned = (logScale[i] ** 2 + rotation[i] ** 2) * SPREAD ** 2;
    speed[i] = Math.sqrt((across ** 2 + down ** 2) * widthInDiagonals ** 2 + turned) / seconds;
    rest[i] = residual[i] / seconds;
  }
  return { times, x, y, speed, residual: rest };
}

function meanOf(values: ArrayLike<number>, from: number, to: number, otherwise: number): number {
  if (to <= from) return otherwise;
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum / (to - from);
}

/** First and last index, exclusive, of the frames within half of `JITTER_SECONDS` of a time. */
function framesAround(times: readonly number[], middle: number, near: number): readonly [number, number] {
  let [from, to] = [near, near];
  while (from > 0 && times[from - 1] >= middle - JITTER_SECONDS / 2) from -= 1;
  while (to < times.length && times[to] <= middle + JITTER_SECONDS / 2) to += 1;
  return [from, to];
}

/**
 * Range of the values about their parabola, which follows a camera that turns or speeds up: ten hand-held clips have up to .018 (.05 about
 * a line), sways of 3 % to both sides from .037.
 */
function departure(times: readonly number[], values: Float64Array, from: number, to: number): number {
  if (to - from < 4) return 0;
  const middle = (times[from] + times[to - 1]) / 2;
  const around = times.slice(from, to).map((time) => time - middle);
  const basis: number[][] = [];
  let rest = [...values.subarray(from, to)];
  for (const power of [0, 1, 2]) {
    let direction = around.map((time) => time ** power);
    for (const other of basis) direction = withoutPart(direction, other);
    basis.push(direction);
    rest = withoutPart(rest, direction);
  }
  return Math.max(...rest) - Math.min(...rest);
}

/** The values less their projection on a direction. */
function withoutPart(values: readonly number[], direction: readonly number[]): number[] {
  const product = (others: readonly number[]) =>
    direction.reduce((sum, value, at) => sum + value * others[at], 0);
  const square = product(direction);
  if (square === 0) return [...values];
  const weight = product(values) / square;
  return values.map((value, at) => value - weight * direction[at]);
}
