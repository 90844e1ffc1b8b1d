/** What a person does with one shot; each can be undone. */
import type { EditSlotChoice } from '../../../src/client/api-types.ts';
import { changeEdit, currentMake } from '../state/make.ts';
import { banned, pinned, unpinned } from '../state/take-list.ts';

type Choice = Pick<EditSlotChoice, 'video_id' | 'source_start_seconds' | 'source_end_seconds'>;

export interface SlotActions {
  readonly pin: (slot: number, choice: Choice) => void;
  readonly unpin: (slot: number) => void;
  readonly ban: (slot: number, choice: Choice) => void;
  readonly slip: (slot: number, choice: Choice) => void;
  readonly replace: (slot: number, choice: Choice) => void;
}

export const slotActions: SlotActions = {
  pin: (slot, choice) => put(slot, choice, `Pin shot ${slot + 1}`),
  unpin: (slot) =>
    changeEdit({ pins: unpinned(currentMake().pins, slot) }, `Let shot ${slot + 1} be chosen again`),
  ban: (slot, choice) => changeEdit(banned(currentMake(), slot, choice), `Refuse shot ${slot + 1}`),
  slip: (slot, choice) => put(slot, choice, `Move shot ${slot + 1} within its take`),
  replace: (slot, choice) => put(slot, choice, `Replace shot ${slot + 1}`),
};

function put(slot: number, choice: Choice, what: string): void {
  changeEdit({ pins: pinned(currentMake().pins, slot, choice) }, what);
}
