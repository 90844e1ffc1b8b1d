/** The embedded PostgreSQL's thread, as the rest of this process sees it. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../package-files.ts';
import { type Asked, type CallName, type PostgresCalls, type Told, unpackError } from './postgres-calls.ts';

let ready: PostgresClient | undefined;

/** Starts what `takeClient` will give: whoever knows that a database will be opened asks at once, and goes on reading the rest of the program. */
export function readyClient(): void {
  ready ??= new PostgresClient();
}

/** A thread of one's own. */
export function takeClient(): PostgresClient {
  readyClient();
  const taken = ready!;
  ready = undefined;
  return taken;
}

type Settle = (told: Exclude<Told, { listener: number }>) => void;

/** Keeps the process alive only while an answer is waited for. */
export class PostgresClient {
  readonly #worker = new Worker(moduleBeside('postgres-thread', import.meta.url), {
    env: threadEnvironment(),
    // What this process was started with is about its own entry, such as "--input-type".
    execArgv: [],
  });
  readonly #waiting = new Map<number, Settle>();
  readonly #listeners = new Map<number, (payload: string) => void>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor() {
    this.#worker.on('message', (told: Told) => {
      if ('listener' in told) this.#listeners.get(told.listener)?.(told.payload);
      else this.#settle(told);
    });
    // It ends by itself only where it cannot go on, as from want of memory. So does the process then, and tells why.
    this.#worker.on('error', (cause) => {
      throw new Error(`The embedded PostgreSQL ended: ${cause.message}`, { cause });
    });
    this.#worker.on('exit', () => this.#hasEnded());
    // After the listeners: one for messages keeps the process alive.
    this.#worker.unref();
  }

  /** Throws what PostgreSQL does, with its `code`. */
  async call<C extends CallName>(
    call: C,
    ...values: Parameters<PostgresCalls[C]>
  ): Promise<Awaited<ReturnType<PostgresCalls[C]>>> {
    if (this.#ended !== undefined) throw this.#ended;
    const id = ++this.#lastId;
    const told = await new Promise<Parameters<Settle>[0]>((settle) => {
      this.#worker.postMessage({ id, call, with: values } satisfies Asked);
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, settle);
    });
    // Made here, where it is awaited: so its stack names who asked.
    if ('error' in told) throw unpackError(told.error);
    return told.result as Awaited<ReturnType<PostgresCalls[C]>>;
  }

  /** Calls back for every NOTIFY on the channel until the returned function is called; once more does nothing. */
  async listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>> {
    const listener = ++this.#lastId;
    this.#listeners.set(listener, onPayload);
    await this.call('listen', channel, listener);
    return async () => {
      if (this.#listeners.delete(listener)) await this.call('unlisten', listener);
    };
  }

  /** A number that no other transaction of this thread has. */
  newTransaction(): number {
    return ++this.#lastId;
  }

  /** Ends the thread, as it stands: PostgreSQL is closed before, where it is to be. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(told: Parameters<Settle>[0]): void {
    const settle = this.#waiting.get(told.id);
    this.#waiting.delete(told.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    settle?.(told);
  }

  #hasEnded(): void {
    const message = 'The embedded PostgreSQL has ended.';
    this.#ended = new Error(message);
    for (const id of [...this.#waiting.keys()]) this.#settle({ id, error: { message, fields: {} } });
  }
}

/** Nothing but the cache of compiled code, where this process has one: a thread asks for its own. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  // Node adds to the folder that it is given one for its version.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}
