import { z } from 'zod';
import type { TextCue } from '../domain/footage.ts';
import { TranscriptionFailure } from '../domain/transcription.ts';

/** Half a day of fast speech has fewer words. */
const MAX_WORDS = 200_000;
/** Longer than any word; engines sometimes repeat a syllable for ever. */
const MAX_WORD_CHARACTERS = 100;

const seconds = z
  .number()
  .min(0)
  .max(24 * 3600);
const wordSchema = z.object({ word: z.string(), start: seconds, end: seconds });
const segmentSchema = z.object({
  text: z.string(),
  start: seconds,
  end: seconds,
  words: z.array(wordSchema).optional(),
});
/** `verbose_json`: OpenAI puts words beside the segments, whisper.cpp's server into them; some engines send segments alone. */
const responseSchema = z.object({
  words: z.array(wordSchema).nullish(),
  segments: z.array(segmentSchema).nullish(),
});

/**
 * The words of an engine's answer in time order, in seconds of the sound that was sent. Where only segments have times, their words share the
 * time by their lengths. Throws `TranscriptionFailure` for an answer of another form.
 */
export function wordsOf(text: string): readonly TextCue[] {
  const parsed = responseSchema.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new TranscriptionFailure(
      `its answer is not verbose_json (${issue.path.join('.')}: ${issue.message})`,
    );
  }
  const { words, segments } = parsed.data;
  if (words == null && segments == null)
    throw new TranscriptionFailure('its answer has neither words nor segments with times');
  const timed = words?.length ? words.map(cueOfWord) : (segments ?? []).flatMap(wordsOfSegment);
  if (timed.length > MAX_WORDS)
    throw new TranscriptionFailure(`its answer has ${timed.length} words, more than ${MAX_WORDS}`);
  return wholeWords(timed)
    .flatMap(({ text: word, ...times }) => {
      const shown = plain(word);
      return shown === '' ? [] : [{ ...times, text: shown }];
    })
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
}

/**
 * Joins the parts of words: whisper.cpp's server reports tokens, of which only those that begin a word have a space before them. Engines
 * that report words put a space before each, or before none.
 */
function wholeWords(parts: readonly TextCue[]): readonly TextCue[] {
  const spaced = parts.filter(({ text }) => /^\s/.test(text)).length;
  if (spaced === 0) return parts;
  const words: TextCue[] = [];
  for (const part of parts) {
    const last = words.at(-1);
    if (last === undefined || /^\s/.test(part.text)) words.push(part);
    else {
      const endSeconds = Math.max(last.endSeconds, part.endSeconds);
      words[words.length - 1] = { ...last, endSeconds, text: last.text + part.text };
    }
  }
  return words;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TranscriptionFailure('its answer is not JSON');
  }
}

function cueOfWord({ word, start, end }: z.output<typeof wordSchema>): TextCue {
  return { startSeconds: start, endSeconds: Math.max(start, end), text: word };
}

function wordsOfSegment({ text, start, end, words }: z.output<typeof segmentSchema>): TextCue[] {
  if (words?.length) return words.map(cueOfWord);
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const perCharacter = Math.max(0, end - start) / Math.max(1, parts.join('').length);
  let at = start;
  return parts.map((part) => {
    const startSeconds = at;
    at += part.length * perCharacter;
    return { startSeconds, endSeconds: at, text: part };
  });
}

/** Without control characters and the marks of non-speech, such as `[BLANK_AUDIO]` and `(music)`. */
function plain(word: string): string {
  const text = word.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return /^[[(<].*[\])>]$/.test(text) ? '' : text.slice(0, MAX_WORD_CHARACTERS);
}
