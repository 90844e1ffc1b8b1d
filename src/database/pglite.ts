import type { PGlite, PGliteInterface, Transaction } from '@electric-sql/pglite';
import { fromPglite } from 'pg-boss';
import { openCluster } from './cluster.ts';
import type { Queryable, Row } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { withDatabaseFailures } from './failures.ts';
import type { QueueDatabase } from './queue-database.ts';

/**
 * PostgreSQL inside this process, its files under `directory`, which it takes for itself alone.
 * Every commit is on the disk when it resolves. There is one connection: statements and transactions run one after
 * the other, and inside a transaction only its own handle may be used, or the process waits for itself.
 * Throws `DirectoryLockedError` when another process holds the directory.
 */
export async function openPglite(directory: string): Promise<QueueDatabase> {
  const lock = lockDirectory(directory);
  try {
    const pglite = await openCluster(directory);
    return embeddedDatabase(pglite, async () => {
      await pglite.close();
      lock[Symbol.dispose]();
    });
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function embeddedDatabase(pglite: PGlite, close: () => Promise<void>): QueueDatabase {
  const run = queryable(pglite);
  return {
    kind: 'pglite',
    query: run.query,
    transaction: (work) =>
      withDatabaseFailures(() => pglite.transaction((transaction) => work(queryable(transaction)))),
    listen: (channel, onPayload) => pglite.listen(channel, onPayload),
    check: async () => {
      await run.query('select 1');
    },
    close,
    queue: { backend: 'pglite', db: fromPglite(pglite) },
  };
}

function queryable(connection: PGliteInterface | Transaction): Queryable {
  return {
    query: <R extends Row>(sql: string, parameters: readonly unknown[] = []) =>
      withDatabaseFailures(async () => (await connection.query<R>(sql, [...parameters])).rows),
  };
}
