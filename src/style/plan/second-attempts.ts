/** Phrases of a talk that are said again right away, by their sound and by their words, and fillers between pauses: decision 0271. */
import { beginsPhrase } from '../../analysis/speech/pauses.ts';
import type { TalkFacts } from '../../analysis/talk-facts.ts';
import { rounded } from '../../signal/rounding.ts';
import { fillersOf } from './filler-words.ts';
import type { Drop } from './talk-units.ts';
import { indexAt, type TalkWord, wordsWithin } from './talk-words.ts';

/** Up to this ratio a phrase is removed, above it is proposed: bench/FIGURES.md has both kinds of errors. */
const REMOVED_RATIO = 0.6;
/** A phrase is said again within this time, in seconds. */
const REACH_SECONDS = 8;
/** Fewer words are repeated on purpose; from the second number on they are certain without the sound. */
const MIN_WORDS = 3;
const CERTAIN_WORDS = 4;
/** With fewer of its words in the same order a phrase is another one. */
const MIN_SAME_SHARE = 0.5;
const CERTAINTY_BY_WORDS = 0.9;
const REMOVED_CERTAINTY = 0.5;
/** Longest filler, in seconds. */
const LONGEST_FILLER = 1.2;
/** Times of transcripts are off by so much, in seconds. */
const WORD_TOLERANCE = 0.1;

export interface SecondAttempts {
  /** First attempts that are left out, ascending. */
  readonly certain: readonly Drop[];
  /** Those that a person should decide about; apart from the certain ones. */
  readonly likely: readonly Drop[];
}

/** An attempt ends where the next one begins; the last one stays. */
export function secondAttempts(talk: TalkFacts, words: readonly TalkWord[]): SecondAttempts {
  const found = [...heardTwice(talk, words), ...readTwice(talk, words)].sort(
    (one, other) => other.certainty - one.certainty || one.firstRun - other.firstRun,
  );
  const isCertain = ({ certainty }: Drop) => certainty >= REMOVED_CERTAINTY;
  const certain = apart(found.filter(isCertain), []);
  return {
    certain,
    likely: apart(
      found.filter((one) => !isCertain(one)),
      certain,
    ),
  };
}

/** Words decide where there are enough: a phrase that continues with other words is no second attempt. */
function heardTwice({ runs, repeats = [] }: TalkFacts, words: readonly TalkWord[]): Drop[] {
  return repeats.flatMap(({ firstSeconds, secondSeconds, ratio }) => {
    const firstRun = runs.findIndex(({ startSeconds }) => startSeconds === firstSeconds);
    const lastRun = runs.findIndex(({ startSeconds }) => startSeconds === secondSeconds) - 1;
    if (firstRun < 0 || lastRun < firstRun) return [];
    const bySound = rounded(1 - ((1 - REMOVED_CERTAINTY) * ratio) / REMOVED_RATIO, 3);
    const { same, count } = wordsAgain({ runs }, firstRun, lastRun, words);
    const drop = { firstRun, lastRun, reason: 'retake', certainty: bySound } as const;
    if (count < MIN_WORDS) return [drop];
    if (same === count) return [{ ...drop, certainty: Math.max(bySound, CERTAINTY_BY_WORDS) }];
    return same < MIN_SAME_SHARE * count
      ? []
      : [{ ...drop, certainty: Math.min(bySound, REMOVED_CERTAINTY - 0.01) }];
  });
}

/** Phrases whose words are the first of a later one. */
function readTwice(talk: TalkFacts, words: readonly TalkWord[]): Drop[] {
  if (words.length === 0) return [];
  const { runs } = talk;
  const phrases = runs.flatMap((_, run) => (beginsPhrase(runs, run) ? [run] : []));
  // A phrase whose words the transcript lacks is another one.
  const hasWords = (run: number) => wordsWithin(words, runs[run]).length > 0;
  return phrases.flatMap((second) =>
    phrases
      .filter((first) => first < second && secondsBetween(talk, first, second) <= REACH_SECONDS)
      .filter(hasWords)
      .flatMap((firstRun): Drop[] => {
        const lastRun = second - 1;
        const { same, count } = wordsAgain(talk, firstRun, lastRun, words);
        if (count < MIN_WORDS || same < count) return [];
        const certainty = count < CERTAIN_WORDS ? REMOVED_CERTAINTY - 0.01 : CERTAINTY_BY_WORDS;
        return [{ firstRun, lastRun, reason: 'retake', certainty }];
      }),
  );
}

/** How many of an attempt's words the next one begins with. Its last word may be broken off. */
function wordsAgain(
  { runs }: Pick<TalkFacts, 'runs'>,
  firstRun: number,
  lastRun: number,
  words: readonly TalkWord[],
): { readonly same: number; readonly count: number } {
  const startSeconds = runs[firstRun].startSeconds - WORD_TOLERANCE;
  const second = runs[lastRun + 1].startSeconds - WORD_TOLERANCE;
  const attempt = wordsWithin(words, { startSeconds, endSeconds: second });
  const next = indexAt(words, second);
  const different = attempt.findIndex(({ text }, at) => {
    const isLast = at === attempt.length - 1;
    const other = words[next + at]?.text ?? '';
    return isLast ? !other.startsWith(text) : other !== text;
  });
  return { same: different < 0 ? attempt.length : different, count: attempt.length };
}

/** Runs of voice that only fill a pause: all of their words are fillers, and a pause is on both sides. */
export function fillersIn(talk: TalkFacts, words: readonly TalkWord[], certainty: number): Drop[] {
  const fillers = fillersOf(words.map(({ text }) => text));
  if (fillers.size === 0) return [];
  const { runs } = talk;
  return runs.flatMap(({ startSeconds, endSeconds }, run): Drop[] => {
    if (run === 0 || run === runs.length - 1 || endSeconds - startSeconds > LONGEST_FILLER) return [];
    if (!beginsPhrase(runs, run) || !beginsPhrase(runs, run + 1)) return [];
    const said = wordsWithin(words, {
      startSeconds: startSeconds - WORD_TOLERANCE,
      endSeconds: endSeconds + WORD_TOLERANCE,
    });
    const isFiller = said.length > 0 && said.every(({ text, isTimed }) => isTimed && fillers.has(text));
    return isFiller ? [{ firstRun: run, lastRun: run, reason: 'filler', certainty }] : [];
  });
}

/** Those, in their order, that share no run with one before or with `taken`; ascending. */
function apart(drops: readonly Drop[], taken: readonly Drop[]): Drop[] {
  const chosen: Drop[] = [];
  for (const drop of drops)
    if ([...taken, ...chosen].every((one) => one.lastRun < drop.firstRun || one.firstRun > drop.lastRun))
      chosen.push(drop);
  return chosen.sort((one, other) => one.firstRun - other.firstRun);
}

function secondsBetween({ runs }: TalkFacts, first: number, second: number): number {
  return runs[second].startSeconds - runs[first].startSeconds;
}
