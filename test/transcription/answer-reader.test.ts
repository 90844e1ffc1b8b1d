/** The longest answers within the limits of a piece of ten minutes, and what they cost the thread that asks. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TranscriptionFailure } from '../../src/domain/transcription.ts';
import { answerLimits } from '../../src/transcription/answer-limits.ts';
import { readAnswer } from '../../src/transcription/answer-reader.ts';

const LIMITS = answerLimits(600);
const MAX_BLOCKED_US = 200_000;
const filled = (item: string, head: string, end: string) =>
  head + item.repeat(Math.floor((LIMITS.bytes - head.length - end.length) / item.length)) + end;
const list = (item: string, count: number) => Array(count).fill(item).join(',');
const word = (n: number) =>
  JSON.stringify({ word: ` word${n}`, start: n / 64, end: n / 64 + 0.01, probability: 0.5 });

const ANSWERS: Readonly<Record<string, { readonly text: string; readonly reason: RegExp | null }>> = {
  'zeros up to the limit of bytes': { text: filled('0,', '{"words":[', '0]}'), reason: /values and keys$/ },
  'zeros up to the limit of values': {
    text: `{"words":[${list('0', LIMITS.values - 10)}]}`,
    reason: /words\.0: /,
  },
  'empty words up to the limit of values': {
    text: `{"words":[${list('{}', LIMITS.values - 10)}]}`,
    reason: /words\.0/,
  },
  'one text up to the limit of bytes': {
    text: filled('a', '{"segments":[{"text":"', '"}]}'),
    reason: /letters, more than/,
  },
  'brackets up to the limit of bytes': { text: filled('[', '', ''), reason: /nested deeper/ },
  'a text without spaces up to the limit of letters': {
    text: JSON.stringify({ segments: [{ text: '漢字'.repeat(LIMITS.letters / 2), start: 0, end: 600 }] }),
    reason: /words, more than/,
  },
  'words up to the limit': {
    text: `{"words":[${Array.from({ length: LIMITS.words }, (_, n) => word(n)).join(',')}]}`,
    reason: null,
  },
};

describe('an answer is read beside the thread that asks', { timeout: 300_000 }, () => {
  for (const [what, { text, reason }] of Object.entries(ANSWERS)) {
    test(what, async () => {
      const bytes = Buffer.from(text);
      assert.ok(bytes.length <= LIMITS.bytes, `${bytes.length}`);
      const before = process.threadCpuUsage();
      const result = await readAnswer(
        { bytes, contentType: '', limits: LIMITS },
        AbortSignal.timeout(200_000),
      ).catch((error: unknown) => error);
      const { user, system } = process.threadCpuUsage(before);
      if (reason === null) assert.equal((result as { words: unknown[] }).words.length, LIMITS.words);
      else {
        assert.ok(result instanceof TranscriptionFailure && result.isAnswerUnusable, String(result));
        assert.match(result.message, reason);
      }
      assert.ok(user + system < MAX_BLOCKED_US, `${user + system} µs of the main thread`);
    });
  }
});
