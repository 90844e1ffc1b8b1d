import { type Database, type Queryable, START_LOCKS } from './database.ts';

/**
 * Advisory locks of all processes on one database. The numbers are arbitrary but the same in all versions.
 */
const LOCKS = {
  migration: 5_390_731,
  secret: 5_390_732,
  storage: 5_390_733,
  queue: 5_390_734,
  uploads: 5_390_735,
  imports: 5_390_736,
} as const;
type Lock = keyof typeof LOCKS;

/**
 * Waits until no other transaction holds the lock, then holds it until this transaction or its process ends.
 */
export async function lock(transaction: Queryable, name: Lock): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS[name]]);
}

/**
 * Runs work that has its own connections under a lock, on any database. An embedded database has one
 * connection and no other process, so it needs no lock.
 */
export async function oneAtATime<T>(database: Database, name: Lock, work: () => Promise<T>): Promise<T> {
  if (database.kind === 'pglite') return work();
  return database.transaction(async (transaction) => {
    await lock(transaction, name);
    return work();
  }, START_LOCKS);
}
