import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../domain/errors.ts';
import type { BlobStore } from './blob-store.ts';
import { makeDurableFolder, nullIfMissing, sync, withFileFailures, writeInBlocks } from './durable-files.ts';
import type { PartialBlobs, UploadProgress } from './partial-blobs.ts';

/**
 * Partial blobs in a folder of a local or shared disk, one file each. Bytes are written at their position,
 * never appended, so that late writes of an abandoned writer hit their own position or are truncated.
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
    from: UploadProgress,
    bytes: AsyncIterable<Buffer>,
    onDurable: (arrived: UploadProgress) => void,
  ): Promise<UploadProgress> {
    return withFileFailures(async () => {
      await using file = await this.#open(id, from);
      const at = (offsetBytes: number): UploadProgress => ({ offsetBytes, storeState: null });
      const written = await writeInBlocks(file, bytes, {
        at: from.offsetBytes,
        onDurable: (end) => onDurable(at(end)),
      });
      await file.sync();
      return at(from.offsetBytes + written);
    });
  }

  async removeSuperseded(): Promise<void> {}

  async complete(id: string, { offsetBytes }: UploadProgress, blobKey: string): Promise<void> {
    const found = await withFileFailures(() => nullIfMissing(stat(this.#path(id))));
    if (found === null) {
      if ((await this.#blobs.head(blobKey))?.sizeBytes === offsetBytes) return;
      throw bytesLost();
    }
    await withFileFailures(async () => {
      await using file = await open(this.#path(id), 'r+');
      await truncateTo(file, offsetBytes);
    });
    await this.#blobs.putFile(blobKey, this.#path(id));
  }

  async remove(id: string): Promise<void> {
    await withFileFailures(() => rm(this.#path(id), { recursive: true, force: true }));
  }

  async sweep(before: Date, known: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const ids = (await withFileFailures(() => nullIfMissing(readdir(this.#root)))) ?? [];
    const knownIds = await known(ids);
    for (const id of ids) {
      if (knownIds.has(id)) continue;
      const status = await withFileFailures(() => nullIfMissing(stat(this.#path(id))));
      if (status !== null && status.mtime < before) await this.remove(id);
    }
  }

  async #open(id: string, { offsetBytes }: UploadProgress): Promise<FileHandle> {
    if (offsetBytes > 0) {
      const file = await nullIfMissing(open(this.#path(id), 'r+'));
      if (file === null) throw bytesLost();
      await truncateTo(file, offsetBytes);
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

/**
 * Truncates bytes that were never acknowledged. The size is read from the open file: a network file system
 * may cache the old size of a path.
 */
async function truncateTo(file: FileHandle, sizeBytes: number): Promise<void> {
  const { size } = await file.stat();
  if (size < sizeBytes) throw bytesLost();
  if (size > sizeBytes) await file.truncate(sizeBytes);
}

function bytesLost(): Failure {
  return new Failure('UPLOAD_NOT_FOUND', 'The bytes of the upload are lost; send the file again');
}
