import type { Direction, Easing, TransitionType } from '../facts.ts';

/** A gradual transition by indices of samples. */
export interface GradualTransition {
  readonly type: TransitionType;
  readonly start: number;
  readonly end: number;
  readonly easing: Easing;
  readonly direction?: Direction;
  readonly confidence: number;
}

/** Root mean square distance of the progress from an eased ramp. */
export const PROGRESS_ERROR = 0.13;

/** Limits of what a movement may leave of the difference of the two pictures, and of what mixing in place leaves. */
export const MOVEMENT_LIMITS = {
  SLIDE_RESIDUAL: 0.42,
  ZOOM_RESIDUAL: 0.23,
  ADVANTAGE: 0.8,
  ZOOM_ADVANTAGE: 0.75,
} as const;

/** 0.95 for a perfect fit, 0.5 at the limit. */
export function confidence(residual: number, limit: number): number {
  return 0.95 - (0.45 * residual) / limit;
}
