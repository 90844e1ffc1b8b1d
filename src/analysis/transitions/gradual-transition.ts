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

/** A gradual transition, and whether it opens or closes the clip. */
export interface FoundTransition extends GradualTransition {
  readonly edge?: 'start' | 'end';
}

/** Position of samples in the clip. */
export interface Segment {
  /** The first sample is the clip's first frame; the last one its last. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
  /** Indices of the samples that begin with a hard cut. */
  readonly cuts: readonly number[];
}
