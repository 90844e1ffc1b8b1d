import type { CaptionLook, Timeline } from '../../../src/style/model/timeline.ts';

/** The look of a planned title; null: it is not planned. A long title is planned as several captions, and one title may begin like another. */
export function plannedLookOf(text: string, captions: Timeline['captions']): CaptionLook | null {
  const words = text.replace(/\s+/g, ' ').trim();
  const parts = captions
    .map(({ lines, look = null }) => ({ shown: lines.join(' '), look }))
    .filter(({ shown }) => shown !== '' && words.startsWith(shown));
  return parts.sort((one, other) => other.shown.length - one.shown.length)[0]?.look ?? null;
}
