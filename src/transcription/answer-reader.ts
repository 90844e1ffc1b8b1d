import { type Transcript, TranscriptionFailure } from '../domain/transcription.ts';
import { moduleBeside } from '../package/package-files.ts';
import { readOnThread, ThreadLimit } from '../untrusted/thread.ts';
import type { AnswerLimits } from './answer-limits.ts';

/** Messages to and from the thread. */
export interface AnswerTask {
  readonly bytes: Uint8Array;
  /** `Content-Type` of the answer; empty: it has none. */
  readonly contentType: string;
  readonly limits: AnswerLimits;
}
export type AnswerResult = { readonly transcript: Transcript } | { readonly failure: string };

/** The worst answer within its limits takes two seconds of processor time; a machine with thirty busy processes has needed 20 s. */
const LIMIT_MS = 60_000;
/** Its 1.5 million values take 100 MiB. */
const HEAP_MIB = 256;

export function unusable(message: string): TranscriptionFailure {
  return new TranscriptionFailure(message, { isAnswerUnusable: true });
}

/** Reads an answer on its own thread. Throws `TranscriptionFailure` and the signal's reason. */
export async function readAnswer(task: AnswerTask, signal: AbortSignal): Promise<Transcript> {
  const entry = moduleBeside('answer-thread', import.meta.url);
  try {
    const result = (await readOnThread({
      ...{ entry, task, signal, heapMib: HEAP_MIB, limitMs: LIMIT_MS },
    })) as AnswerResult;
    if ('transcript' in result) return result.transcript;
    throw unusable(result.failure);
  } catch (error) {
    if (error instanceof ThreadLimit) throw unusable(`reading its answer ${error.message}`);
    throw error;
  }
}
