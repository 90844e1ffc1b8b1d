import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOrDefer } from '../../storage/deferred-removals.ts';
import { fileFailure } from '../../storage/file-failure.ts';
import { isProcessAlive } from '../../storage/process-alive.ts';

/** A working folder for one piece of work, gone when disposed. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string;
}

/**
 * Default working folder of commands and the library. Another user could not write there, and a process number says
 * nothing of another host's (containers may share the folder for temporary files).
 */
export function commonWorkRoot(temporary = tmpdir()): string {
  return join(temporary, `styledna-${process.getuid?.() ?? 'user'}-${hostname()}`);
}

/** The folder's name begins with our process id, so that a later process knows what a dead one left. */
export async function openWorkspace(root: string): Promise<Workspace> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(join(root, `${process.pid}-`));
  return {
    folder,
    [Symbol.asyncDispose]: () => removeOrDefer(folder),
  };
}

/** Throws `Failure` SERVICE_UNAVAILABLE, INSUFFICIENT_STORAGE when nothing can be worked on there now (a real write). */
export async function assertWorkable(root: string): Promise<void> {
  try {
    await using workspace = await openWorkspace(root);
    await writeFile(join(workspace.folder, 'check'), 'check');
  } catch (error) {
    throw fileFailure(error);
  }
}

/**
 * Removes the working folders of processes that are gone. Called before this process opens one: a folder with its own
 * number is of an earlier life, since in a container every life has the same.
 */
export async function sweepWorkspaces(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const pid = Number(name.split('-')[0]);
    if (!Number.isInteger(pid) || (pid !== process.pid && isProcessAlive(pid))) continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}
