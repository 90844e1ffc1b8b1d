/** The forms in which engines answer, as one. */
import { z } from 'zod';
import { TranscriptionFailure } from '../domain/transcription.ts';
import { check } from '../untrusted/check.ts';
import { JsonFault, parseJson } from '../untrusted/json.ts';
import { type AnswerLimits, limitReason } from './answer-limits.ts';

/** Levels of the deepest form: WhisperX has letters in words in segments. */
const MAX_DEPTH = 16;
/** Python's engines write these, which JSON does not have. Strings are matched first, so that they are passed over. */
const NOT_FINITE = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/** A word, or a token of whisper.cpp: those that begin a word have a space before them. */
export interface Part {
  readonly text: string;
  /** Null: WhisperX has no times for numbers. */
  readonly start: number | null;
  readonly end: number | null;
}

/** Words with the text that they are from. */
export interface Block extends Part {
  /** Empty: only the text is known. */
  readonly parts: readonly Part[];
}

const time = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const part = z
  .object({ word: z.string().nullish(), text: z.string().nullish(), start: time, end: time })
  .refine(({ word, text }) => (word ?? text) != null, { path: ['word'], message: 'is required' })
  .transform(({ word, text, ...times }): Part => ({ ...times, text: (word ?? text)! }));
const parts = z
  .array(part)
  .nullish()
  .transform((value) => value ?? []);
const segment = z
  .object({ text: z.string().nullish(), start: time, end: time, words: parts })
  .transform(({ text, words, ...times }): Block => ({ ...times, text: text ?? '', parts: words }));

/**
 * OpenAI lists words beside the segments, whisper.cpp's server and WhisperX in them, faster-whisper and Speaches in both, with null for
 * what was not requested. WhisperX repeats them as `word_segments`; Vosk has `result`, also within `alternatives`.
 */
const answerSchema = z.object({
  text: z.string().nullish(),
  words: parts,
  word_segments: parts,
  result: parts,
  alternatives: z
    .array(z.object({ text: z.string().nullish(), result: parts }))
    .nullish()
    .transform((value) => value?.[0]),
  segments: z.array(segment).nullish(),
});

/** Throws `TranscriptionFailure` for an answer of another form, and one with more than `limits`. */
export function blocksOf(text: string, limits: AnswerLimits): readonly Block[] {
  const value = jsonOf(text, limits);
  const parsed = check(answerSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue.path.length === 0 ? 'answer' : issue.path.join('.');
    throw new TranscriptionFailure(`its answer is not verbose_json (${place}: ${issue.message})`);
  }
  const { data } = parsed;
  const hasWords = ['words', 'word_segments', 'result', 'alternatives'].some(
    (key) => (value as Record<string, unknown>)[key] != null,
  );
  if (!hasWords && data.segments == null)
    throw new TranscriptionFailure('its answer has neither words nor segments with times');
  const segments = data.segments ?? [];
  const beside = [data.words, data.word_segments, data.result, data.alternatives?.result ?? []].find(
    ({ length }) => length > 0,
  );
  const within = segments.reduce((sum, { parts: { length } }) => sum + length, 0);
  const blocks =
    beside === undefined || within >= beside.length
      ? segments
      : [{ text: textOf(data, segments), start: 0, end: limits.durationSeconds, parts: beside }];
  if (blocks.every((block) => block.text.trim() === '' && block.parts.length === 0) && data.text?.trim())
    throw new TranscriptionFailure('its answer has a text, but no times of its words or segments');
  assertSpoken(blocks, limits);
  return blocks;
}

function textOf(data: z.output<typeof answerSchema>, segments: readonly Block[]): string {
  const text = segments.map((one) => one.text.trim()).join(' ');
  return text === '' ? (data.text ?? data.alternatives?.text ?? '') : text;
}

function jsonOf(text: string, { values }: AnswerLimits): unknown {
  const limits = { depth: MAX_DEPTH, values };
  try {
    try {
      return parseJson(text, limits);
    } catch (error) {
      if (!(error instanceof JsonFault && error.kind === 'syntax')) throw error;
      return parseJson(
        text.replace(NOT_FINITE, (match) => (match.startsWith('"') ? match : 'null')),
        limits,
      );
    }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new TranscriptionFailure(`its answer ${error.message}`);
  }
}

function assertSpoken(blocks: readonly Block[], limits: AnswerLimits): void {
  let letters = 0;
  // The text of a block repeats its words: one of both counts.
  for (const { text, parts: spoken } of blocks)
    letters += Math.max(
      text.length,
      spoken.reduce((sum, one) => sum + one.text.length, 0),
    );
  if (letters <= limits.letters) return;
  const most = `more than ${limits.letters}, ${limitReason(limits)}`;
  throw new TranscriptionFailure(`its answer has ${letters} letters, ${most}`);
}
