import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isFailure } from '../domain/errors.ts';
import type { Queryable, Row, TransactionOptions } from './database.ts';
import { databaseFailure, withDatabaseFailures } from './failures.ts';
import { beginIdentified, isCommitted, UnknownOutcome } from './outcome.ts';
import { PostgresListener } from './postgres-listener.ts';
import type { QueueDatabase } from './queue-database.ts';
import { TransactionHandle } from './transaction-handle.ts';

/** int8: our counts and sizes are far below 2^53. */
const INT8 = 20;

/** A server that does not answer for this long counts as down. */
const RESPONSE_MS = 8_000;
/**
 * The system probes idle connections and closes them after ten missing answers, a second apart (libuv,
 * `uv_tcp_keepalive`).
 */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** A PostgreSQL server: a pool for statements, and one more connection for LISTEN at the first listener. */
export async function openPostgres(url: string): Promise<QueueDatabase> {
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: 'styledna',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  const pool = new pg.Pool({ ...settings, max: 10, query_timeout: RESPONSE_MS });
  // An idle connection that drops is replaced at the next query; without a listener for the error the process
  // would end.
  pool.on('error', () => {});
  const listener = new PostgresListener(settings);
  const run = queryable(pool);
  return {
    kind: 'postgres',
    query: run.query,
    transaction: (work, options) => withDatabaseFailures(() => inTransaction(pool, work, options)),
    listen: (channel, onPayload) => listener.listen(channel, onPayload),
    check: async () => {
      await run.query('select 1');
    },
    close: async () => {
      await listener.close();
      await pool.end();
    },
    queue: {
      backend: 'postgres',
      db: {
        executeSql: (text, values) => withDatabaseFailures(() => pool.query(text, values)),
        listen: async (channel, onNotification, onReconnect) => {
          const close = await listener.listen(channel, onNotification, onReconnect);
          return { close };
        },
      },
    },
  };
}

function queryable(connection: pg.Pool | pg.PoolClient, responseMs = RESPONSE_MS): Queryable {
  return {
    query: <R extends Row>(sql: string, parameters: readonly unknown[] = []) =>
      withDatabaseFailures(async () => {
        // Missing in the driver's types.
        const query = { text: sql, values: [...parameters], query_timeout: responseMs };
        return (await connection.query<R>(query)).rows;
      }),
  };
}

/** Time for which a request waits for the outcome of its transaction, after its wait for the COMMIT. */
const OUTCOME_MS = 5_000;
const OUTCOME_RETRY_MS = 250;

async function inTransaction<T>(
  pool: pg.Pool,
  work: (transaction: Queryable) => Promise<T>,
  { responseTimeoutMs = RESPONSE_MS }: TransactionOptions = {},
): Promise<T> {
  await using connection = await checkOut(pool);
  const { client } = connection;
  const identity = await connection.runOrBreak(() => beginIdentified(client));
  const handle = new TransactionHandle(queryable(client, responseTimeoutMs), { queues: false });
  const result = await connection.runOrBreak(() => work(handle).finally(() => handle.end()));
  try {
    const { command } = await client.query('commit');
    // A statement failed and its error was ignored: the server answers COMMIT with ROLLBACK.
    if (command !== 'COMMIT') throw new Error(`The transaction was not committed: ${command}`);
    return result;
  } catch (error) {
    connection.abandon(error);
    if (await outcomeOf(() => isCommitted(pool, identity), result, error)) return result;
    throw error;
  }
}

/** Throws `UnknownOutcome` when the database does not answer for some seconds. */
async function outcomeOf(
  readOutcome: () => Promise<boolean>,
  result: unknown,
  cause: unknown,
): Promise<boolean> {
  const readWithFailures = () => withDatabaseFailures(readOutcome);
  const deadlineMs = performance.now() + OUTCOME_MS;
  for (;;) {
    try {
      return await readWithFailures();
    } catch {
      if (performance.now() > deadlineMs) throw new UnknownOutcome(readWithFailures, result, cause);
      await sleep(OUTCOME_RETRY_MS);
    }
  }
}

interface PooledConnection extends AsyncDisposable {
  readonly client: pg.PoolClient;
  /** Runs a part of a transaction that rolls it back when it throws. */
  runOrBreak<T>(part: () => Promise<T>): Promise<T>;
  /** Ends the connection instead of returning it to the pool. */
  abandon(cause: unknown): void;
}

/** A connection that returns to the pool when disposed, or ends when it is broken. */
async function checkOut(pool: pg.Pool): Promise<PooledConnection> {
  const client = await pool.connect();
  let isReleased = false;
  let broken: Error | undefined;
  // The pool has no listener on a connection that is checked out; without one its 'error' would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    // An abandoned connection may still emit errors.
    if (broken === undefined) client.off('error', onError);
    client.release(broken);
  };
  return {
    client,
    async runOrBreak(part) {
      try {
        return await part();
      } catch (error) {
        // A server that does not answer would not answer a rollback either; the end of the connection rolls
        // back.
        if (isFailure(databaseFailure(error), 'SERVICE_UNAVAILABLE')) broken ??= error as Error;
        else {
          await client.query('rollback').catch((rollbackError: Error) => {
            broken ??= rollbackError;
          });
        }
        throw error;
      }
    },
    abandon(cause) {
      broken ??= cause instanceof Error ? cause : new Error('broken at its COMMIT');
      release();
    },
    [Symbol.asyncDispose]: async () => release(),
  };
}
