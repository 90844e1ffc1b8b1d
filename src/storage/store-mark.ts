/**
 * The mark that says to which database the blobs of a store belong. It lies in the store itself, so that a bucket reached by
 * another address, and a shared disk mounted elsewhere, are still the same store, and a copy of it takes its place.
 */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../domain/errors.ts';
import type { BlobStore } from './blob-store.ts';

export const STORE_MARK = 'store/database-id';

/** The id of the database whose blobs these are; null: nobody's yet. */
export async function readMark(blobs: BlobStore): Promise<string | null> {
  if ((await blobs.head(STORE_MARK)) === null) return null;
  return (await text(await blobs.get(STORE_MARK))).trim();
}

export async function writeMark(blobs: BlobStore, databaseId: string): Promise<void> {
  await blobs.put(STORE_MARK, Readable.from([`${databaseId}\n`]));
}

/** Throws SERVICE_UNAVAILABLE for a store that had a mark and has none: an empty folder is what is left of an unmounted disk. */
export async function assertMarked(blobs: BlobStore): Promise<void> {
  if ((await blobs.head(STORE_MARK)) !== null) return;
  throw new Failure('SERVICE_UNAVAILABLE', `The storage of the service has lost its file ${STORE_MARK}`, {
    retryAfterSeconds: 5,
  });
}
