/** Manner of a talk, and what its plan removed. */
import { z } from 'zod';

const seconds = z.number().min(0).max(86400);

/** Lengths of pauses and their number; `longest` left out: 1.2 of `p90`; `confidence` 0..1. */
export const talkStyleSchema = z
  .object({
    pauses: z
      .object({
        p10: seconds,
        p25: seconds,
        p50: seconds,
        p75: seconds,
        p90: seconds,
        longest: seconds.optional(),
      })
      .loose(),
    pauses_per_minute: z.number().min(0).max(600),
    confidence: z.number().min(0).max(1),
  })
  .loose();

export type TalkStyle = z.output<typeof talkStyleSchema>;

export const REMOVAL_REASONS = ['pause', 'retake', 'filler', 'requested'] as const;

/** A part of the source that is not shown, in its times. */
export interface TalkRemoval {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly reason: (typeof REMOVAL_REASONS)[number];
  /** 0..1. */
  readonly certainty: number;
}

/** A talk's plan, apart from its clips. */
export interface TalkReport {
  readonly removals: readonly TalkRemoval[];
  /** Lengths of the pauses before and after; null: there are none. */
  readonly medianPauseBefore: number | null;
  readonly medianPauseAfter: number | null;
  /** Likely second attempts that stay unless they are requested to go; left out: none. */
  readonly proposals?: readonly TalkRemoval[];
}
