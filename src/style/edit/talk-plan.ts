/** A talk from several takes: what is heard, apart from what is shown. */
import type { TAKE_ROLES } from '../../domain/edit-options.ts';

export type TakeRole = Exclude<(typeof TAKE_ROLES)[number], 'auto'>;

/** Omitted time beside a part. */
export interface TalkGap {
  readonly seconds: number;
  /** Nothing is said in it, so sound may overlap there. */
  readonly isPause: boolean;
}

/** A run of a take without an omitted part, in frames of the take at the output's rate. */
export interface TalkPart {
  /** Number in the request. */
  readonly take: number;
  readonly startFrame: number;
  readonly endFrame: number;
  /** Its first frame in the output. */
  readonly outputFrame: number;
  readonly isTakeStart: boolean;
  readonly before: TalkGap;
  readonly after: TalkGap;
}

export interface TalkPlan {
  /** Without gaps in the output. */
  readonly parts: readonly TalkPart[];
  /** Per take, in the request's order. */
  readonly roles: readonly TakeRole[];
  /** Per take; 0 of B-roll. */
  readonly removedSeconds: readonly number[];
}
