/** Explains at the start why a PostgreSQL server cannot be used, and what to change. */
import { ConfigError, Failure, isFailure } from '../domain/errors.ts';

/**
 * SQLSTATE (PostgreSQL documentation, appendix A) → remedy. The server's own message describes the problem.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  // invalid_password, invalid_authorization_specification
  '28P01': 'Set user and password in DATABASE_URL to a valid login of the server.',
  '28000':
    'Set user and password in DATABASE_URL to a valid login of the server, and permit connections of this machine in pg_hba.conf.',
  // invalid_catalog_name
  '3D000': 'Create it (createdb), or set DATABASE_URL to an existing database.',
  // insufficient_privilege
  '42501': 'The user of DATABASE_URL must own the database, or be granted CREATE on it and on its schema.',
};

/**
 * Converts an error at the start to the error to throw. `place`: the server and its database, without user
 * and password.
 */
export function startError(error: unknown, place: string): unknown {
  if (isFailure(error, 'SERVICE_UNAVAILABLE')) {
    const reason = codeOf(error.cause);
    return new Failure(
      'SERVICE_UNAVAILABLE',
      `${place}, cannot be reached: ${reason}. DATABASE_URL must be the address of a running PostgreSQL server that this machine can reach.`,
      { retryAfterSeconds: 5, cause: error },
    );
  }
  const remedy = error instanceof Error && 'code' in error ? REMEDIES[String(error.code)] : undefined;
  if (remedy === undefined) return error;
  const { message, code } = error as Error & { readonly code: string };
  return new ConfigError(`${place}, cannot be used: ${message} (${code}). ${remedy}`, { cause: error });
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no answer';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
