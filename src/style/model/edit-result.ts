/** What an edit became: the group `edit` of a job's result. Its names are the public interface's. */
import type { Direction, TransitionType } from '../../analysis/facts.ts';

export interface EditSlotChoice {
  readonly video_id: string;
  readonly source_start_seconds: number;
  readonly source_end_seconds: number;
  /** 0..1, comparable within one slot. */
  readonly fit: number;
  readonly reasons: readonly string[];
}

export interface EditSlotResult extends EditSlotChoice {
  readonly start_seconds: number;
  readonly end_seconds: number;
  /** Number of the song's beat at its start; null: off the beat, or no song. */
  readonly beat: number | null;
  readonly on_beat: boolean;
  /** Null: a cut. */
  readonly transition_in: {
    readonly type: TransitionType;
    readonly duration_seconds: number;
    readonly direction?: Direction;
  } | null;
  /** Slot of the template that it follows. */
  readonly template_slot: number;
  readonly pinned: boolean;
  readonly alternatives: readonly EditSlotChoice[];
}

/** Reason of parts of a take that are usable, but fill no slot. */
export const NO_SLOT_REASON = 'no slot that it fits better';

export interface EditTakeResult {
  readonly video_id: string;
  readonly used: readonly (readonly [from: number, to: number])[];
  readonly passed_over: readonly {
    readonly range: readonly [from: number, to: number];
    readonly reason: string;
  }[];
}

export interface EditResult {
  readonly duration_seconds: number;
  /** Where the song begins at the output's start; null: no song. */
  readonly music_start_seconds: number | null;
  readonly slots: readonly EditSlotResult[];
  readonly takes: readonly EditTakeResult[];
  /** The job that this one changes; null: none. */
  readonly revises: string | null;
}
