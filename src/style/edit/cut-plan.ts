/** Slots of an edit, and limits of their lengths. */
import type { Span } from '../../analysis/facts.ts';
import { median } from '../../signal/statistics.ts';
import type { EditMusic, EditRhythm, TemplateEdit } from './edit-plan.ts';

/** A shot of the output before its take is chosen, in frames. */
export interface CutSlot {
  readonly templateSlot: number;
  readonly startFrame: number;
  readonly endFrame: number;
  /** The later part of a slot that no take can fill as a whole: a cut leads into it. */
  readonly isContinuation: boolean;
}

export interface CutPlan {
  readonly slots: readonly CutSlot[];
  readonly musicStartSeconds: number | null;
}

export interface CutRequest {
  readonly template: TemplateEdit;
  readonly music: EditMusic | null;
  readonly rhythm: EditRhythm;
  /** Whether the takes are heard: only then speech holds a shot. */
  readonly playsTakes: boolean;
  /** Requested length of the edit. */
  readonly seconds: number;
  readonly frameRate: number;
  /** The material of the takes. */
  readonly runs: readonly Span[];
  /** Least number of slots, so that each take finds one; left out: 1. */
  readonly leastSlots?: number;
  /** Factor of the template's lengths, 1 or more; left out: 1. */
  readonly slower?: number;
  /** If takes are in order: seconds of the longest run near a position of the edit (0..1). Left out: runs can be anywhere. */
  readonly longestAt?: (place: number) => number;
}

/** Least slot, unless the template has a shorter one. */
export const MIN_SLOT_SECONDS = 0.3;
/** Least first slot: .2 and .37 s before shots of 1.3 s were seen as flashes. */
export const MIN_START_SECONDS = 0.5;
/** Least last slot: a shorter one reads as an error of the export. */
export const MIN_END_SECONDS = 1;
/**
 * The first and the last slot last at least this share of the usual one, but need no more than these seconds: openings of .5 s before shots of 3 s, and ends of .4 to 1.1 s after
 * shots of 2 s, were judged too short (0310).
 */
const MIN_AT_ENDS = { share: 0.7, mostStartSeconds: 1, mostEndSeconds: 1.3 } as const;

/** A slot is a flash if it is shorter than this share of the usual one, and than this: .37 and .4 s among shots of 1.1 to 1.3 s were seen as such. */
const FLASH = { share: 0.4, mostSeconds: 0.5 } as const;

/** Least lengths of the first and the last slot among slots with this median, as far as the takes at these places go. */
export function minAtEnds(
  usualSeconds: number,
  longestAt: CutRequest['longestAt'] = () => Number.POSITIVE_INFINITY,
): { readonly startSeconds: number; readonly endSeconds: number } {
  const { share, mostStartSeconds, mostEndSeconds } = MIN_AT_ENDS;
  const least = (most: number, place: number) => Math.min(most, share * usualSeconds, longestAt(place));
  return {
    startSeconds: Math.max(MIN_START_SECONDS, least(mostStartSeconds, 0)),
    endSeconds: Math.max(MIN_END_SECONDS, least(mostEndSeconds, 1)),
  };
}

/** Least length of a slot that a person or the template's own song sets. */
export function minSlotSeconds({ slots }: TemplateEdit): number {
  return Math.min(MIN_SLOT_SECONDS, ...slots.map(({ durationSeconds }) => durationSeconds));
}

/** Least length of any other slot: no flash among the template's usual ones. */
export function minRhythmSeconds(template: TemplateEdit): number {
  const usual = median(template.slots.map(({ durationSeconds }) => durationSeconds));
  return Math.max(minSlotSeconds(template), Math.min(FLASH.mostSeconds, FLASH.share * usual));
}
