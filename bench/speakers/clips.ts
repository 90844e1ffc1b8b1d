/**
 * Real clips of two people in one picture, and who of them speaks when, each in one of two halves for good: only `tuning` may be looked
 * at in detail. The files stay outside the repository.
 */
import { readFileSync } from 'node:fs';
import type { UnseenFile } from '../unseen/manifest.ts';

/** `both`: they talk across each other, or nobody can tell by eye which of them does. */
export type Speaker = 'left' | 'right' | 'both';

export interface Turn {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly speaker: Speaker;
}

export interface SpeakerClip extends UnseenFile {
  /** In time order; between them nobody who is seen speaks, or it was not to be told. Empty where there is nothing to find. */
  readonly turns: readonly Turn[];
  readonly shows: string;
}

type Written = Omit<SpeakerClip, 'turns'> & {
  readonly turns: readonly (readonly [startSeconds: number, endSeconds: number, speaker: Speaker])[];
};

export function readSpeakerClips(): SpeakerClip[] {
  const written = JSON.parse(readFileSync(new URL('clips.json', import.meta.url), 'utf8')) as Written[];
  return written.map(({ turns, ...clip }) => ({
    ...clip,
    turns: turns.map(([startSeconds, endSeconds, speaker]) => ({ startSeconds, endSeconds, speaker })),
  }));
}
