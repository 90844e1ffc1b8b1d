import { type Database, START_LOCKS } from '../database/database.ts';
import { lock } from '../database/locks.ts';
import { agreeOn, DATABASE_ID, decideShared, sharedSetting } from '../database/shared-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { readMark, STORE_MARK, writeMark } from '../storage/store-mark.ts';

/** Where a process keeps its data, in words for its log and for whoever set it up. */
export interface PlaceNames {
  readonly database: string;
  readonly storage: string;
}

/** The shared setting that names the storage, for messages; what decides is the mark in the storage. */
const STORAGE_NAME = 'storage';

/**
 * One database, one storage, and the other way round: a job whose files another process cannot find fails, and files that no
 * row of this database names are removed as left behind. The first process marks the storage as this database's. Throws
 * `ConfigError` when the storage is another one than the others use, or belongs to another database.
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
    // A crash between the two leaves a mark that is this database's own.
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
