/** The embedded PostgreSQL's thread, as the rest of this process sees it. */
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

/** Starts the thread that `takeClient` will give: for whoever knows that a database will be opened, and has other things to do before. */
export function startClient(): void {
  spare ??= new PostgresClient();
}

/** The thread that was started for this, or a new one; nobody else is given it. */
export function takeClient(): PostgresClient {
  startClient();
  const taken = spare!;
  spare = undefined;
  return taken;
}

type Answer = Exclude<Response, { listener: number }>;

/** Keeps the process alive only while an answer is waited for. */
export class PostgresClient {
  readonly #worker = new Worker(moduleBeside('postgres-thread', import.meta.url), {
    env: threadEnvironment(),
    // Options of this process, such as "--input-type", are about the module that it began with.
    execArgv: [],
  });
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #listeners = new Map<number, (payload: string) => void>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor() {
    this.#worker.on('message', (told: Response) => {
      if ('listener' in told) this.#listeners.get(told.listener)?.(told.payload);
      else this.#settle(told);
    });
    // It ends by itself only where it cannot go on, as from want of memory. So does the process then, and tells why.
    this.#worker.on('error', (cause) => {
      throw new Error(`The embedded PostgreSQL ended: ${cause.message}`, { cause });
    });
    this.#worker.on('exit', () => this.#hasEnded());
    // Done last: to listen for messages keeps the process alive.
    this.#worker.unref();
  }

  /** Throws what PostgreSQL does, with its `code`. */
  async call<C extends CallName>(
    call: C,
    ...values: Parameters<PostgresCalls[C]>
  ): Promise<Awaited<ReturnType<PostgresCalls[C]>>> {
    if (this.#ended !== undefined) throw this.#ended;
    const id = ++this.#lastId;
    const answer = await new Promise<Answer>((settle) => {
      this.#worker.postMessage({ id, call, with: values } satisfies Request);
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, settle);
    });
    // Made here, where it is awaited: so its stack names who asked.
    if ('error' in answer) throw unpackError(answer.error);
    return answer.result as Awaited<ReturnType<PostgresCalls[C]>>;
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

  /** Ends the thread at once, whatever it is at: PostgreSQL is closed before, where it was opened. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const settle = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    settle?.(answer);
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
