import type { Database } from './database.ts';

/**
 * Does work on a database that no two processes may do at once; it uses connections of its own. The lock is held by a
 * transaction, so that it ends with its process. An embedded database has no other process, and one connection.
 */
export async function oneAtATime<T>(database: Database, lock: number, work: () => Promise<T>): Promise<T> {
  if (database.kind === 'pglite') return work();
  return database.transaction(
    async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
      return work();
    },
    { isLong: true },
  );
}
