/**
 * Run as a thread of its own: the embedded PostgreSQL, which computes and syncs files without giving its thread back meanwhile. What it is asked
 * stands in `postgres-calls.ts`, who asks it in `postgres-client.ts`.
 */
import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { type PostgresCalls, packError, type Request, type Response } from './postgres-calls.ts';
import { compiledPostgres } from './postgres-wasm.ts';

/** Compiled while the rest is read. */
void compiledPostgres();
const { LoadedPostgres } = await import('./cluster.ts');
const loaded = new LoadedPostgres();

const port = parentPort!;
const tell = (told: Response) => port.postMessage(told);

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
    const stop = await pglite.listen(channel, (payload) => tell({ listener, payload }));
    listeners.set(listener, stop);
  },
  async unlisten(listener) {
    await listeners.get(listener)!();
    listeners.delete(listener);
  },
  close: () => pglite.close(),
};

/** The transaction of this number, begun where it has not. */
function runningOf(number: number): Running {
  const running = transactions.get(number) ?? begun();
  transactions.set(number, running);
  return running;
}

/** PGlite runs a transaction as a function, and ends it when that returns: this function waits until it is told how to end. */
function begun(): Running {
  const handle = Promise.withResolvers<Transaction>();
  const ending = Promise.withResolvers<'commit' | 'rollback'>();
  const whole = pglite.transaction(async (transaction) => {
    handle.resolve(transaction);
    if ((await ending.promise) === 'rollback') await transaction.rollback();
  });
  // Where it cannot begin, each of its statements is told why.
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
    const asked = calls[call] as (...values: readonly unknown[]) => Promise<unknown>;
    tell({ id, result: await asked(...values) });
  } catch (error) {
    tell({ id, error: packError(error) });
  }
});
