import { rm } from 'node:fs/promises';

/** What this process could not remove when it was of no more use, by name: local files and folders, prefixes of blobs. */
const deferred = new Map<string, () => Promise<unknown>>();

/** From then on a removal has met a storage that says nothing. */
const SILENT_MS = 2_000;
/**
 * A request that was given up while the storage said nothing may still reach it once it answers, and write what has just been
 * removed. Connections that come back deliver within the seconds that TCP takes to send again what was lost.
 */
const LATE_MS = 15_000;

/**
 * Removes a file or a folder that is of no more use. Trouble with it must not hide how the work itself ended: what cannot be
 * removed now is removed by `removeLeftBehind`, and by the next start of this process. So is what is not there: nothing is, on a disk
 * that is not mounted at the moment.
 */
export async function removeOrDefer(path: string): Promise<void> {
  await tryOrDefer(
    path,
    () => rm(path, { recursive: true, force: true }),
    () => rm(path, { recursive: true }),
  );
}

/**
 * The same for what `remove` removes, now and for ever of no use; after trouble twice, because of requests that come late. `first`: how it
 * is removed the first time. Resolves with what went wrong; null: it is gone.
 */
export async function tryOrDefer(
  name: string,
  remove: () => Promise<unknown>,
  first = remove,
): Promise<unknown> {
  const startedMs = performance.now();
  try {
    await first();
    const wasAway = deferred.delete(name) || performance.now() - startedMs > SILENT_MS;
    if (wasAway) setTimeout(() => void tryOrDefer(name, remove), LATE_MS).unref();
    return null;
  } catch (error) {
    deferred.set(name, remove);
    return error;
  }
}

/** For when the storage that answered with errors can be used again. */
export async function retryDeferredRemovals(): Promise<void> {
  for (const [name, remove] of deferred) await tryOrDefer(name, remove);
}
