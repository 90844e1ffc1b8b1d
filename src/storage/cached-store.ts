import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure, isFailure } from '../domain/errors.ts';
import { BlobMissingError } from './blob-key.ts';
import type { BlobInfo, BlobStore, LocalFile } from './blob-store.ts';
import { removeOrDefer } from './deferred-removals.ts';
import { fileFailure } from './file-failure.ts';
import { clearIncoming, incomingName } from './incoming-files.ts';

/** A local copy, complete or still downloading. */
interface Copy {
  /** Version of the copied blob, since a key may be written again. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly path: string;
  readonly downloaded: Promise<void>;
  readonly stop: AbortController;
  isComplete: boolean;
  /** Number of readers and waiters. */
  users: number;
  isDropped: boolean;
}

/**
 * A store whose `localPath` caches its copies, up to `maxBytes`: the stages of a job read the same source,
 * and the next job often the same template. The least recently used are removed first, copies in use never. A
 * copy is valid while the store reports the same version of the blob. `folder` belongs to this machine.
 * Copies of processes that have ended are removed.
 */
export async function openCachedStore(
  store: BlobStore,
  folder: string,
  maxBytes: number,
): Promise<BlobStore> {
  await clearIncoming(folder, { maxAgeMs: Number.POSITIVE_INFINITY });
  const cache = new CopyCache(store, folder, maxBytes);
  return {
    put: (...values) => store.put(...values),
    putFile: (...values) => store.putFile(...values),
    head: (key) => store.head(key),
    get: (...values) => store.get(...values),
    localPath: (...values) => cache.localPath(...values),
    remove: async (key) => {
      cache.forget(key);
      await store.remove(key);
    },
    removeAll: (prefix) => store.removeAll(prefix),
    list: (prefix) => store.list(prefix),
    publicUrl: (...values) => store.publicUrl(...values),
    check: () => store.check(),
    freeBytes: () => store.freeBytes(),
  };
}

class CopyCache {
  readonly #store: BlobStore;
  readonly #folder: string;
  readonly #maxBytes: number;
  /** The least recently used first. */
  readonly #copies = new Map<string, Copy>();
  /** Bytes of all copies on the disk, including dropped ones that are still read. */
  #usedBytes = 0;

  constructor(store: BlobStore, folder: string, maxBytes: number) {
    this.#store = store;
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  async localPath(key: string, signal?: AbortSignal): Promise<LocalFile> {
    signal?.throwIfAborted();
    const info = await this.#store.head(key);
    if (info === null) throw new BlobMissingError(key);
    const copy = (await this.#reuseCopy(key, info)) ?? this.#startDownload(key, info);
    // The blob is larger than the cache, or all its space is in use.
    if (copy === null) return this.#store.localPath(key, signal);
    try {
      await unlessAborted(copy.downloaded, signal);
    } catch (error) {
      this.#release(key, copy);
      // Other copies may be filling the disk.
      if (!isFailure(error, 'INSUFFICIENT_STORAGE')) throw error;
      await this.#evict(this.#maxBytes);
      return this.#store.localPath(key, signal);
    }
    return { path: copy.path, [Symbol.asyncDispose]: async () => this.#release(key, copy) };
  }

  forget(key: string): void {
    const copy = this.#copies.get(key);
    if (copy !== undefined) this.#drop(key, copy);
  }

  /** Returns the existing copy and marks it as most recently used. */
  async #reuseCopy(key: string, info: BlobInfo): Promise<Copy | null> {
    const copy = this.#copies.get(key);
    if (copy === undefined) return null;
    const isSame = copy.version === versionOf(info) && (copy.users > 0 || (await isIntact(copy)));
    // The copy may have been forgotten meanwhile.
    if (isSame && this.#copies.get(key) === copy) {
      this.#copies.delete(key);
      this.#copies.set(key, copy);
      copy.users++;
      return copy;
    }
    this.#drop(key, copy);
    return null;
  }

  #startDownload(key: string, info: BlobInfo): Copy | null {
    // Another caller may have started the download meanwhile.
    const other = this.#copies.get(key);
    if (other?.version === versionOf(info)) {
      other.users++;
      return other;
    }
    this.forget(key);
    if (info.sizeBytes > this.#maxBytes - this.#inUseBytes()) return null;
    const stop = new AbortController();
    const path = join(this.#folder, incomingName());
    const evicted = this.#evict(info.sizeBytes);
    const copy: Copy = {
      version: versionOf(info),
      sizeBytes: info.sizeBytes,
      path,
      downloaded: evicted.then(() => this.#download(key, path, info.sizeBytes, stop.signal)),
      stop,
      isComplete: false,
      users: 1,
      isDropped: false,
    };
    this.#usedBytes += copy.sizeBytes;
    this.#copies.set(key, copy);
    copy.downloaded.then(
      () => {
        copy.isComplete = true;
      },
      () => this.#drop(key, copy),
    );
    return copy;
  }

  async #download(key: string, path: string, sizeBytes: number, signal: AbortSignal): Promise<void> {
    try {
      const bytes = await this.#store.get(key);
      await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
      const { size } = await stat(path);
      if (size === sizeBytes) return;
    } catch (error) {
      throw fileFailure(error);
    }
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      'The storage of the service returned fewer bytes than it reported',
      {
        retryAfterSeconds: 5,
      },
    );
  }

  /** The last user of an unfinished copy aborts its download. */
  #release(key: string, copy: Copy): void {
    copy.users--;
    if (copy.users > 0) return;
    if (copy.isDropped) void this.#remove(copy);
    else if (!copy.isComplete) this.#drop(key, copy);
  }

  /** Excludes the copy from further use; it is removed when nobody reads it. */
  #drop(key: string, copy: Copy): void {
    if (copy.isDropped) return;
    copy.isDropped = true;
    if (this.#copies.get(key) === copy) this.#copies.delete(key);
    if (copy.users === 0) void this.#remove(copy);
  }

  #inUseBytes(): number {
    let idle = 0;
    for (const { users, sizeBytes } of this.#copies.values()) if (users === 0) idle += sizeBytes;
    return this.#usedBytes - idle;
  }

  async #evict(sizeBytes: number): Promise<void> {
    const removals: Promise<void>[] = [];
    for (const [key, copy] of this.#copies) {
      if (this.#usedBytes + sizeBytes <= this.#maxBytes) break;
      if (copy.users > 0) continue;
      this.#copies.delete(key);
      copy.isDropped = true;
      removals.push(this.#remove(copy));
    }
    await Promise.all(removals);
  }

  async #remove(copy: Copy): Promise<void> {
    this.#usedBytes -= copy.sizeBytes;
    copy.stop.abort();
    await copy.downloaded.catch(() => {});
    await removeOrDefer(copy.path);
  }
}

function versionOf({ entityTag, sizeBytes, modifiedAt }: BlobInfo): string {
  return `${sizeBytes} ${entityTag ?? modifiedAt.getTime()}`;
}

async function isIntact({ path, sizeBytes }: Copy): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size === sizeBytes,
    () => false,
  );
}

function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}
