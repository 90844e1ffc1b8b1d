import type { BackendProfile, Db } from 'pg-boss';
import type { Database, Queryable } from './database.ts';

/** A database that can also carry the queue (pg-boss), on the same connections. */
export interface QueueDatabase extends Database {
  readonly queue: { readonly backend: BackendProfile; readonly db: Db };
}

/**
 * Lets pg-boss run its statements inside a transaction of ours, so that a row and its queue entry are
 * committed together.
 */
export function queueHandle(transaction: Queryable): Db {
  return { executeSql: async (text, values) => ({ rows: await transaction.query(text, values) }) };
}
