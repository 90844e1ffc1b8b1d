/** Explains at the start of a service why its data directory cannot be used, and what to change. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../domain/errors.ts';
import { makeDurableFolder } from './durable-files.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to write there',
  EPERM: 'this user has no permission to write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENOTDIR: 'a part of the path is not a folder',
  ENOENT: 'it cannot be created there',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
};

/** Makes the data directory, for this user only, and writes into it. Throws `ConfigError`. */
export async function assertDataDirUsable(folder: string): Promise<void> {
  const probe = join(folder, `.check-${randomUUID()}`);
  try {
    await makeDurableFolder(folder);
    await writeFile(probe, 'check', { mode: 0o600 });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = REASONS[code];
    if (reason === undefined) throw error;
    throw new ConfigError(
      `DATA_DIR ${folder} cannot be used: ${reason} (${code}). Set DATA_DIR to a folder that this user can write to.`,
      { cause: error },
    );
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}
