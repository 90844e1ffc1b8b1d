/** Reasons of an edit on this page: why a shot was chosen, and why a stretch of a take was not. */
import type { EditReason, EditSlotChoice, EditTake } from '../../../src/client/api-types.ts';
import { type ReasonNames, reasonsText } from '../../../src/style/model/edit-reasons.ts';
import { REMOVAL_WORDS } from '../../../src/style/model/removal-words.ts';
import type { TalkPart } from '../state/talk-choices.ts';

/** Slots and takes have numbers from 0 in the interface, and from 1 on the page. */
const PAGE_NAMES: ReasonNames = {
  slot: (number) => `shot ${number + 1}`,
  take: (number) => `take ${number + 1}`,
};

/** Results of earlier versions have no codes: their texts are shown as they are. Pins are left out: the shot has a mark. */
export function choiceWords({
  reasons,
  reason_codes: codes,
}: Pick<EditSlotChoice, 'reasons' | 'reason_codes'>): string {
  const text =
    codes === undefined
      ? reasons.join('; ')
      : reasonsText(
          codes.filter(({ code }) => code !== 'pinned'),
          PAGE_NAMES,
        );
  return capitalized(text);
}

/** Why a part of a talk is left out. */
export function removalWords({ reason }: Pick<TalkPart, 'reason'>): string {
  return capitalized(REMOVAL_WORDS[reason]);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type PassedOver = EditTake['passed_over'][number];

export function passedOverWords({ reason, reason_code: code }: Omit<PassedOver, 'range'>): string {
  return code === undefined ? reason : reasonsText([code], PAGE_NAMES);
}

/** Whether a part of a take is usable, and no slot needs it. */
export function isFree({ reason_code: code }: { readonly reason_code?: EditReason | undefined }): boolean {
  return code?.code === 'no_slot';
}
