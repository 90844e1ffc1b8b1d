/** Pauses of a talk, and whether they can be relied on. From facts. */
import { clamp } from '../../signal/interpolation.ts';
import type { AudioFacts, Span } from '../facts.ts';
import type { TalkFacts } from '../talk-facts.ts';

/**
 * Below it pauses cannot be distinguished from quiet voice. Voices in the clean 47 and more, in a room 12 to 17, in noise 15 dB below 6.8 to 9.8;
 * 13 talkers filmed with phones 1.1 to 4.8; music 12 dB below a voice 1.3 to 2.2; songs 1.7 to 4.7, without speech.
 */
const MIN_CERTAINTY = 2.2;
const FULL_CERTAINTY = 6;
/**
 * Below this separation, dB, the certainty counts in proportion: noise that changes hides ends of words. Voices in even noise 15 dB below 6.6 to 9.1
 * with a certainty of 6 and more; on a street 5.1 to 7.1 with 1.7 to 2.9, where cuts took 60 ms of words; 46 talkers filmed with phones 8.6 and more
 * where the certainty is 2.2.
 */
const CLEAR_SEPARATION_DB = 8.5;
/** Shorter gaps are within words. */
export const MIN_PAUSE_SECONDS = 0.15;
/** Songs and drum loops have none, voices in noise and rooms .57 and more. Rests of music resemble pauses. */
const MIN_SPEECH_SHARE = 0.1;

export interface Pause extends Span {
  /** With the margins of its borders. */
  readonly lengthSeconds: number;
}

/** The pauses between stretches of voice, ascending. */
export function pausesOf({ runs, marginSeconds }: TalkFacts): Pause[] {
  return runs
    .slice(1)
    .map(({ startSeconds }, at) => {
      const from = runs[at].endSeconds;
      return {
        startSeconds: from,
        endSeconds: startSeconds,
        lengthSeconds: startSeconds - from + marginSeconds,
      };
    })
    .filter(({ lengthSeconds }) => lengthSeconds >= MIN_PAUSE_SECONDS);
}

/** Whether a phrase begins with this run: the first one, or one after a pause. */
export function beginsPhrase(runs: TalkFacts['runs'], run: number): boolean {
  return run === 0 || runs[run].startSeconds - runs[run - 1].endSeconds >= MIN_PAUSE_SECONDS;
}

/** 0..1; 0: not to be used. */
export function talkCertainty(talk: TalkFacts | null | undefined): number {
  if (talk == null) return 0;
  const certainty = talk.certainty * Math.min(1, talk.separationDb / CLEAR_SEPARATION_DB);
  return certainty < MIN_CERTAINTY ? 0 : clamp(certainty / FULL_CERTAINTY, 0, 1);
}

/** Whether somebody speaks at all. */
export function isSpoken({ speech }: AudioFacts): boolean {
  return speech.share >= MIN_SPEECH_SHARE;
}
