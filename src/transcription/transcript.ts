import type { TextCue } from '../domain/footage.ts';
import { type Transcript, TranscriptionFailure } from '../domain/transcription.ts';
import { type Block, blocksOf } from './answer-blocks.ts';
import { type AnswerLimits, limitReason } from './answer-limits.ts';
import { withoutLoops } from './loops.ts';
import { withoutNoiseMarks } from './noise-marks.ts';
import { spelledLike } from './spelling.ts';
import { BROKEN_LETTER, dividedText, wholeWords } from './whole-words.ts';
import { timed, timedBlocks } from './word-times.ts';

const PUNCTUATION = /[.,;:!?…。、！？]/u;

/**
 * The words of an engine's answer. Where only segments have times, their words share the time by their lengths. Throws
 * `TranscriptionFailure` for an answer of another form, and for one with more than a person can say in the time.
 */
export function transcriptOf(answer: string, limits: AnswerLimits): Transcript {
  const blocks = timedBlocks(blocksOf(answer, limits), limits.durationSeconds).map((block) => ({
    text: plain(block.text).replaceAll(BROKEN_LETTER, ''),
    times: block,
    parts: wholeWords(
      timed(block.parts, block).map((part) => ({ ...timesOf(part), text: plain(part.text) })),
    ),
  }));
  const isPunctuated = blocks.some(({ parts }) => parts.some(({ text }) => PUNCTUATION.test(text.slice(-1))));
  const words = blocks
    .flatMap(({ text, times, parts }) => {
      if (parts.length === 0) return wholeWords(dividedText({ ...timesOf(times), text }));
      const isBroken = parts.some((part) => part.text.includes(BROKEN_LETTER));
      const isBare = !isPunctuated && PUNCTUATION.test(text);
      return (isBroken || isBare ? spelledLike(text, parts, !isBare) : parts).flatMap(dividedText);
    })
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
  if (words.length > limits.words) {
    const most = `more than ${limits.words}, ${limitReason(limits)}`;
    throw new TranscriptionFailure(`its answer has ${words.length} words, ${most}`);
  }
  return spoken(words, limits.durationSeconds);
}

/** Without what the engine invented. */
function spoken(words: readonly TextCue[], durationSeconds: number): Transcript {
  const voiced = withoutNoiseMarks(words);
  const once = withoutLoops(voiced);
  const inside = once.filter(({ startSeconds }) => startSeconds < durationSeconds);
  return {
    words: inside.map((word) => ({ ...word, endSeconds: Math.min(word.endSeconds, durationSeconds) })),
    omitted: { looped: voiced.length - once.length, afterEnd: once.length - inside.length },
  };
}

function timesOf({ startSeconds, endSeconds }: Pick<TextCue, 'startSeconds' | 'endSeconds'>) {
  return { startSeconds, endSeconds: Math.max(startSeconds, endSeconds) };
}

/**
 * Without control characters; spaces as one, since that at the beginning has a meaning. Zero-width joiners and non-joiners are letters of
 * Persian and Hindi, and hold emoji together.
 */
function plain(text: Block['text']): string {
  return text.replace(/\s+/g, ' ').replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}
