import { Failure, type FieldError } from '../../domain/errors.ts';
import { moduleBeside } from '../../package/package-files.ts';
import type { CaptionFile } from '../../style/captions/file.ts';
import { readOnThread, ThreadLimit } from '../../untrusted/thread.ts';
import { Semaphore } from '../server/semaphore.ts';

/** Facts of a caption file for the response; its cues stay in the thread. */
export interface CaptionOutline
  extends Pick<CaptionFile, 'format' | 'encoding' | 'isEncodingGuessed' | 'signCount' | 'isTelemetry'> {
  readonly cueCount: number;
  /** Cues that begin after a second past the end of the video. */
  readonly pastEndCount: number;
}

/** Messages to and from the thread. */
export interface CaptionTask {
  readonly bytes: Uint8Array;
  readonly durationSeconds: number;
}
export type CaptionResponse =
  | { readonly outline: CaptionOutline }
  | { readonly detail: string; readonly fields: readonly FieldError[] };

/** Within its limits a file takes half a second on a slow core. */
const LIMIT_MS = 10_000;
/** 4 MiB as lines and cues take 60 MiB. */
const HEAP_MIB = 256;

const turns = new Semaphore(1);

/** Reads a caption file on its own thread, one at a time. Throws INVALID_CAPTIONS. */
export async function readCaptionFile(task: CaptionTask, signal: AbortSignal): Promise<CaptionOutline> {
  using _turn = await turns.acquire(signal);
  const entry = moduleBeside('caption-thread', import.meta.url);
  try {
    const response = (await readOnThread({
      ...{ entry, task, signal, heapMib: HEAP_MIB, limitMs: LIMIT_MS },
    })) as CaptionResponse;
    if ('outline' in response) return response.outline;
    throw new Failure('INVALID_CAPTIONS', response.detail, { fields: response.fields });
  } catch (error) {
    if (!(error instanceof ThreadLimit)) throw error;
    throw new Failure('INVALID_CAPTIONS', `Reading the file ${error.message}`, { cause: error });
  }
}
