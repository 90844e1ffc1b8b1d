/**
 * Entry point of a thread: the embedded PostgreSQL, which computes and syncs files without yielding its
 * thread. `postgres-calls.ts` defines its requests, `postgres-client.ts` sends them.
 */
import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { type PostgresCalls, packError, type Request, type Response } from './postgres-calls.ts';
import { compiledPostgres } from './postgres-wasm.ts';

/** Compiled while the other modules load. */
void compiledPostgres();
const { LoadedPostgres } = await import('./cluster.ts');
const loaded = new LoadedPostgres();

const port = parentPort!;
const respond = (response: Response) => port.postMessage(response);

interface Running {
  readonly handle: Promise<Transaction>;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

let pglite: PGlite;
const transactions = new Map<number, Running>();
const listeners = new Map<number, () => Promise<void>>();

const calls: PostgresCalls = {
  async open(directory, prepared) {
    pglite = await loaded.open(directory, prepared);
    flushCompileCache();
  },
  async query(sql, parameters, number) {
    const connection = number === null ? pglite : await runningOf(number).handle;
    const { rows } = await connection.query<Record<string, unknown>>(sql, [...parameters]);
    return { rows };
  },
  async exec(sql) {
    return (await pglite.exec(sql)).map(({ rows }) => ({ rows }));
  },
  async end(number, how) {
    const running = transactions.get(number);
    transactions.delete(number);
    await running?.end(how);
  },
  async listen(channel, listener) {
    const stop = await pglite.listen(channel, (payload) => respond({ listener, payload }));
    listeners.set(listener, stop);
  },
  async unlisten(listener) {
    await listeners.get(listener)!();
    listeners.delete(listener);
  },
  close: () => pglite.close(),
};

/** Returns the transaction of this number and begins it if necessary. */
function runningOf(number: number): Running {
  const running = transactions.get(number) ?? begin();
  transactions.set(number, running);
  return running;
}

/**
 * Begins a transaction. PGlite runs it as a function and ends it when the function returns, so this function
 * waits for the request to end.
 */
function begin(): Running {
  const handle = Promise.withResolvers<Transaction>();
  const ending = Promise.withResolvers<'commit' | 'rollback'>();
  const whole = pglite.transaction(async (transaction) => {
    handle.resolve(transaction);
    if ((await ending.promise) === 'rollback') await transaction.rollback();
  });
  // If the transaction cannot begin, each of its statements gets this error.
  whole.catch(handle.reject);
  handle.promise.catch(() => {});
  return {
    handle: handle.promise,
    end(how) {
      ending.resolve(how);
      return whole;
    },
  };
}

port.on('message', async ({ id, call, with: values }: Request) => {
  try {
    const run = calls[call] as (...values: readonly unknown[]) => Promise<unknown>;
    respond({ id, result: await run(...values) });
  } catch (error) {
    respond({ id, error: packError(error) });
  }
});
