/** Words in the spelling of the text that they are from: OpenAI's have no punctuation, and tokens can hold half a letter. */
import type { TextCue } from '../domain/footage.ts';
import { UNSPACED } from '../domain/scripts.ts';
import { BROKEN_LETTER } from './whole-words.ts';

/** Letters of the text without a word that are skipped, and more for each word that is not found: sentences to which the engine gave no times. */
const MAX_SKIPPED = 60;
const MAX_SKIPPED_IN_ALL = 600;
/** Shorter words are found anywhere. */
const MIN_SAFE_LETTERS = 3;
/** Of a word, and of the letters that one run can be: each is tried with each other. */
const MAX_BROKEN_RUNS = 3;
const MAX_RUN_LETTERS = 4;

/** A letter of the text in lower case, and its place there. */
interface Letter {
  readonly letter: string;
  readonly at: number;
}

interface Match {
  readonly from: number;
  readonly to: number;
}

/**
 * Words with the spelling of `text`, found in order by their letters; those that are not found stay as they are. Words between which the
 * text has no space are one ("twenty-five"), but not in scripts without spaces. `isBrokenOnly`: only words with broken letters change.
 */
export function spelledLike(text: string, words: readonly TextCue[], isBrokenOnly: boolean): TextCue[] {
  const letters = lettersOf(text);
  const matches = matchesOf(words, letters);
  const spelled: (TextCue & { readonly end: number | null })[] = [];
  for (const [index, word] of words.entries()) {
    const match = matches[index];
    if (match === null) {
      const own = word.text.replaceAll(BROKEN_LETTER, '').trim();
      if (own !== '') spelled.push({ ...word, text: own, end: null });
      continue;
    }
    const last = spelled.at(-1);
    const previous = last?.end ?? 0;
    const range = wholeRange(text, match, previous);
    const shown =
      isBrokenOnly && !word.text.includes(BROKEN_LETTER) ? word.text : text.slice(range.from, range.to);
    const touches =
      last?.end === range.from &&
      range.from > 0 &&
      !UNSPACED.test(text.slice(range.from - 1, range.from + 1));
    if (touches) {
      const endSeconds = Math.max(last!.endSeconds, word.endSeconds);
      spelled[spelled.length - 1] = { ...last!, endSeconds, text: last!.text + shown, end: range.to };
    } else spelled.push({ ...word, text: shown, end: range.to });
  }
  return spelled.map(({ startSeconds, endSeconds, text: shown }) => ({
    startSeconds,
    endSeconds,
    text: shown,
  }));
}

function lettersOf(text: string): Letter[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}\ufffd]/gu)].map((match) => ({
    letter: match[0].toLowerCase(),
    at: match.index,
  }));
}

/** The range of each word in the text; null: it is not found. */
function matchesOf(words: readonly TextCue[], letters: readonly Letter[]): (Match | null)[] {
  let next = 0;
  let missed = 0;
  /** The last word, if its end is broken: skipped letters belong to it. */
  let open: number | null = null;
  const found: (Match | null)[] = [];
  for (const { text } of words) {
    const own = lettersOf(text).map(({ letter }) => letter);
    const most = Math.min(MAX_SKIPPED_IN_ALL, MAX_SKIPPED * (1 + missed));
    const start = own.length === 0 ? null : startOf(own, letters, next, most);
    missed = start === null ? missed + 1 : 0;
    if (start === null) {
      found.push(null);
      continue;
    }
    if (open !== null && start > next) found[open] = { ...found[open]!, to: endOf(letters[start - 1]) };
    const end = start + matchedLetters(own, letters, start)!;
    found.push({ from: letters[start].at, to: endOf(letters[end - 1]) });
    open = own.at(-1) === BROKEN_LETTER ? found.length - 1 : null;
    next = end;
  }
  if (open !== null && next < letters.length) found[open] = { ...found[open]!, to: endOf(letters.at(-1)!) };
  return found;
}

function endOf({ letter, at }: Letter): number {
  return at + letter.length;
}

/** The first of the letters at which the word is found, after at most so many others; null: nowhere there. */
function startOf(
  own: readonly string[],
  letters: readonly Letter[],
  next: number,
  most: number,
): number | null {
  const runs = own.filter((letter, index) => letter === BROKEN_LETTER && own[index - 1] !== BROKEN_LETTER);
  if (runs.length > MAX_BROKEN_RUNS) return null;
  for (let start = next; start < letters.length && start <= next + most; start++) {
    const length = matchedLetters(own, letters, start);
    if (length === null) continue;
    const isWhole = start === next || own[0] === BROKEN_LETTER || isAtSpace(letters, start);
    if (isWhole && (start === next || own.length >= MIN_SAFE_LETTERS || isAtSpace(letters, start + length)))
      return start;
  }
  return null;
}

/** Whether the letter does not continue the one before it. */
function isAtSpace(letters: readonly Letter[], index: number): boolean {
  const [before, after] = [letters[index - 1], letters[index]];
  return (
    before === undefined || after === undefined || after.at > endOf(before) || UNSPACED.test(after.letter)
  );
}

/** How many letters of the text the word has there; null: another word. Broken letters are any, as few as possible. */
function matchedLetters(own: readonly string[], letters: readonly Letter[], start: number): number | null {
  let at = start;
  for (let index = 0; index < own.length; index++) {
    if (own[index] !== BROKEN_LETTER) {
      if (letters[at]?.letter !== own[index]) return null;
      at++;
      continue;
    }
    let pieces = 1;
    while (own[index + 1] === BROKEN_LETTER) [index, pieces] = [index + 1, pieces + 1];
    const rest = own.slice(index + 1);
    const most = Math.min(pieces, MAX_RUN_LETTERS, letters.length - at);
    for (let whole = 1; whole <= most; whole++) {
      if (rest.length === 0) return at + whole - start;
      const more = matchedLetters(rest, letters, at + whole);
      if (more !== null) return at + whole + more - start;
    }
    return null;
  }
  return at - start;
}

/** With the punctuation around it, up to a space or the range before. */
function wholeRange(text: string, { from, to }: Match, previous: number): Match {
  let [start, end] = [from, to];
  while (start > previous && /[^\s\p{L}\p{N}\p{M}]/u.test(text[start - 1])) start--;
  while (end < text.length && /[^\s\p{L}\p{N}\p{M}\p{Ps}\p{Pi}]/u.test(text[end])) end++;
  return { from: start, to: end };
}
