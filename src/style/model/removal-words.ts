import type { TalkRemoval } from './talk.ts';

/** Why a part of a talk is left out: one text for the command line, the page and the report. */
export const REMOVAL_WORDS: Readonly<Record<TalkRemoval['reason'], string>> = {
  pause: 'pause',
  retake: 'said again right after',
  filler: 'filler word',
  requested: 'requested',
};
