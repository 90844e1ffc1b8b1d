/** One row: column name to value; timestamps are `Date`, `jsonb` is parsed, `bigint` is a number. */
export type Row = Record<string, unknown>;

/** Runs one SQL statement with `$1 … $n` parameters: the whole contract for stores. */
export interface Queryable {
  query<R extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]>;
}

export interface TransactionOptions {
  /** A server that has not answered a statement for this long counts as down. Default: some seconds. */
  readonly responseTimeoutMs?: number;
}

/** For statements on large tables, such as migrations. */
export const LARGE_TABLES: TransactionOptions = { responseTimeoutMs: 30 * 60_000 };
/** For work under a lock that many processes request when they start together. */
export const START_LOCKS: TransactionOptions = { responseTimeoutMs: 60_000 };

/** PostgreSQL's dialect, embedded or remote. */
export interface Database extends Queryable {
  readonly kind: 'pglite' | 'postgres';
  /**
   * Commits when `work` resolves, rolls back when it throws. Inside, use only the handle that `work`
   * receives. Its statements run in the order of the calls and need not be awaited one by one.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Calls back for every NOTIFY on a channel until the returned function is called. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>;
  /** Throws when the database cannot run a statement. */
  check(): Promise<void>;
  close(): Promise<void>;
}
