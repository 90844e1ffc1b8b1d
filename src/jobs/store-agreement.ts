import { type Database, START_LOCKS } from '../database/database.ts';
import { lock } from '../database/locks.ts';
import { agreeOn, DATABASE_ID, decideShared, sharedSetting } from '../database/shared-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { readMark, STORE_MARK, writeMark } from '../storage/store-mark.ts';

/** Storage locations of a process, as text for logs and error messages. */
export interface PlaceNames {
  readonly database: string;
  readonly storage: string;
}

/** The shared setting with the name of the storage, for messages only. The mark in the storage decides. */
const STORAGE_NAME = 'storage';

/**
 * Ensures that all processes on one database use one storage, and that no other database uses it. Otherwise jobs would miss files, and
 * the orphan sweep would remove files of the other database. The first process marks the storage. Throws `ConfigError` when the storage
 * differs, or belongs to another database.
 */
export async function agreeOnStore(database: Database, blobs: BlobStore, names: PlaceNames): Promise<void> {
  await database.transaction(async (transaction) => {
    await lock(transaction, 'storage');
    const id = await sharedSetting(transaction, DATABASE_ID);
    if (id === null) throw new Error('the database has no id');
    const kept = await sharedSetting(transaction, STORAGE_NAME);
    const mark = await readMark(blobs);
    if (mark === null && kept !== null) throw otherStorage(kept, names);
    if (mark !== null && mark !== id) throw otherDatabase(kept, names);
    // After a crash between these two writes the mark is already this database's own.
    if (mark === null) await writeMark(blobs, id);
    if (kept === null) await agreeOn(transaction, STORAGE_NAME, names.storage);
    else if (kept !== names.storage) await decideShared(transaction, STORAGE_NAME, names.storage);
  }, START_LOCKS);
}

function otherStorage(kept: string, { database, storage }: PlaceNames): ConfigError {
  return new ConfigError(
    `Every process on one database needs the same storage. ${database}, is used with ${kept}; this process has ${storage}, which does not belong to it. ` +
      `Set S3_ENDPOINT and S3_BUCKET, or DATA_DIR on one shared disk, as for the others. ` +
      `To move the storage on purpose, stop all processes and copy everything to the new place, the file ${STORE_MARK} with it.`,
  );
}

function otherDatabase(kept: string | null, { database, storage }: PlaceNames): ConfigError {
  const own = kept === null ? '' : ` That database is used with ${kept}.`;
  return new ConfigError(
    `The storage belongs to another database: this process has ${storage} and ${database}, and would remove the other's files as left behind.${own} ` +
      `Set DATABASE_URL as for the others (without it, the embedded database of DATA_DIR is used), or give this process a storage of its own. ` +
      `If the other database is gone for good and its files may go too, remove the file ${STORE_MARK} from the storage.`,
  );
}
