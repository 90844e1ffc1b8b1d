/** The shots of a template at another pace. */
import { MAX_EDIT_SLOTS } from './edit-slots.ts';
import type { Style } from './schema.ts';

type Slot = NonNullable<Style['edit']>['slots'][number];

/** Shots of edits begin on beats or between two of them. */
const STEPS_PER_BEAT = 2;

export interface PacedSlot {
  readonly slot: Slot;
  /** Index of the shot of the template that it follows. */
  readonly origin: number;
}

/**
 * Shots of `1 / factor` of the lengths, in the template's order, until they fill the template's time. Each follows the template's shot at the same
 * moment, so that loud and calm parts keep their times.
 */
export function pacedSlots(slots: readonly Slot[], factor: number): PacedSlot[] {
  if (factor === 1) return slots.map((slot, origin) => ({ slot, origin }));
  const total = slots.reduce((sum, slot) => sum + slot.length_seconds, 0);
  const paced: PacedSlot[] = [];
  let [begun, origin, originEnd] = [0, 0, slots[0].length_seconds];
  while (paced.length < MAX_EDIT_SLOTS) {
    const length = pacedLength(slots[paced.length % slots.length], factor);
    // Half of the last shot may be missing, or too much.
    if (paced.length > 0 && begun + length.length_seconds / 2 > total) break;
    while (origin + 1 < slots.length && originEnd <= begun + length.length_seconds / 2)
      originEnd += slots[++origin].length_seconds;
    const { length_beats: _, ...followed } = slots[origin];
    paced.push({ slot: { ...followed, ...length }, origin });
    begun += length.length_seconds;
  }
  return paced;
}

function pacedLength(
  { length_seconds: seconds, length_beats: beats }: Slot,
  factor: number,
): Pick<Slot, 'length_seconds' | 'length_beats'> {
  if (beats === undefined) return { length_seconds: seconds / factor };
  const whole = Math.max(1, Math.round((beats / factor) * STEPS_PER_BEAT)) / STEPS_PER_BEAT;
  return { length_seconds: (seconds * whole) / beats, length_beats: whole };
}
