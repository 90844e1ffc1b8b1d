import type { Span } from '../../analysis/facts.ts';
import type { TextCue } from '../../domain/footage.ts';
import { plainWord } from './filler-words.ts';

/** A word of a talk as `plainWord` writes it. */
export interface TalkWord {
  readonly text: string;
  /** The middle of its time. */
  readonly atSeconds: number;
  /** Whether its time is known: of a transcript, or of a caption with this word alone. Else that of its caption is divided evenly. */
  readonly isTimed: boolean;
}

/** The words of captions, ascending. */
export function talkWords(cues: readonly TextCue[]): TalkWord[] {
  return cues
    .flatMap((cue) => (cue.words === undefined ? divided(cue) : cue.words.map((word) => wordOf(word, true))))
    .filter(({ text }) => text !== '')
    .sort((one, other) => one.atSeconds - other.atSeconds);
}

function wordOf({ startSeconds, endSeconds, text }: TextCue, isTimed: boolean): TalkWord {
  return { text: plainWord(text), atSeconds: (startSeconds + endSeconds) / 2, isTimed };
}

function divided({ startSeconds, endSeconds, text }: TextCue): TalkWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const secondsPerLetter = (endSeconds - startSeconds) / letters;
  let at = startSeconds;
  return words.map((word) => {
    const from = at;
    at += word.length * secondsPerLetter;
    return wordOf({ startSeconds: from, endSeconds: at, text: word }, words.length === 1);
  });
}

/** Words whose middle lies in a time. */
export function wordsWithin(words: readonly TalkWord[], { startSeconds, endSeconds }: Span): TalkWord[] {
  return words.slice(indexAt(words, startSeconds), indexAt(words, endSeconds));
}

/** The first word at or after a time. */
export function indexAt(words: readonly TalkWord[], seconds: number): number {
  let [from, to] = [0, words.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (words[middle].atSeconds < seconds) from = middle + 1;
    else to = middle;
  }
  return from;
}
