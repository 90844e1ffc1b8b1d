import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../domain/errors.ts';
import type { BlobStore } from './blob-store.ts';
import { foreseen, makeDurableFolder, orMissing, sync, writeInBlocks } from './durable-files.ts';
import type { Arrival, PartialBlobs } from './partial-blobs.ts';

/**
 * Partial blobs in a folder of the local or a shared disk: each is a file of its own. Bytes are written at their place, never
 * at the end, so that what a writer that was given up still writes lands where it belongs or is cut off.
 */
export class PartialFiles implements PartialBlobs {
  readonly #root: string;
  readonly #blobs: BlobStore;

  constructor(root: string, blobs: BlobStore) {
    this.#root = root;
    this.#blobs = blobs;
  }

  async append(
    id: string,
    from: Arrival,
    bytes: AsyncIterable<Buffer>,
    onDurable: (arrived: Arrival) => void,
  ): Promise<Arrival> {
    return foreseen(async () => {
      await using file = await this.#open(id, from);
      const at = (offsetBytes: number): Arrival => ({ offsetBytes, place: null });
      const written = await writeInBlocks(file, bytes, {
        at: from.offsetBytes,
        onDurable: (end) => onDurable(at(end)),
      });
      await file.sync();
      return at(from.offsetBytes + written);
    });
  }

  async tidy(): Promise<void> {}

  async complete(id: string, { offsetBytes }: Arrival, blobKey: string): Promise<void> {
    const found = await foreseen(() => orMissing(stat(this.#path(id))));
    if (found === null) {
      if ((await this.#blobs.head(blobKey))?.sizeBytes === offsetBytes) return;
      throw lost();
    }
    await foreseen(async () => {
      await using file = await open(this.#path(id), 'r+');
      await cut(file, offsetBytes);
    });
    await this.#blobs.putFile(blobKey, this.#path(id));
  }

  async remove(id: string): Promise<void> {
    await foreseen(() => rm(this.#path(id), { recursive: true, force: true }));
  }

  async sweep(before: Date, known: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const ids = (await foreseen(() => orMissing(readdir(this.#root)))) ?? [];
    const kept = await known(ids);
    for (const id of ids) {
      if (kept.has(id)) continue;
      const status = await foreseen(() => orMissing(stat(this.#path(id))));
      if (status !== null && status.mtime < before) await this.remove(id);
    }
  }

  async #open(id: string, { offsetBytes }: Arrival): Promise<FileHandle> {
    if (offsetBytes > 0) {
      const file = await orMissing(open(this.#path(id), 'r+'));
      if (file === null) throw lost();
      await cut(file, offsetBytes);
      return file;
    }
    await makeDurableFolder(this.#root);
    const file = await open(this.#path(id), 'w', 0o600);
    await sync(dirname(this.#path(id)));
    return file;
  }

  #path(id: string): string {
    return join(this.#root, id);
  }
}

/** Takes off what was never acknowledged. Asked of the open file: a network's file system may remember an old size of a path. */
async function cut(file: FileHandle, sizeBytes: number): Promise<void> {
  const { size } = await file.stat();
  if (size < sizeBytes) throw lost();
  if (size > sizeBytes) await file.truncate(sizeBytes);
}

function lost(): Failure {
  return new Failure('UPLOAD_NOT_FOUND', 'The bytes of the upload are lost; send the file again');
}
