import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Writes a file atomically: `write` fills a temporary file next to it. Rejects as `write` does. */
export async function writeAtomically(
  file: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const path = resolve(file);
  const temporary = `${path}.part`;
  await makeFolder(dirname(path));
  try {
    // An existing symbolic link would be followed.
    await rm(temporary, { force: true });
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw namingFull(error, path);
  }
}

/** A write to a full disk names no file, and a copy the one that it reads. */
function namingFull(error: unknown, path: string): unknown {
  const isFull =
    error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
  return isFull ? Object.assign(error, { path }) : error;
}
