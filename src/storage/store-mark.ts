/**
 * The marker in a store that identifies the database of its blobs. It is in the store itself. A bucket at
 * another address and a shared disk at another mount point are thus recognized, and a copy can replace the
 * store.
 */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../domain/errors.ts';
import type { BlobStore } from './blob-store.ts';

export const STORE_MARK = 'store/database-id';

/** The id of the database of these blobs; null: no database yet. */
export async function readMark(blobs: BlobStore): Promise<string | null> {
  if ((await blobs.head(STORE_MARK)) === null) return null;
  return (await text(await blobs.get(STORE_MARK))).trim();
}

export async function writeMark(blobs: BlobStore, databaseId: string): Promise<void> {
  await blobs.put(STORE_MARK, Readable.from([`${databaseId}\n`]));
}

/**
 * Throws SERVICE_UNAVAILABLE for a store whose marker disappeared: the mount point of an unmounted disk is an
 * empty folder.
 */
export async function assertMarked(blobs: BlobStore): Promise<void> {
  if ((await blobs.head(STORE_MARK)) !== null) return;
  throw new Failure(
    'SERVICE_UNAVAILABLE',
    `The storage has no file ${STORE_MARK}: check that its disk is mounted`,
    {
      retryAfterSeconds: 5,
    },
  );
}
