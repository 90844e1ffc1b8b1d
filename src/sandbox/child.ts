import { type ChildProcess, fork as forkProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, Failure, type FieldError } from '../domain/errors.ts';
import { assertReadable, viewOf } from './filesystem-view.ts';
import { type Contents, contentsOf } from './folder-contents.ts';
import { childrenOf, usageOf } from './processes.ts';
import { NO_SANDBOX, type Sandbox, sandboxCommand } from './sandbox.ts';
import { systemFileBytes } from './system-limits.ts';

/** A message from a child to its parent. */
export type ChildMessage =
  | { readonly kind: 'progress'; readonly fraction: number }
  /** An early result. */
  | { readonly kind: 'found'; readonly found: unknown }
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'failure';
      readonly code: ErrorCode;
      readonly detail: string;
      readonly fields: readonly FieldError[];
    }
  /** The kernel refused to let a file grow (EFBIG). */
  | { readonly kind: 'fileTooLarge' }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string };

export interface ChildLimits {
  /** A child without a message for this long counts as stuck. */
  readonly idleMs: number;
  readonly wallMs: number;
  /** Resident memory. */
  readonly memoryBytes: number;
  /**
   * Limit of each file that it writes, and half the limit of all files that it adds to its folder; undefined:
   * the system's limit.
   */
  readonly fileBytes?: number;
  /** Limit of the files and folders that it adds to its folder; default: 1000, since most tasks write a handful. */
  readonly newFiles?: number;
}

/** Start options of a child: permissions and limits of all its tasks. */
export interface ChildStart {
  /** Missing: no sandbox, for work on trusted files. */
  readonly sandbox?: Sandbox;
  /**
   * Module that reads `{ task, input }` messages, one after the other, and answers each with `ChildMessage`s.
   */
  readonly entry: URL;
  /** The child's working folder, which it may read and write. */
  readonly folder: string;
  /** Further files that it may read. */
  readonly files?: readonly string[];
  /** Devices that it may use; missing: none. */
  readonly devices?: readonly string[];
  /** True: a larger young heap, for work with many short-lived objects; default: false. */
  readonly ampleHeap?: boolean;
  /** Cache of compiled code, which the child trusts: a folder to which no child can write. */
  readonly codeCache?: string | undefined;
  /** The limits of silence and time are for each task; memory, files and processor time are for the child. */
  readonly limits: ChildLimits;
}

/** A task of a child. */
export interface ChildTask {
  readonly task: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
  /** Called with the early result of tasks that have one. */
  readonly onFound?: (found: unknown) => void;
}

export type ChildRun = ChildStart & ChildTask;

const WATCH_MS = 250;
const MAX_NEW_FILES = 1000;
/**
 * Settings of the C library, the only environment of a child. By default glibc has eight arenas per core,
 * which do not return the memory of freed pictures. Rendering the segments of an edit of ten 1080p takes
 * needs 770 to 800 MB with two arenas, 880 to 900 MB by default.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
const FOLDER_PER_FILE_BYTES = 2;
/** A well-behaved child starts none; the sandbox's own programs are at most three at a time. */
const MAX_PROCESSES = 8;
/**
 * Limit of allocated memory per byte of the resident limit. Resident memory is sampled, so an excess is
 * detected late. Processes allocate more than they use, mostly thread stacks.
 */
const DATA_PER_RESIDENT_BYTE = 2;
const MIN_DATA_BYTES = 2 ** 30;
/** Limit for the exit of a killed process, which normally takes much less. */
const ENDING_MS = 1000;
/** Error messages of V8 and of the C++ library. */
const OUT_OF_MEMORY = /out of memory|bad_alloc|Allocation failed/i;

type Ending = PromiseWithResolvers<unknown>;

/**
 * A child process in a sandbox, as protection against hostile files. It has an empty environment, sees only
 * what `sandbox` grants, and is limited in silence, time, memory and processes. It runs one task after the
 * other and ends at its first failure; it is killed with all its processes.
 */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #start: ChildStart;
  /** Rejects when the child exits or exceeds a limit. */
  readonly #lost: Ending = Promise.withResolvers<unknown>();
  readonly #stopWatching: () => void;
  #end: Promise<void> | undefined;

  private constructor(child: ChildProcess, start: ChildStart) {
    this.#process = child;
    this.#start = start;
    this.#stopWatching = watch(child, start, this.#lost);
    // The error reaches a running task.
    this.#lost.promise.catch(() => {});
  }

  static async start(start: ChildStart): Promise<Child> {
    return new Child(await fork(start), start);
  }

  get hasEnded(): boolean {
    const { exitCode, signalCode } = this.#process;
    return this.#end !== undefined || exitCode !== null || signalCode !== null;
  }

  /**
   * Resolves with the task's result. Throws the child's `Failure`, STAGE_TIMEOUT, OUT_OF_MEMORY,
   * INPUT_LIMIT_EXCEEDED (it wrote too much), WORKER_LOST (it ended early), the signal's reason when aborted,
   * an `Error` for a bug.
   */
  async run({ task, input, signal, onProgress, onFound }: ChildTask): Promise<unknown> {
    const { idleMs, wallMs } = this.#start.limits;
    const ending: Ending = Promise.withResolvers<unknown>();
    const late = (ms: number, what: string) =>
      setTimeout(() => ending.reject(new Failure('STAGE_TIMEOUT', `${what} ${ms / 1000} s`)), ms);
    const onAbort = () => ending.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const idle = late(idleMs, 'No progress for');
    const wall = late(wallMs, 'Not finished after');
    const onMessage = (message: ChildMessage) => {
      idle.refresh();
      if (message.kind === 'progress') onProgress(message.fraction);
      else if (message.kind === 'found') onFound?.(message.found);
      else settle(message, ending, this.#start.limits);
    };
    this.#process.on('message', onMessage);
    this.#process.send({ task, input }, (error) => {
      if (error !== null)
        ending.reject(
          new Failure('WORKER_LOST', 'The media process did not accept its task', { cause: error }),
        );
    });
    try {
      if (signal.aborted) onAbort();
      return await Promise.race([ending.promise, this.#lost.promise]);
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    } finally {
      clearTimeout(idle);
      clearTimeout(wall);
      signal.removeEventListener('abort', onAbort);
      this.#process.off('message', onMessage);
    }
  }

  /** Ends the child. It writes nothing afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopWatching();
    this.#end ??= killGroup(this.#process, this.#start.sandbox ?? NO_SANDBOX);
    await this.#end;
  }
}

/** Runs one task in its own child. Throws the errors of `Child.run`. */
export async function runInChild(run: ChildRun): Promise<unknown> {
  run.signal.throwIfAborted();
  await using child = await Child.start(run);
  return await child.run(run);
}

/**
 * MB. V8 starts with less and collects the whole heap each time it outgrows it. That happens five times in
 * ten seconds of a clip, a third of the cost of collection (decision 0031). Used for every child, because V8
 * caches compiled code under a hash of its flags (decision 0001). The hash does not include the size of the
 * young space.
 */
const INITIAL_HEAP = '--initial-old-space-size=64';
/**
 * V8 would grow its young space with the work, without benefit. This limits memory over hours, without
 * measurable cost.
 */
const FLAT_HEAP = [INITIAL_HEAP, '--max-semi-space-size=2'];
/**
 * Collects less often: up to 40 MB more memory, and a twentieth less processor time of drawing (decision
 * 0021).
 */
const AMPLE_HEAP = [INITIAL_HEAP, '--max-semi-space-size=8'];

async function fork({
  sandbox = NO_SANDBOX,
  entry,
  folder,
  files = [],
  devices = [],
  ampleHeap = false,
  codeCache,
  limits,
}: ChildStart): Promise<ChildProcess> {
  const { memoryBytes, wallMs, fileBytes } = limits;
  if (sandbox.namespaces) await assertReadable(files);
  const shown = [dirname(fileURLToPath(entry)), ...files, ...(codeCache === undefined ? [] : [codeCache])];
  const [program, ...sandboxArguments] = sandboxCommand(sandbox, await viewOf(folder, shown, devices), {
    cpuSeconds: wallMs / 1000,
    dataBytes: MIN_DATA_BYTES + memoryBytes * DATA_PER_RESIDENT_BYTE,
    // With a limit above the system's the child would not start.
    fileBytes: fileBytes === undefined ? null : Math.min(fileBytes, systemFileBytes()),
  });
  return forkProcess(entry, [], {
    cwd: folder,
    env: { ...ENVIRONMENT, ...(codeCache === undefined ? {} : { NODE_COMPILE_CACHE: codeCache }) },
    execPath: program!,
    execArgv: [...sandboxArguments, ...(ampleHeap ? AMPLE_HEAP : FLAT_HEAP)],
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Rejects `ending` when the child exits or exceeds a limit. Returns a function that stops the watch. */
function watch(child: ChildProcess, { limits, folder }: ChildStart, ending: Ending): () => void {
  const before = contentsOf(folder, Number.POSITIVE_INFINITY);
  let errorOutput = '';
  child.stderr?.on('data', (text: Buffer) => {
    errorOutput = (errorOutput + text.toString()).slice(-2000);
  });
  child.on('error', (cause) =>
    ending.reject(new Failure('WORKER_LOST', 'The media process could not be started', { cause })),
  );
  child.on('exit', (code, signal) => {
    const reportEnd = () =>
      ending.reject(endFailure(limits, signal ?? `exit code ${code}`, new Error(errorOutput)));
    // Its last output may not have arrived yet.
    child.once('close', reportEnd);
    setTimeout(reportEnd, ENDING_MS).unref();
  });
  const usage = setInterval(() => {
    if (child.pid === undefined) return;
    const { bytes, processes } = usageOf(child.pid);
    // Checked first, since other processes also use memory.
    if (processes > MAX_PROCESSES)
      ending.reject(
        new Failure('WORKER_LOST', 'The media process started other processes, which is not allowed'),
      );
    if (bytes > limits.memoryBytes) ending.reject(memoryFailure(limits));
    const excess = excessOf(folder, before, limits);
    if (excess !== null) ending.reject(new Failure('INPUT_LIMIT_EXCEEDED', excess));
  }, WATCH_MS);
  return () => clearInterval(usage);
}

/** Describes files that a child has added beyond its limits; null when it has not. */
function excessOf(
  folder: string,
  before: Contents,
  { fileBytes, newFiles = MAX_NEW_FILES }: ChildLimits,
): string | null {
  const maxFiles = before.files + newFiles;
  const { files, bytes } = contentsOf(folder, maxFiles + 1);
  if (files > maxFiles) return `More than ${newFiles} files were written`;
  const maxBytes = fileBytes === undefined ? Number.POSITIVE_INFINITY : fileBytes * FOLDER_PER_FILE_BYTES;
  return bytes - before.bytes > maxBytes ? `More than ${maxBytes} bytes were written` : null;
}

/** Converts the end of a child to a failure, by the limit of the kernel that ended it, if any. */
function endFailure(limits: ChildLimits, end: string, cause: Error): Failure {
  if (OUT_OF_MEMORY.test(cause.message)) return memoryFailure(limits, cause);
  if (end === 'SIGXCPU') return new Failure('STAGE_TIMEOUT', 'It took too much processor time', { cause });
  if (end === 'SIGXFSZ') return fileSizeFailure(limits, cause);
  return new Failure('WORKER_LOST', `The media process ended early (${end})`, { cause });
}

function memoryFailure({ memoryBytes }: ChildLimits, cause?: Error): Failure {
  return new Failure('OUT_OF_MEMORY', `More than ${memoryBytes} bytes of memory were needed`, { cause });
}

function fileSizeFailure({ fileBytes = Number.POSITIVE_INFINITY }: ChildLimits, cause?: Error): Failure {
  const system = systemFileBytes();
  if (system < fileBytes) {
    const detail = `A file would exceed ${system} bytes, the limit of this system for files of a process. Raise it (ulimit -f)`;
    return new Failure('INSUFFICIENT_STORAGE', detail, { cause });
  }
  return new Failure('INPUT_LIMIT_EXCEEDED', `A file of more than ${fileBytes} bytes was written`, { cause });
}

function settle(
  message: Exclude<ChildMessage, { kind: 'progress' | 'found' }>,
  ending: Ending,
  limits: ChildLimits,
): void {
  if (message.kind === 'done') ending.resolve(message.result);
  else if (message.kind === 'fileTooLarge') ending.reject(fileSizeFailure(limits));
  else if (message.kind === 'failure') {
    ending.reject(new Failure(message.code, message.detail, { fields: message.fields }));
  } else {
    const bug = new Error(message.message);
    bug.stack = message.stack;
    ending.reject(bug);
  }
}

/**
 * Kills the whole process group and waits until it has ended, so that none of it writes afterwards. Processes
 * in the sandbox are killed first. Their launcher then ends after waiting for them and counting their cost.
 */
async function killGroup(child: ChildProcess, { namespaces }: Sandbox): Promise<void> {
  if (child.pid === undefined) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  if (hasExited() && child.stderr?.closed !== false) return;
  if (namespaces && !hasExited()) {
    for (const pid of childrenOf(child.pid)) kill(pid);
    await Promise.race([closed, sleep(ENDING_MS, undefined, { ref: false })]);
  }
  kill(-child.pid);
  // Processes that left the group could hold the pipes open.
  await Promise.race([closed, sleep(ENDING_MS, undefined, { ref: false })]);
}

/** The process may already have ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}
