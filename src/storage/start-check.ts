/** What a service tells at its start about a data directory that it cannot use: what is wrong, what would be right. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../domain/errors.ts';
import { makeDurableFolder } from './durable-files.ts';

const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENOTDIR: 'a part of the path is not a folder',
  ENOENT: 'it cannot be made there',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
};

/** Makes the data directory, for this user alone, and writes into it. Throws `ConfigError`. */
export async function assertDataDirUsable(folder: string): Promise<void> {
  const probe = join(folder, `.check-${randomUUID()}`);
  try {
    await makeDurableFolder(folder);
    await writeFile(probe, 'check', { mode: 0o600 });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = SYSTEM[code];
    if (reason === undefined) throw error;
    throw new ConfigError(
      `DATA_DIR ${folder} cannot be used: ${reason} (${code}). Name a folder that this user may write to.`,
      { cause: error },
    );
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}
