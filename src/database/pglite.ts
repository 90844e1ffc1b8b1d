import type { PGlite, PGliteInterface, Transaction } from '@electric-sql/pglite';
import { PREPARED_DATABASE } from '../package-files.ts';
import { openCluster } from './cluster.ts';
import type { Queryable, Row } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { withDatabaseFailures } from './failures.ts';
import type { QueueDatabase } from './queue-database.ts';

/**
 * PostgreSQL inside this process, its files under `directory`, which it takes for itself alone.
 * Every commit is on the disk when it resolves. There is one connection: statements and transactions run one after
 * the other, and inside a transaction only its own handle may be used, or the process waits for itself.
 * Throws `DirectoryLockedError` when another process holds the directory. `prepared`: the file of which a new database is made, where
 * it is of this version; null: none.
 */
export async function openPglite(
  directory: string,
  prepared: string | null = PREPARED_DATABASE,
): Promise<QueueDatabase> {
  const lock = lockDirectory(directory);
  try {
    // Read while the cluster opens.
    const [pglite, { fromPglite }] = await Promise.all([openCluster(directory, prepared), import('pg-boss')]);
    return embeddedDatabase(pglite, fromPglite(pglite), async () => {
      await pglite.close();
      lock[Symbol.dispose]();
    });
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function embeddedDatabase(
  pglite: PGlite,
  queue: QueueDatabase['queue']['db'],
  close: () => Promise<void>,
): QueueDatabase {
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
    queue: { backend: 'pglite', db: queue },
  };
}

function queryable(connection: PGliteInterface | Transaction): Queryable {
  return {
    query: <R extends Row>(sql: string, parameters: readonly unknown[] = []) =>
      withDatabaseFailures(async () => (await connection.query<R>(sql, [...parameters])).rows),
  };
}
