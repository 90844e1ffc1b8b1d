import { rm } from 'node:fs/promises';

/** Removals that failed, by name: local files and folders, prefixes of blobs. */
const deferred = new Map<string, () => Promise<unknown>>();

/** A removal that takes longer has met a storage that does not answer. */
const SILENT_MS = 2_000;
/**
 * A request that was aborted while the storage did not answer may still reach it later and write what has just been removed. TCP
 * retransmits within these seconds.
 */
const LATE_MS = 15_000;

/**
 * Removes an unused file or folder. An error must not hide how the work itself ended: failed removals are repeated by
 * `retryDeferredRemovals`, and by the next start of this process. So are those of missing files, which may be on a disk that is not
 * mounted now.
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
    const wasAway = deferred.delete(name) || performance.now() - startedMs > SILENT_MS;
    if (wasAway) setTimeout(() => void tryOrDefer(name, remove), LATE_MS).unref();
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
