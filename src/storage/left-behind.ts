import { rm } from 'node:fs/promises';

/** What this process could not remove when it was of no more use, by name: local files and folders, prefixes of blobs. */
const leftBehind = new Map<string, () => Promise<unknown>>();

/**
 * Removes a file or a folder that is of no more use. Trouble with it must not hide how the work itself ended: what cannot be
 * removed now is removed by `removeLeftBehind`, and by the next start of this process.
 */
export async function removeOrLeave(path: string): Promise<void> {
  await tryOrLeave(path, () => rm(path, { recursive: true, force: true }));
}

/** The same for what `remove` removes, now and for ever of no use. Resolves with what went wrong; null: it is gone. */
export async function tryOrLeave(name: string, remove: () => Promise<unknown>): Promise<unknown> {
  try {
    await remove();
    leftBehind.delete(name);
    return null;
  } catch (error) {
    leftBehind.set(name, remove);
    return error;
  }
}

/** For when the storage that answered with errors can be used again. */
export async function removeLeftBehind(): Promise<void> {
  for (const [name, remove] of leftBehind) await tryOrLeave(name, remove);
}
