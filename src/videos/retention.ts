import type { Logger } from 'pino';
import { validate as isUuid, NIL } from 'uuid';
import type { Database } from '../database/database.ts';
import { PREVIEW_TTL_MS } from '../domain/preview.ts';
import {
  BLOB_OWNERS,
  type BlobOwner,
  captionsBlobKey,
  jobBlobPrefix,
  PREVIEWS,
  previewsPrefix,
  resultsPrefix,
} from '../storage/blob-names.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { deleteOldImports } from './import-store.ts';
import {
  deleteEndedProducts,
  expireResults,
  isContentKept,
  markVideoExpired,
  selectDueVideos,
  selectOwners,
} from './retention-store.ts';
import { isVideoInUse, selectVideo } from './video-store.ts';

export interface RetentionParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly logger: Logger;
  readonly clock: () => Date;
}

const BATCH = 100;

/** Long enough to read why. */
const FAILED_IMPORT_KEPT_MS = 7 * 86_400_000;

/** Bytes come before their row, and an upload's probe takes minutes at most. */
const ORPHAN_AGE_MS = 3_600_000;

/** Removes what is kept no longer, and what nobody owns. Everything may be done twice, by several services at once. */
export class Retention {
  readonly #parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /**
   * Videos and results whose time is over. The rows first: `sweepOrphans` finds the files that a crash or a failure leaves. A removal that
   * fails does not stop the others. Throws `AggregateError` at the end.
   */
  async sweepExpired(): Promise<void> {
    const { database, blobs, clock } = this.#parts;
    const failures = new Failures();
    for (let last: string = NIL; ; ) {
      const due = await selectDueVideos(database, clock(), last, BATCH);
      for (const videoId of due) await failures.keep(this.#expireVideo(videoId));
      if (due.length < BATCH) break;
      last = due.at(-1)!;
    }
    for (let count = BATCH; count === BATCH; ) {
      const expired = await expireResults(database, clock(), BATCH);
      for (const jobId of expired) await failures.keep(blobs.removeAll(jobBlobPrefix(jobId)));
      count = expired.length;
    }
    await deleteOldImports(database, new Date(clock().getTime() - FAILED_IMPORT_KEPT_MS));
    await this.#sweepPreviews(failures);
    failures.throwIfAny();
  }

  /** What was made for looking before rendering, a day after it was. */
  async #sweepPreviews(failures: Failures): Promise<void> {
    const { database, blobs, clock } = this.#parts;
    const before = new Date(clock().getTime() - PREVIEW_TTL_MS);
    for (let count = BATCH; count === BATCH; ) {
      const ended = await deleteEndedProducts(database, before, BATCH);
      for (const jobId of ended) await failures.keep(blobs.removeAll(jobBlobPrefix(jobId)));
      count = ended.length;
    }
    for await (const key of blobs.list(PREVIEWS)) {
      await failures.keep(this.#removeOlder(key, before));
    }
  }

  /** Whether it was removed. */
  async #removeOlder(key: string, before: Date): Promise<boolean> {
    const { blobs } = this.#parts;
    const info = await blobs.head(key);
    if (info === null || info.modifiedAt >= before) return false;
    await blobs.remove(key);
    return true;
  }

  /** What a video leaves when its row is gone or expired: its bytes and captions, and results of content that no other video has. */
  async removeVideoBlobs(videoId: string, blobKey: string | null, sha256: string): Promise<void> {
    const { database, blobs } = this.#parts;
    if (blobKey !== null) await blobs.remove(blobKey);
    await blobs.remove(captionsBlobKey(videoId));
    if (await isContentKept(database, sha256)) return;
    await blobs.removeAll(resultsPrefix(sha256));
    await blobs.removeAll(previewsPrefix(sha256));
  }

  /** Blobs, older than an hour, of videos, jobs and contents that the database does not know. Fails as `sweepExpired` does. */
  async sweepOrphans(): Promise<void> {
    const failures = new Failures();
    for (const kind of Object.keys(BLOB_OWNERS) as BlobOwner[])
      await failures.keep(this.#sweepOrphansOf(kind, failures));
    failures.throwIfAny();
  }

  async #expireVideo(videoId: string): Promise<void> {
    const { database, clock, logger } = this.#parts;
    const video = await database.transaction(async (transaction) => {
      const stored = await selectVideo(transaction, videoId, 'update');
      // A job that needs it keeps it: the next sweep looks again.
      if (stored === null || stored.expiredAt !== null || (await isVideoInUse(transaction, videoId)))
        return null;
      await markVideoExpired(transaction, videoId, clock());
      return stored.video;
    });
    if (video === null) return;
    await this.removeVideoBlobs(videoId, video.blobKey, video.sha256);
    logger.info({ videoId }, 'video expired');
  }

  async #sweepOrphansOf(kind: BlobOwner, failures: Failures): Promise<void> {
    const { root, pattern } = BLOB_OWNERS[kind];
    let keys = new Map<string, string[]>();
    for await (const key of this.#parts.blobs.list(root)) {
      const owner = pattern.exec(key)?.[1];
      if (owner === undefined || (kind !== 'content' && !isUuid(owner))) continue;
      keys.set(owner, [...(keys.get(owner) ?? []), key]);
      if (keys.size <= BATCH) continue;
      await this.#removeOrphans(kind, keys, failures);
      keys = new Map();
    }
    await this.#removeOrphans(kind, keys, failures);
  }

  async #removeOrphans(
    kind: BlobOwner,
    keys: ReadonlyMap<string, readonly string[]>,
    failures: Failures,
  ): Promise<void> {
    const { database, clock, logger } = this.#parts;
    if (keys.size === 0) return;
    const owners = await selectOwners(database, kind, [...keys.keys()]);
    const before = new Date(clock().getTime() - ORPHAN_AGE_MS);
    for (const key of [...keys].flatMap(([owner, own]) => (owners.has(owner) ? [] : own))) {
      if ((await failures.keep(this.#removeOlder(key, before))) !== true) continue;
      logger.warn({ key }, 'a file without an owner was removed');
    }
  }
}

/** Failures of single removals in a sweep. */
class Failures {
  readonly #errors: unknown[] = [];

  /** The result, or undefined where the work failed. */
  keep<T>(work: Promise<T>): Promise<T | undefined> {
    return work.catch((error: unknown) => {
      this.#errors.push(error);
      return undefined;
    });
  }

  throwIfAny(): void {
    const { length } = this.#errors;
    if (length > 0)
      throw new AggregateError(this.#errors, `${length} removals failed, the first: ${this.#errors[0]}`);
  }
}
