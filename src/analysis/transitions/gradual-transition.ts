import type { Direction, Easing, TransitionType } from '../facts.ts';

/** A gradual transition by sample indices. */
export interface GradualTransition {
  readonly type: TransitionType;
  readonly start: number;
  readonly end: number;
  readonly easing: Easing;
  readonly direction?: Direction;
  /** `#rrggbb` that a `fade_color` passes through. */
  readonly color?: string;
  readonly confidence: number;
}
