import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOrDefer } from '../../storage/deferred-removals.ts';
import { fileFailure } from '../../storage/file-failure.ts';
import { isProcessAlive } from '../../storage/process-alive.ts';

/** A working folder, removed when disposed. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string;
}

/**
 * Default parent of working folders for commands and the library. The name contains the user, because other users cannot
 * write there, and the host, because containers with their own process numbers may share the folder for temporary files.
 */
export function commonWorkRoot(temporary = tmpdir()): string {
  return join(temporary, `styledna-${process.getuid?.() ?? 'user'}-${hostname()}`);
}

/** The folder's name begins with our process id, so that later processes can remove folders of ended ones. */
export async function openWorkspace(root: string): Promise<Workspace> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(join(root, `${process.pid}-`));
  return {
    folder,
    [Symbol.asyncDispose]: () => removeOrDefer(folder),
  };
}

/** Throws `Failure` SERVICE_UNAVAILABLE or INSUFFICIENT_STORAGE if a test file cannot be written there. */
export async function assertWorkable(root: string): Promise<void> {
  try {
    await using workspace = await openWorkspace(root);
    await writeFile(join(workspace.folder, 'check'), 'check');
  } catch (error) {
    throw fileFailure(error);
  }
}

/**
 * Removes the working folders of ended processes. Call it before this process opens one: a folder with the own number
 * is from an earlier process, because in a container the number is always the same.
 */
export async function sweepWorkspaces(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const pid = Number(name.split('-')[0]);
    if (!Number.isInteger(pid) || (pid !== process.pid && isProcessAlive(pid))) continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}
