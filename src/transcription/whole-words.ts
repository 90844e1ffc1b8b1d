import type { TextCue } from '../domain/footage.ts';
import { CLOSING, isJoined, UNSPACED } from '../domain/scripts.ts';

/** Longer than any word: engines sometimes repeat a syllable for minutes. */
const MAX_WORD_CHARACTERS = 100;
/** What is left of a letter whose bytes an engine divided over tokens. */
export const BROKEN_LETTER = '\ufffd';

/**
 * Joins the parts of words: whisper.cpp's server reports tokens, of which only those that begin a word have a space before them. Engines
 * that report words put a space before each, or before none. Punctuation marks and the pieces of one letter belong to the word before.
 */
export function wholeWords(parts: readonly TextCue[]): TextCue[] {
  const isSpaced = parts.some(({ text }) => /^\s\S/.test(text));
  const words: { startSeconds: number; endSeconds: number; texts: string[] }[] = [];
  for (const { text, startSeconds, endSeconds } of parts) {
    const last = words.at(-1);
    if (text.trim() === '') {
      // The space before the next word.
      last?.texts.push(' ');
    } else if (last !== undefined && continues(last.texts.at(-1)!, text, isSpaced)) {
      last.endSeconds = Math.max(last.endSeconds, endSeconds);
      last.texts.push(last.texts.pop()!.trimEnd(), text.trimStart());
    } else words.push({ startSeconds, endSeconds, texts: [text] });
  }
  return words.map(({ texts, ...times }) => ({ ...times, text: texts.join('').trim() }));
}

/** `before`: the part before. */
function continues(before: string, part: string, isSpaced: boolean): boolean {
  if (CLOSING.test(part.trim())) return true;
  if (/^\s/.test(part)) return false;
  if (before.endsWith(BROKEN_LETTER) && part.startsWith(BROKEN_LETTER)) return true;
  const last = before.slice(-1);
  return isSpaced && !/\s/.test(last) && !(UNSPACED.test(last) || UNSPACED.test(part[0] ?? ''));
}

let segmenter: Intl.Segmenter | undefined;

/**
 * A text as words with times, which share that of the text by their letters. Scripts without spaces are divided as a dictionary does,
 * punctuation with the word before it. Nothing is lost.
 */
export function dividedText({ text, startSeconds, endSeconds }: TextCue): TextCue[] {
  const parts = text.split(/\s+/).flatMap((word) => (word === '' ? [] : unspacedParts(word)));
  const letters = parts.reduce((sum, { length }) => sum + length, 0);
  const perLetter = Math.max(0, endSeconds - startSeconds) / Math.max(1, letters);
  let at = startSeconds;
  return parts.map((part) => {
    const from = at;
    at += part.length * perLetter;
    return { startSeconds: from, endSeconds: at, text: part };
  });
}

function unspacedParts(word: string): string[] {
  if (!UNSPACED.test(word)) return pieces(word);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const parts: string[] = [];
  for (const { segment } of segmenter.segment(word)) {
    const last = parts.at(-1);
    // "iPhone15を" has two words: a space would divide what the engine wrote in one.
    if (last !== undefined && (CLOSING.test(segment) || !isJoined(last, segment)))
      parts[parts.length - 1] = last + segment;
    else parts.push(segment);
  }
  return parts.flatMap(pieces);
}

function pieces(word: string): string[] {
  if (word.length <= MAX_WORD_CHARACTERS) return [word];
  const letters = Array.from(word);
  const found: string[] = [];
  for (let at = 0; at < letters.length; at += MAX_WORD_CHARACTERS)
    found.push(letters.slice(at, at + MAX_WORD_CHARACTERS).join(''));
  return found;
}
