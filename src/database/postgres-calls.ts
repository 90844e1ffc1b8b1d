/**
 * What is asked of the thread that runs the embedded PostgreSQL, and how it crosses between threads: values as structured clones, which keep
 * dates and bytes; errors as what they say, since a clone of an error loses its code.
 */
import type { Row } from './database.ts';

/** A transaction of this number; null: none, a statement by itself. */
export type TransactionNumber = number | null;

/** Each answers when PostgreSQL has done it. */
export interface PostgresCalls {
  /** Asked for once, before anything else; see `LoadedPostgres`. */
  open(directory: string, prepared: string | null): Promise<void>;
  /** The first statement of a transaction begins it; statements of others, and those by themselves, wait until it ends. */
  query(
    sql: string,
    parameters: readonly unknown[],
    transaction: TransactionNumber,
  ): Promise<{ rows: Row[] }>;
  /** Several statements without parameters, as one transaction where they do not say otherwise: what each gave. */
  exec(sql: string): Promise<{ rows: Row[] }[]>;
  /** Does nothing for a transaction that had no statement, or has ended. */
  end(transaction: number, how: 'commit' | 'rollback'): Promise<void>;
  /** From now on each NOTIFY on a channel is told under this number. */
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
  /** PostgreSQL's own: code, severity, detail, hint, constraint, table, … and the statement; not its parameters, which are users' own. */
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
