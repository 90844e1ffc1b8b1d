import type { TextCue } from '../../domain/footage.ts';
import { isJoined } from '../../domain/scripts.ts';

/** Two lines of 42 characters (Netflix Timed Text Style Guide). */
const MAX_CHARACTERS = 84;
/** Longest duration of a caption (the same guide: 7 s). */
const MAX_SECONDS = 7;
/** Speakers pause for .2–.5 s within a sentence and longer between sentences. */
const PAUSE_SECONDS = 0.7;
const SENTENCE_END = /[.!?…。！？]["'”’)]*$/u;

/**
 * Words in time order as captions, one after the other, each with its words. A caption ends with a sentence, at a pause, and before it
 * becomes too long to read.
 */
export function captionsOfWords(words: readonly TextCue[]): readonly TextCue[] {
  const groups: TextCue[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    if (group === undefined || isEnded(group, word)) groups.push([word]);
    else group.push(word);
  }
  return groups.map((group, index) => ({
    startSeconds: group[0].startSeconds,
    endSeconds: Math.min(
      Math.max(...group.map(({ endSeconds }) => endSeconds)),
      groups[index + 1]?.[0].startSeconds ?? Number.POSITIVE_INFINITY,
    ),
    text: joinWords(group),
    words: group,
  }));
}

function isEnded(group: readonly TextCue[], next: TextCue): boolean {
  const last = group[group.length - 1];
  return (
    next.startSeconds - last.endSeconds >= PAUSE_SECONDS ||
    SENTENCE_END.test(last.text) ||
    next.endSeconds - group[0].startSeconds > MAX_SECONDS ||
    joinWords([...group, next]).length > MAX_CHARACTERS
  );
}

/** Words as one text, with spaces where their script has them. */
export function joinWords(words: readonly TextCue[]): string {
  return words.reduce(
    (text, word) => (text === '' || isJoined(text, word.text) ? text + word.text : `${text} ${word.text}`),
    '',
  );
}
