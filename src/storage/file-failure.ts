import { Failure } from '../domain/errors.ts';

const FULL: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the service is full',
  EDQUOT: 'The quota of the service on its disk is used up',
  EFBIG: 'A file would exceed the size that the system lets the service write (ulimit -f)',
};
const UNUSABLE = new Set([
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENXIO',
  // File systems of the network (NFS, CIFS, FUSE) whose server or program is gone.
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
 * An error of the file system as a foreseen failure; any other value as it is. The message of the system
 * names a path, so it stays in `cause`.
 */
export function fileFailure(error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined) return error;
  if (FULL[code] !== undefined) {
    return new Failure('INSUFFICIENT_STORAGE', FULL[code], {
      retryAfterSeconds: 60,
      cause: error,
    });
  }
  if (UNUSABLE.has(code)) {
    return new Failure('SERVICE_UNAVAILABLE', `The storage of the service cannot be used (${code})`, {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return error;
}
