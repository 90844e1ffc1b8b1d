/**
 * The secrets of the running service in a file next to its embedded database, so that commands can read them:
 * only one process can open the database. Only the service's user can read the file, like the database.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'webhook-secrets';

export async function writeSecretFile(dataDir: string, secrets: readonly string[]): Promise<void> {
  const path = join(dataDir, NAME);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, `${secrets.join('\n')}\n`, { mode: 0o600 });
  await rename(unfinished, path);
}

/** Null when no service has written the file yet. */
export async function readSecretFile(dataDir: string): Promise<readonly string[] | null> {
  const text = await readFile(join(dataDir, NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : text.split('\n').filter((line) => line !== '');
}
