import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another running process holds the directory. */
export class DirectoryLockedError extends Error {
  override readonly name = 'DirectoryLockedError';
}

/**
 * Locks a directory for this process until the lock is disposed or the process ends.
 *
 * The kernel holds the lock: SQLite, which ships with Node, keeps an exclusive transaction on a file and with
 * it a POSIX record lock (sqlite.org/lockingv3.html). A file with a pid is not enough: pids are reused, and
 * mean nothing across containers that share a volume. A stopped process keeps its lock; children do not
 * inherit it. The pid in the file next to it is only for the message.
 *
 * Throws `DirectoryLockedError`, which contains the owner's pid.
 */
export function lockDirectory(directory: string): Disposable {
  mkdirSync(directory, { recursive: true });
  const ownerFile = join(directory, 'owner.json');
  const lock = new DatabaseSync(join(directory, 'owner.lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DirectoryLockedError(
      `The data directory ${directory} is in use by another process (${ownerOf(ownerFile)}). ` +
        'Stop it first, or set another DATA_DIR.',
      { cause: error },
    );
  }
  writeFileSync(
    ownerFile,
    JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() }),
  );
  return {
    [Symbol.dispose]() {
      if (lock.isOpen) lock.close();
    },
  };
}

/** SQLITE_BUSY is 5 (sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

function ownerOf(ownerFile: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(ownerFile, 'utf8'));
    return `pid ${pid} on ${host}, since ${since}`;
  } catch {
    // The owner holds the lock but has not written its id yet.
    return 'which is just starting';
  }
}
