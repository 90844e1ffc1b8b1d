import { Failure } from '../domain/errors.ts';

/** Node's names for a peer that cannot be reached. */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** What `pg` says, without a code, about a connection that went away under a query. */
const UNREACHABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

/**
 * Turns the foreseen troubles of a database into a `Failure`; anything else is returned as it is.
 * Codes: PostgreSQL documentation, appendix A "PostgreSQL Error Codes".
 */
export function databaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // disk_full
  if (code === '53100' || code === 'ENOSPC') {
    return new Failure('INSUFFICIENT_STORAGE', 'The database has no room left.', {
      retryAfterSeconds: 30,
      cause: error,
    });
  }
  // 08 connection exception, 53 insufficient resources, 57P the server is shutting down or starting
  if (UNREACHABLE_CODES.has(code) || /^(08|53|57P)/.test(code) || UNREACHABLE_MESSAGES.test(error.message)) {
    return new Failure('SERVICE_UNAVAILABLE', 'The database cannot be reached now.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return error;
}

/** Runs `work` and throws its foreseen troubles as a `Failure`. */
export async function withDatabaseFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw databaseFailure(error);
  }
}
