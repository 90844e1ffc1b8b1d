/** A talk from several takes: what is heard, apart from what is shown. */
import type { TAKE_ROLES } from '../../domain/edit-options.ts';

export type TakeRole = Exclude<(typeof TAKE_ROLES)[number], 'auto'>;

/** Omitted time beside a part. */
export interface TalkGap {
  readonly seconds: number;
  /** It begins and ends with silence, so sound may overlap there. */
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

/** Frame of the output after the part. */
export function outputEnd({ startFrame, endFrame, outputFrame }: TalkPart): number {
  return outputFrame + endFrame - startFrame;
}

/** Frames of the talk. */
export function talkFrames(parts: readonly TalkPart[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : outputEnd(last);
}

export interface TalkPlan {
  /** Without gaps in the output. */
  readonly parts: readonly TalkPart[];
  /** Per take, in the request's order. */
  readonly roles: readonly TakeRole[];
  /** Per take; 0 of B-roll. */
  readonly removedSeconds: readonly number[];
}
