import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** `write` fills a file beside the target: the target appears whole, or not at all. Rejects as `write` does. */
export async function placeWhole(file: string, write: (beside: string) => Promise<void>): Promise<void> {
  const path = resolve(file);
  const beside = `${path}.part`;
  await makeFolder(dirname(path));
  try {
    // A link in its place would be followed.
    await rm(beside, { force: true });
    await write(beside);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
