import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export interface ThreadTask {
  /** A module that calls `answerOnThread`. */
  readonly entry: URL;
  /** Cloned to the thread. */
  readonly task: object;
  /** Buffers of the task that are moved in place of copied. */
  readonly moved?: readonly ArrayBuffer[];
  /** Its heap. Strings and buffers are limited by the size of what it reads. */
  readonly heapMib: number;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** A text took too much. The message continues "Reading it …". */
export class ThreadLimit extends Error {
  override readonly name = 'ThreadLimit';
}

/**
 * Reads what others wrote on a thread of its own, with limits of memory and time, because parsing on the main thread would delay all
 * requests, and an array of a million values fills the heap of the process. The thread ends with its answer and returns its memory.
 * Throws `ThreadLimit`, the signal's reason, and what the entry throws.
 */
export async function readOnThread({
  entry,
  task,
  moved = [],
  heapMib,
  limitMs,
  signal,
}: ThreadTask): Promise<unknown> {
  signal.throwIfAborted();
  const worker = new Worker(entry, {
    workerData: task,
    transferList: [...moved],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
  });
  const late = AbortSignal.timeout(limitMs);
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.any([signal, late]) });
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!late.aborted && !isOutOfMemory) throw error;
    throw new ThreadLimit(`took more than ${limitMs / 1000} s or ${heapMib} MiB of memory`, { cause: error });
  } finally {
    await worker.terminate();
  }
}

/** In a thread: reads its task and sends the answer. */
export function answerOnThread<Task, Answer>(read: (task: Task) => Answer): void {
  parentPort!.postMessage(read(workerData as Task));
}
