import { rm } from 'node:fs/promises';

/** Failed removals by name: local files and folders, prefixes of blobs. */
const deferred = new Map<string, () => Promise<unknown>>();

/** If a removal takes longer, the storage did not answer in between. */
const UNRESPONSIVE_MS = 2_000;
/**
 * A request that was aborted while the storage did not answer may still reach it later, and write the removed
 * data again. TCP retransmits within these seconds.
 */
const LATE_REQUEST_MS = 15_000;

/**
 * Removes an unused file or folder. An error must not hide the outcome of the work itself. Failed removals
 * are therefore repeated by `retryDeferredRemovals` and at the next start of this process. A missing file is
 * also repeated: its disk may be unmounted at the moment.
 */
export async function removeOrDefer(path: string): Promise<void> {
  await tryOrDefer(
    path,
    () => rm(path, { recursive: true, force: true }),
    () => rm(path, { recursive: true }),
  );
}

/**
 * The same for any removal: `remove` is repeated twice after an error, because of late requests. `first` replaces it the first time.
 * Resolves with the error; null: it succeeded.
 */
export async function tryOrDefer(
  name: string,
  remove: () => Promise<unknown>,
  first = remove,
): Promise<unknown> {
  const startedMs = performance.now();
  try {
    await first();
    const wasUnresponsive = deferred.delete(name) || performance.now() - startedMs > UNRESPONSIVE_MS;
    if (wasUnresponsive) setTimeout(() => void tryOrDefer(name, remove), LATE_REQUEST_MS).unref();
    return null;
  } catch (error) {
    deferred.set(name, remove);
    return error;
  }
}

/** Call when a storage that failed is usable again. */
export async function retryDeferredRemovals(): Promise<void> {
  for (const [name, remove] of deferred) await tryOrDefer(name, remove);
}
