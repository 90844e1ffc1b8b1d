import { isStyleDnaError } from '../client/error.ts';
import { DirectoryLockedError } from '../database/directory-lock.ts';
import { ConfigError, Failure } from '../domain/errors.ts';
import { visibleLine } from '../received/visible-text.ts';
import { EXIT, UsageError } from './command.ts';

/** The message and the exit code of a command that threw. `name`: the command. */
export function failureReport(name: string, error: unknown): { message: string; code: number } {
  if (error instanceof UsageError)
    return { message: `${error.message}\nTry: styledna ${name} --help`, code: EXIT.usage };
  if (error instanceof ConfigError) return { message: error.message, code: EXIT.usage };
  if (error instanceof Failure) return refused(`${error.detail} (${error.code})`);
  if (isStyleDnaError(error))
    return refused(`The service says: ${visibleLine(error.message)} (${visibleLine(error.code)})`);
  if (error instanceof DirectoryLockedError) return refused(error.message);
  if (isSystemRefusal(error)) return refused(inWords(error));
  return {
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    code: EXIT.bug,
  };
}

function refused(message: string) {
  return { message, code: EXIT.refused };
}

/**
 * Errors that the user or the administrator can resolve: a port in use, a folder without write permission, a full disk.
 */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use by another program',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  ECONNREFUSED: 'nothing listens there',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file exceeds the size that the system lets a process write (ulimit -f)',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file is in the way',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
};

function isSystemRefusal(
  error: unknown,
): error is NodeJS.ErrnoException & { address?: string; port?: number } {
  return error instanceof Error && 'syscall' in error && 'code' in error && String(error.code) in REFUSALS;
}

function inWords(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const host = error.port === undefined ? error.address : `${error.address}:${error.port}`;
  const what = error.path ?? host ?? 'The system';
  return `${what}: ${REFUSALS[error.code!]} (${error.code}, ${error.syscall})`;
}
