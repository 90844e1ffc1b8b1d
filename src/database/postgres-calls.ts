/**
 * Requests to the thread of the embedded PostgreSQL and their encoding. Values are structured clones, which keep dates and bytes;
 * errors are packed, since a cloned error loses its code.
 */
import type { Row } from './database.ts';

/** A transaction's number; null: a single statement. */
export type TransactionNumber = number | null;

/** Each responds when PostgreSQL has finished. */
export interface PostgresCalls {
  /** Called once, before all others; see `LoadedPostgres`. */
  open(directory: string, prepared: string | null): Promise<void>;
  /**
   * The first statement of a transaction begins it. Single statements and those of other transactions wait
   * until it ends.
   */
  query(
    sql: string,
    parameters: readonly unknown[],
    transaction: TransactionNumber,
  ): Promise<{ rows: Row[] }>;
  /** Several statements without parameters, by default as one transaction. Resolves with the rows of each. */
  exec(sql: string): Promise<{ rows: Row[] }[]>;
  /** Does nothing for a transaction that had no statement or has ended. */
  end(transaction: number, how: 'commit' | 'rollback'): Promise<void>;
  /** Reports each NOTIFY on the channel under this number. */
  listen(channel: string, listener: number): Promise<void>;
  unlisten(listener: number): Promise<void>;
  close(): Promise<void>;
}

export type CallName = keyof PostgresCalls;

export interface Request {
  readonly id: number;
  readonly call: CallName;
  readonly with: readonly unknown[];
}

export type Response =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: PackedError }
  | { readonly listener: number; readonly payload: string };

interface PackedError {
  readonly message: string;
  /**
   * PostgreSQL's fields: code, severity, detail, hint, constraint, table, … and the statement, but not its
   * parameters, which are users' data.
   */
  readonly fields: Readonly<Record<string, string>>;
}

export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  const fields = Object.entries(error).filter(([, value]) => typeof value === 'string');
  return { message: error.message, fields: Object.fromEntries(fields) };
}

export function unpackError({ message, fields }: PackedError): Error {
  return Object.assign(new Error(message), fields);
}
