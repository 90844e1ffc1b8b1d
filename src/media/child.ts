import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type ErrorCode, Failure, type FieldError } from '../errors.ts';

/** What a child says to its parent. */
export type ChildMessage =
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'failure';
      readonly code: ErrorCode;
      readonly detail: string;
      readonly fields: readonly FieldError[];
    }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string };

export interface ChildLimits {
  /** Without a message for so long the child is stuck. */
  readonly idleMs: number;
  readonly wallMs: number;
  /** Resident memory. */
  readonly memoryBytes: number;
}

export interface ChildRun {
  /** Module that reads one `{ task, input }` message and answers by `ChildMessage`s. */
  readonly entry: URL;
  readonly task: string;
  readonly input: unknown;
  /** The child's working folder: what it may read and write. */
  readonly folder: string;
  readonly limits: ChildLimits;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

const MEMORY_POLL_MS = 250;

/**
 * Runs one task in a child process of its own: the border against hostile files. The child has an empty
 * environment, a process group that is killed whole, and limits on silence, time and memory.
 * Resolves with the task's result; throws the child's `Failure`, STAGE_TIMEOUT, OUT_OF_MEMORY, WORKER_LOST (it
 * died), the signal's reason when aborted, an `Error` for a bug.
 */
export async function runInChild(run: ChildRun): Promise<unknown> {
  run.signal.throwIfAborted();
  const child = fork(run.entry, [], {
    cwd: run.folder,
    env: {},
    execArgv: [],
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ending = Promise.withResolvers<unknown>();
  let lastWords = '';
  child.stderr?.on('data', (text: Buffer) => {
    lastWords = (lastWords + text.toString()).slice(-2000);
  });

  const idle = setTimeout(() => {
    ending.reject(new Failure('STAGE_TIMEOUT', `No progress for ${run.limits.idleMs / 1000} s`));
  }, run.limits.idleMs);
  const wall = setTimeout(() => {
    ending.reject(new Failure('STAGE_TIMEOUT', `Not finished after ${run.limits.wallMs / 1000} s`));
  }, run.limits.wallMs);
  const memory = setInterval(async () => {
    const bytes = await residentBytes(child);
    if (bytes > run.limits.memoryBytes) {
      ending.reject(
        new Failure('OUT_OF_MEMORY', `More than ${run.limits.memoryBytes} bytes of memory were needed`),
      );
    }
  }, MEMORY_POLL_MS);
  const onAbort = () => ending.reject(run.signal.reason);
  run.signal.addEventListener('abort', onAbort, { once: true });

  child.on('message', (message: ChildMessage) => {
    idle.refresh();
    if (message.kind === 'progress') run.onProgress(message.fraction);
    else settle(message, ending);
  });
  child.on('error', (error) =>
    ending.reject(new Failure('WORKER_LOST', 'The media process could not be started', { cause: error })),
  );
  child.on('exit', (code, signal) =>
    ending.reject(
      new Failure('WORKER_LOST', `The media process ended early (${signal ?? `exit code ${code}`})`, {
        cause: new Error(lastWords),
      }),
    ),
  );
  child.send({ task: run.task, input: run.input }, (error) => {
    if (error !== null)
      ending.reject(new Failure('WORKER_LOST', 'The media process did not take its task', { cause: error }));
  });
  try {
    return await ending.promise;
  } finally {
    clearTimeout(idle);
    clearTimeout(wall);
    clearInterval(memory);
    run.signal.removeEventListener('abort', onAbort);
    await endGroup(child);
  }
}

function settle(
  message: Exclude<ChildMessage, { kind: 'progress' }>,
  ending: PromiseWithResolvers<unknown>,
): void {
  if (message.kind === 'done') ending.resolve(message.result);
  else if (message.kind === 'failure') {
    ending.reject(new Failure(message.code, message.detail, { fields: message.fields }));
  } else {
    const bug = new Error(message.message);
    bug.stack = message.stack;
    ending.reject(bug);
  }
}

/** Kills the whole group and waits until the child is gone: nothing of it writes afterwards. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const gone = child.exitCode !== null || child.signalCode !== null;
  const exit = gone ? null : new Promise((resolve) => child.once('exit', resolve));
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
  await exit;
}

/** From procfs; 0 where there is none. */
async function residentBytes(child: ChildProcess): Promise<number> {
  try {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
