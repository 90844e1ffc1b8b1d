import { Failure } from '../domain/errors.ts';

/** Node's error codes for a peer that cannot be reached. */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Messages of `pg`, without a code, for a connection that closed during a query. */
const UNREACHABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

/**
 * Converts expected errors of a database to a `Failure`; returns any other error unchanged. Codes: PostgreSQL
 * documentation, appendix A "PostgreSQL Error Codes".
 */
export function databaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // disk_full
  if (code === '53100' || code === 'ENOSPC') {
    return new Failure('INSUFFICIENT_STORAGE', 'The database has no space left.', {
      retryAfterSeconds: 30,
      cause: error,
    });
  }
  // 08 connection exception, 53 insufficient resources, 57P the server is shutting down or starting
  if (UNREACHABLE_CODES.has(code) || /^(08|53|57P)/.test(code) || UNREACHABLE_MESSAGES.test(error.message)) {
    return new Failure('SERVICE_UNAVAILABLE', 'The database cannot be reached.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return error;
}

/** Runs `work` and throws expected errors of the database as a `Failure`. */
export async function withDatabaseFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw databaseFailure(error);
  }
}
