/** The interface of the embedded PostgreSQL's thread for the rest of this process. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../package/package-files.ts';
import {
  type CallName,
  type PostgresCalls,
  type Request,
  type Response,
  unpackError,
} from './postgres-calls.ts';

let spare: PostgresClient | undefined;

/**
 * Starts the thread for `claimClient` early, while a caller that will open a database still does other work.
 */
export function startClient(): void {
  spare ??= new PostgresClient();
}

/** The thread that was started early, or a new one. Each call returns another thread. */
export function claimClient(): PostgresClient {
  startClient();
  const client = spare!;
  spare = undefined;
  return client;
}

type CallResponse = Exclude<Response, { listener: number }>;

/** Lets the process exit unless an answer is pending. */
export class PostgresClient {
  readonly #worker = new Worker(moduleBeside('postgres-thread', import.meta.url), {
    env: threadEnvironment(),
    // Options of this process, such as "--input-type", apply to its own entry module.
    execArgv: [],
  });
  readonly #waiting = new Map<number, (response: CallResponse) => void>();
  readonly #listeners = new Map<number, (payload: string) => void>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor() {
    this.#worker.on('message', (response: Response) => {
      if ('listener' in response) this.#listeners.get(response.listener)?.(response.payload);
      else this.#settle(response);
    });
    // The thread ends by itself only after a fatal error, such as lack of memory. The process then ends with
    // that error.
    this.#worker.on('error', (cause) => {
      throw new Error(`The embedded PostgreSQL ended: ${cause.message}`, { cause });
    });
    this.#worker.on('exit', () => this.#hasEnded());
    // Done last, since a message listener keeps the process running.
    this.#worker.unref();
  }

  /** Throws PostgreSQL's errors with their `code`. */
  async call<C extends CallName>(
    call: C,
    ...values: Parameters<PostgresCalls[C]>
  ): Promise<Awaited<ReturnType<PostgresCalls[C]>>> {
    if (this.#ended !== undefined) throw this.#ended;
    const id = ++this.#lastId;
    const response = await new Promise<CallResponse>((settle) => {
      this.#worker.postMessage({ id, call, with: values } satisfies Request);
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, settle);
    });
    // Created at the caller's await, so that its stack contains the caller.
    if ('error' in response) throw unpackError(response.error);
    return response.result as Awaited<ReturnType<PostgresCalls[C]>>;
  }

  /**
   * Calls back for every NOTIFY on the channel until the returned function is called; calling that again does
   * nothing.
   */
  async listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>> {
    const listener = ++this.#lastId;
    this.#listeners.set(listener, onPayload);
    await this.call('listen', channel, listener);
    return async () => {
      if (this.#listeners.delete(listener)) await this.call('unlisten', listener);
    };
  }

  /** A number that is unique on this thread. */
  newTransaction(): number {
    return ++this.#lastId;
  }

  /** Ends the thread immediately. Close PostgreSQL first if it was opened. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(response: CallResponse): void {
    const settle = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    settle?.(response);
  }

  #hasEnded(): void {
    const message = 'The embedded PostgreSQL has ended.';
    this.#ended = new Error(message);
    for (const id of [...this.#waiting.keys()]) this.#settle({ id, error: { message, fields: {} } });
  }
}

/** Only the cache of compiled code, if this process has one: a thread needs its own setting. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  // Node appends a folder for its version to this path.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}
