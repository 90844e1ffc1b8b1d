import type { TextCue } from '../domain/footage.ts';

/** Whisper's decoder repeats a phrase until its window of 224 tokens is full; people chant fewer times. */
const LOOP_TIMES = 10;
/** Longer phrases do not fit ten times into two windows. */
const MAX_PHRASE_WORDS = 40;

interface KeyedWord {
  readonly word: TextCue;
  readonly key: string;
}

/**
 * The words in time order with one of the phrases that are repeated ten times or more in a row: often the first one is spoken, and the
 * decoder continues with it. Case and punctuation do not matter.
 */
export function withoutLoops(words: readonly TextCue[]): readonly TextCue[] {
  let kept: readonly KeyedWord[] = words.map((word) => ({
    word,
    key: word.text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '') || word.text,
  }));
  for (let phrase = 1; phrase <= MAX_PHRASE_WORDS; phrase++) kept = withoutLoop(kept, phrase);
  return kept.map(({ word }) => word);
}

/** `phrase`: the number of its words. */
function withoutLoop(words: readonly KeyedWord[], phrase: number): readonly KeyedWord[] {
  const isRepeated = new Uint8Array(words.length);
  let run = 0;
  for (let at = phrase; at <= words.length; at++) {
    if (at < words.length && words[at].key === words[at - phrase].key) run++;
    else {
      if (run >= phrase * (LOOP_TIMES - 1)) isRepeated.fill(1, at - run, at);
      run = 0;
    }
  }
  return isRepeated.includes(1) ? words.filter((_, at) => isRepeated[at] === 0) : words;
}
