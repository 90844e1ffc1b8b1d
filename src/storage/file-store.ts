import { constants } from 'node:fs';
import { copyFile, open, opendir, rename, rm, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertBlobKey, assertBlobPrefix, BlobMissingError } from './blob-key.ts';
import type { BlobInfo, BlobStore, LocalFile } from './blob-store.ts';
import { removeOrDefer } from './deferred-removals.ts';
import { makeDurableFolder, nullIfMissing, sync, withFileFailures, writeInBlocks } from './durable-files.ts';
import { clearIncoming, incomingName } from './incoming-files.ts';

/**
 * A blob store in a folder of the local disk. A blob is written to an incoming file, synced, and renamed
 * within the file system, which POSIX makes atomic. The folder is synced afterwards, since only this makes
 * the rename durable.
 */
export async function openFileStore(rootDir: string): Promise<BlobStore> {
  const root = resolve(rootDir);
  const store = new FileStore(root, join(root, '.incoming'));
  await store.prepare();
  return store;
}

class FileStore implements BlobStore {
  readonly #root: string;
  readonly #incoming: string;

  constructor(root: string, incoming: string) {
    this.#root = root;
    this.#incoming = incoming;
  }

  async prepare(): Promise<void> {
    await withFileFailures(() => clearIncoming(this.#incoming));
  }

  put(key: string, bytes: Readable, signal?: AbortSignal): Promise<BlobInfo> {
    const path = this.#path(key);
    return withFileFailures(async () => {
      const incoming = join(this.#incoming, incomingName());
      try {
        await writeDurably(incoming, bytes, signal);
        await this.#publish(incoming, path);
      } catch (error) {
        await removeOrDefer(incoming);
        throw error;
      }
      return info(path);
    });
  }

  putFile(key: string, path: string): Promise<BlobInfo> {
    const target = this.#path(key);
    return withFileFailures(async () => {
      await sync(path);
      try {
        // Renamed directly: a crash between two renames would leave the file where no process finds it.
        await this.#publish(path, target);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
        await this.#publishCopy(path, target);
        await unlink(path);
      }
      return info(target);
    });
  }

  async head(key: string): Promise<BlobInfo | null> {
    const path = this.#path(key);
    return withFileFailures(() => nullIfMissing(info(path)));
  }

  async get(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const path = this.#path(key);
    return withFileFailures(async () => {
      const handle = await nullIfMissing(open(path, 'r'));
      if (handle === null) throw new BlobMissingError(key);
      return handle.createReadStream({ highWaterMark: 1 << 18, ...range });
    });
  }

  async localPath(key: string): Promise<LocalFile> {
    const path = this.#path(key);
    if ((await this.head(key)) === null) throw new BlobMissingError(key);
    return { path, [Symbol.asyncDispose]: async () => {} };
  }

  // An empty folder is not removed: this would race with a put into it.
  async remove(key: string): Promise<void> {
    const path = this.#path(key);
    await withFileFailures(async () => {
      await nullIfMissing(unlink(path));
    });
  }

  async removeAll(prefix: string): Promise<void> {
    assertBlobPrefix(prefix);
    const folder = join(this.#root, prefix);
    await withFileFailures(async () => {
      await rm(folder, { recursive: true, force: true });
    });
  }

  async *list(prefix: string): AsyncIterable<string> {
    assertBlobPrefix(prefix);
    const folder = join(this.#root, prefix);
    const entries = await withFileFailures(() => nullIfMissing(opendir(folder, { recursive: true })));
    if (entries === null) return;
    for await (const entry of entries) {
      if (entry.isFile()) yield join(entry.parentPath, entry.name).slice(this.#root.length + 1);
    }
  }

  async publicUrl(): Promise<null> {
    return null;
  }

  check(): Promise<void> {
    return withFileFailures(async () => {
      const path = join(this.#incoming, incomingName());
      try {
        await using handle = await open(path, 'wx', 0o600);
        await handle.writeFile('check');
        await handle.sync();
      } finally {
        await removeOrDefer(path);
      }
    });
  }

  freeBytes(): Promise<number> {
    return withFileFailures(async () => {
      const figures = await statfs(this.#root);
      return figures.bavail * figures.bsize;
    });
  }

  #path(key: string): string {
    assertBlobKey(key);
    return join(this.#root, key);
  }

  /** Publishes a copy of a file of another file system; the file at `path` is unchanged. */
  async #publishCopy(path: string, target: string): Promise<void> {
    const incoming = join(this.#incoming, incomingName());
    try {
      await copyFile(path, incoming, constants.COPYFILE_EXCL);
      await sync(incoming);
      await this.#publish(incoming, target);
    } catch (error) {
      await removeOrDefer(incoming);
      throw error;
    }
  }

  /** Renames a finished file to its blob path. */
  async #publish(incoming: string, path: string): Promise<void> {
    await makeDurableFolder(dirname(path));
    await rename(incoming, path);
    await sync(dirname(path));
  }
}

async function info(path: string): Promise<BlobInfo> {
  const status = await stat(path);
  return { sizeBytes: status.size, modifiedAt: status.mtime };
}

async function writeDurably(path: string, bytes: Readable, signal: AbortSignal | undefined): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await pipeline(bytes, (source) => writeInBlocks(handle, source), signal === undefined ? {} : { signal });
  await handle.sync();
}
