/** Actions on one shot; each can be undone. */
import type { EditSlot, EditSlotChoice } from '../../../src/client/api-types.ts';
import {
  banned,
  type EditParts,
  focused,
  lengthened,
  type Point,
  pinned,
  unpinned,
} from '../state/edit-parts.ts';

type Choice = Pick<EditSlotChoice, 'video_id' | 'source_start_seconds' | 'source_end_seconds'>;

export interface SlotActions {
  readonly pin: (slot: number, choice: Choice) => void;
  readonly unpin: (slot: number) => void;
  readonly ban: (slot: number, choice: Choice) => void;
  readonly slip: (slot: number, choice: Choice) => void;
  readonly replace: (slot: number, choice: Choice) => void;
  /** @param by Beats more, or less. */
  readonly lengthen: (number: number, slot: EditSlot, by: number) => void;
  /** Null: framed by the service. */
  readonly focus: (slot: number, choice: Choice, point: Point | null) => void;
}

/** @param change Makes changes that can be undone; `what`: in words. */
export function slotActions(
  current: () => EditParts,
  change: (changes: Partial<EditParts>, what: string) => void,
): SlotActions {
  const put = (slot: number, choice: Choice, what: string) =>
    change({ pins: pinned(current().pins, slot, choice) }, what);
  return {
    pin: (slot, choice) => put(slot, choice, `Pin shot ${slot + 1}`),
    unpin: (slot) => change({ pins: unpinned(current().pins, slot) }, `Let shot ${slot + 1} be chosen again`),
    ban: (slot, choice) => change(banned(current(), slot, choice), `Refuse shot ${slot + 1}`),
    slip: (slot, choice) => put(slot, choice, `Move shot ${slot + 1} within its take`),
    replace: (slot, choice) => put(slot, choice, `Replace shot ${slot + 1}`),
    lengthen: (number, { beats_changed: beats = 0 }, by) => {
      const { lengths } = current();
      // Of a plan that is on its way the wish is known already.
      const before = lengths.find(({ slot }) => slot === number)?.beats ?? beats;
      const what = `Make shot ${number + 1} a beat ${by > 0 ? 'longer' : 'shorter'}`;
      change({ lengths: lengthened(lengths, number, before + by) }, what);
    },
    focus: (slot, choice, point) => {
      const what = point === null ? `Frame shot ${slot + 1} by itself` : `Move the frame of shot ${slot + 1}`;
      change({ pins: focused(current().pins, slot, choice, point) }, what);
    },
  };
}
