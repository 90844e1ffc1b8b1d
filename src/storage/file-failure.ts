import { Failure } from '../domain/errors.ts';

const FULL_MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the service is full',
  EDQUOT: 'The quota of the service on its disk is used up',
  EFBIG: 'A file would exceed the size that the system lets the service write (ulimit -f)',
};
const UNUSABLE_CODES = new Set([
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENXIO',
  // Network file systems (NFS, CIFS, FUSE) whose server or program does not run.
  'ESTALE',
  'ETIMEDOUT',
  'ENOTCONN',
  'ECONNABORTED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EREMOTEIO',
  // EUCLEAN, of a damaged file system: Node has no name for it.
  'Unknown system error -117',
]);

/**
 * Converts an expected error of the file system to a `Failure`; returns any other value unchanged. The
 * system's message contains a path, so it is only in `cause`.
 */
export function fileFailure(error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined) return error;
  if (FULL_MESSAGES[code] !== undefined) {
    return new Failure('INSUFFICIENT_STORAGE', FULL_MESSAGES[code], {
      retryAfterSeconds: 60,
      cause: error,
    });
  }
  if (UNUSABLE_CODES.has(code)) {
    return new Failure('SERVICE_UNAVAILABLE', `The storage of the service cannot be used (${code})`, {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return error;
}
