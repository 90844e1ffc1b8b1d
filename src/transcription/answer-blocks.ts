/** The forms in which engines answer, as one. */
import { z } from 'zod';
import { TranscriptionFailure } from '../domain/transcription.ts';
import { check } from '../untrusted/check.ts';
import { JsonFault, parseJson } from '../untrusted/json.ts';
import { type AnswerLimits, limitReason, WINDOW_SECONDS } from './answer-limits.ts';
import { onOneLine } from './answer-text.ts';

/** A thousandth of the last time lies in the sound then, unless nobody speaks after its first hundredth. */
const MILLISECONDS_FROM = 10;
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

/** Some servers write numbers as text ("0.52", "0.52s"), and Python's "nan" and infinities, which are no times. */
const NUMBER_TEXT = /^\s*([+-]?\d*\.?\d+(?:e[+-]?\d+)?)\s*s?\s*$/i;
const NO_NUMBER_TEXT = /^\s*(?:[+-]?(?:nan|inf(?:inity)?|null|none))?\s*$/i;

/** Texts that are no number remain, and fail the check. */
function timeOf(value: unknown): unknown {
  if (typeof value === 'string') {
    const number = NUMBER_TEXT.exec(value)?.[1];
    if (number !== undefined) return timeOf(Number(number));
    return NO_NUMBER_TEXT.test(value) ? null : value;
  }
  return value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value;
}

const time = z.preprocess(timeOf, z.number().nullable()).optional().default(null);
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

const milliseconds = time.transform((value) => (value === null ? null : value / 1000));
const offsets = z.object({ from: milliseconds, to: milliseconds });
const offsetPart = z
  .object({ text: z.string(), offsets: offsets.nullish() })
  .transform(({ text, offsets: at }): Part => ({ text, start: at?.from ?? null, end: at?.to ?? null }));
/** A segment of whisper.cpp's own JSON, with tokens in its full form. */
const offsetSegment = z
  .intersection(offsetPart, z.object({ tokens: z.array(offsetPart).nullish() }))
  .transform(({ tokens, ...own }): Block => ({ ...own, parts: tokens ?? [] }));
/** Of the pipelines of Transformers. */
const chunk = z
  .object({ text: z.string(), timestamp: z.tuple([time, time]).nullish() })
  .transform(({ text, timestamp }): Block => {
    const [start, end] = timestamp ?? [null, null];
    return { text, start, end, parts: [] };
  });

/**
 * OpenAI lists words beside the segments, whisper.cpp's server and WhisperX in them, faster-whisper and Speaches in both, with null for
 * what was not requested. WhisperX repeats them as `word_segments`; Vosk has `result`, also within `alternatives`. Wrappers of whisper.cpp
 * answer with its `transcription`, those of Transformers with `chunks`.
 */
const answerSchema = z.object({
  text: z.string().nullish(),
  words: parts,
  word_segments: parts,
  /** Not an object: that of whisper.cpp has the language. */
  result: z.preprocess((value) => (Array.isArray(value) ? value : undefined), parts.optional()),
  alternatives: z
    .array(z.object({ text: z.string().nullish(), result: parts }))
    .nullish()
    .transform((value) => value?.[0]),
  segments: z.array(segment).nullish(),
  transcription: z.array(offsetSegment).nullish(),
  chunks: z.array(chunk).nullish(),
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
  const segments = data.segments ?? data.transcription ?? data.chunks ?? null;
  const lists = [data.words, data.word_segments, data.result ?? [], data.alternatives?.result ?? []];
  const beside = lists.find(({ length }) => length > 0);
  // Vosk's answer to silence is an empty text.
  if (segments === null && beside === undefined && !isSilent(value as object))
    throw new TranscriptionFailure(
      `its answer has neither words nor segments with times${reportedError(value as object)}`,
    );
  const within = (segments ?? []).reduce((sum, { parts: { length } }) => sum + length, 0);
  const blocks =
    beside === undefined || within >= beside.length
      ? (segments ?? [])
      : [{ text: textOf(data, segments ?? []), start: null, end: null, parts: beside }];
  assertSpoken(blocks, limits);
  if (blocks.length === 0 ? data.text?.trim() : isText(blocks) && timesIn(blocks).length === 0)
    throw new TranscriptionFailure('its answer has a text, but no times of its words or segments');
  return inSeconds(blocks, limits);
}

/** An answer with lists that are empty, or an empty text. */
function isSilent(value: Partial<Record<keyof z.input<typeof answerSchema>, unknown>>): boolean {
  const lists = [value.words, value.word_segments, value.result, value.alternatives];
  return lists.some(Array.isArray) || value.text === '';
}

/** whisper.cpp's server answers 200 with `error`, others with an object of OpenAI's form, or with `detail`. */
function reportedError({ error, detail }: { readonly error?: unknown; readonly detail?: unknown }): string {
  const { message = error ?? detail } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? `, but an error: ${onOneLine(message).slice(0, 200)}` : '';
}

function isText(blocks: readonly Block[]): boolean {
  return blocks.some(({ text, parts: own }) => text.trim() !== '' || own.length > 0);
}

function textOf(data: z.output<typeof answerSchema>, segments: readonly Block[]): string {
  const text = segments.map((one) => one.text.trim()).join(' ');
  return text === '' ? (data.text ?? data.alternatives?.text ?? '') : text;
}

function timesIn(blocks: readonly Block[]): number[] {
  return blocks
    .flatMap(({ start, end, parts: own }) => [start, end, ...own.flatMap((one) => [one.start, one.end])])
    .filter((at) => at !== null);
}

/** AssemblyAI and others count milliseconds. Models that invent words after the end of the sound do so within their window. */
function inSeconds(blocks: readonly Block[], { durationSeconds }: AnswerLimits): readonly Block[] {
  const times = timesIn(blocks);
  const last = times.reduce((most, at) => Math.max(most, at), 0);
  const isMilliseconds =
    last > MILLISECONDS_FROM * (durationSeconds + WINDOW_SECONDS) && times.every(Number.isInteger);
  if (!isMilliseconds) return blocks;
  const scaled = <P extends Part>(one: P): P => ({
    ...one,
    start: one.start === null ? null : one.start / 1000,
    end: one.end === null ? null : one.end / 1000,
  });
  return blocks.map((block) => ({ ...scaled(block), parts: block.parts.map(scaled) }));
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
