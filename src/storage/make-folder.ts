import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and its missing parents, and returns the made ones, outermost first; `path` is absolute.
 * Node's `recursive` loops forever below /proc, where mkdir reports ENOENT although the parent exists. Throws
 * errors of the file system.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let at = path; !(await isFolder(at)); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    await mkdir(folder, mode).catch(async (error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'EEXIST' || !(await isFolder(folder))) throw error;
    });
  }
  return missing;
}

/** Throws ENOTDIR and EACCES; true for the root. */
async function isFolder(path: string): Promise<boolean> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) return true;
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), {
      code: 'ENOTDIR',
      syscall: 'mkdir',
      path,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
