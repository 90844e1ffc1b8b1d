/** Limits of an answer, by the length of the sound: ten times what a fast speaker says. */

/** Fast speakers say 6 words a second; auctioneers 7. */
const WORDS_PER_SECOND = 6;
const MARGIN = 10;
/** Models hear windows of 30 s, and invent words for the padding of a shorter sound. */
export const WINDOW_SECONDS = 30;
/** A word has 4 to 9 letters in languages with spaces, and about 2 in others. */
const LETTERS_PER_WORD = 10;
/** 60 to 250 bytes of `verbose_json`, with spaces, tokens, probabilities and the text of its segment. */
const BYTES_PER_WORD = 300;
/** Keys and values: 11 of a word, listed twice by some engines, and its tokens; 40 with the letters of WhisperX. */
const VALUES_PER_WORD = 40;

export interface AnswerLimits {
  readonly durationSeconds: number;
  readonly words: number;
  readonly letters: number;
  readonly bytes: number;
  readonly values: number;
}

export function answerLimits(durationSeconds: number): AnswerLimits {
  const words = Math.ceil(MARGIN * WORDS_PER_SECOND * (durationSeconds + WINDOW_SECONDS));
  return {
    durationSeconds,
    words,
    letters: words * LETTERS_PER_WORD,
    bytes: words * BYTES_PER_WORD,
    values: words * VALUES_PER_WORD,
  };
}

/** For messages, after "more than 1234 words, ". */
export function limitReason({ durationSeconds }: AnswerLimits): string {
  return `${MARGIN} times what a fast speaker says in ${Math.ceil(durationSeconds)} s`;
}
