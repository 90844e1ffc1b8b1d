import type { TextCue } from '../../domain/footage.ts';
import { isJoined } from '../../domain/scripts.ts';

/** Two lines of 42 characters (Netflix Timed Text Style Guide). */
const MAX_CHARACTERS = 84;
/** Longest duration of a caption (the same guide: 7 s). */
const MAX_SECONDS = 7;
/** Speakers pause for .2–.5 s within a sentence and longer between sentences. */
const PAUSE_SECONDS = 0.7;
const SENTENCE_END = /[.!?…。！？]["'”’)]*$/u;

/** A caption that is not complete. Its text is kept, since four hours of speech have 100,000 words. */
interface Group {
  readonly words: TextCue[];
  text: string;
}

/**
 * Words in time order as captions, one after the other, each with its words. A caption ends with a sentence, at a pause, and before it
 * becomes too long to read.
 */
export function captionsOfWords(words: readonly TextCue[]): readonly TextCue[] {
  const groups: Group[] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const text = group === undefined ? '' : joined(group.text, word.text);
    if (group === undefined || isEnded(group.words, word, text))
      groups.push({ words: [word], text: word.text });
    else {
      group.words.push(word);
      group.text = text;
    }
  }
  return groups.map(({ words: group, text }, index) => ({
    startSeconds: group[0].startSeconds,
    endSeconds: Math.min(
      Math.max(...group.map(({ endSeconds }) => endSeconds)),
      groups[index + 1]?.words[0].startSeconds ?? Number.POSITIVE_INFINITY,
    ),
    text,
    words: group,
  }));
}

/** `text`: of the group with the next word. */
function isEnded(group: readonly TextCue[], next: TextCue, text: string): boolean {
  const last = group[group.length - 1];
  return (
    next.startSeconds - last.endSeconds >= PAUSE_SECONDS ||
    SENTENCE_END.test(last.text) ||
    next.endSeconds - group[0].startSeconds > MAX_SECONDS ||
    text.length > MAX_CHARACTERS
  );
}

/** Words as one text, with spaces where their script has them. */
export function joinWords(words: readonly TextCue[]): string {
  return words.reduce((text, word) => joined(text, word.text), '');
}

function joined(before: string, word: string): string {
  return before === '' || isJoined(before, word) ? before + word : `${before} ${word}`;
}
