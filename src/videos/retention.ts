import type { Logger } from 'pino';
import { validate as isUuid, NIL } from 'uuid';
import type { Database } from '../database/database.ts';
import { PREVIEW_TTL_MS } from '../domain/preview.ts';
import { SweepFailures } from '../domain/sweep-failures.ts';
import {
  BLOB_OWNERS,
  type BlobOwner,
  captionsBlobKey,
  jobBlobPrefix,
  PREVIEWS,
  previewsPrefix,
  resultsPrefix,
  SEGMENTS,
  SEGMENTS_TTL_MS,
  segmentsPrefix,
} from '../storage/blob-names.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { deleteOldImports } from './import-store.ts';
import {
  deleteEndedProducts,
  expireResults,
  isContentInUse,
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

/** Long enough for a client to read the error. */
const FAILED_IMPORT_KEPT_MS = 7 * 86_400_000;

/** A file is stored before its row is written; the probe in between takes minutes at most. */
const ORPHAN_AGE_MS = 3_600_000;

/** Removes expired data and files without an owner. All steps are idempotent, and several services may run them at once. */
export class Retention {
  readonly #parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /**
   * Removes expired videos, results, failed imports, previews and segments. Rows are changed before files are removed: `sweepOrphans` finds files
   * that a crash or a failure leaves. A step that fails does not stop the others. Throws `AggregateError` at the end.
   */
  async sweepExpired(): Promise<void> {
    const { database, clock } = this.#parts;
    const failures = new SweepFailures();
    const oldestImport = new Date(clock().getTime() - FAILED_IMPORT_KEPT_MS);
    const oldestPreview = new Date(clock().getTime() - PREVIEW_TTL_MS);
    const oldestSegment = new Date(clock().getTime() - SEGMENTS_TTL_MS);
    await failures.collect(this.#sweepVideos(failures));
    await failures.collect(this.#sweepResults(failures));
    await failures.collect(deleteOldImports(database, oldestImport));
    await failures.collect(this.#sweepProducts(oldestPreview, failures));
    await failures.collect(this.#sweepFolder(PREVIEWS, oldestPreview, failures));
    await failures.collect(this.#sweepFolder(SEGMENTS, oldestSegment, failures));
    failures.throwIfAny();
  }

  async #sweepVideos(failures: SweepFailures): Promise<void> {
    const { database, clock } = this.#parts;
    for (let last: string = NIL; ; ) {
      const due = await selectDueVideos(database, clock(), last, BATCH);
      for (const videoId of due) await failures.collect(this.#expireVideo(videoId));
      if (due.length < BATCH) return;
      last = due.at(-1)!;
    }
  }

  async #sweepResults(failures: SweepFailures): Promise<void> {
    const { database, blobs, clock } = this.#parts;
    for (let count = BATCH; count === BATCH; ) {
      const expired = await expireResults(database, clock(), BATCH);
      for (const jobId of expired) await failures.collect(blobs.removeAll(jobBlobPrefix(jobId)));
      count = expired.length;
    }
  }

  /** Removes drafts and analyses that ended before `before`. */
  async #sweepProducts(before: Date, failures: SweepFailures): Promise<void> {
    const { database, blobs } = this.#parts;
    for (let count = BATCH; count === BATCH; ) {
      const ended = await deleteEndedProducts(database, before, BATCH);
      for (const jobId of ended) await failures.collect(blobs.removeAll(jobBlobPrefix(jobId)));
      count = ended.length;
    }
  }

  async #sweepFolder(prefix: string, before: Date, failures: SweepFailures): Promise<void> {
    for await (const key of this.#parts.blobs.list(prefix))
      await failures.collect(this.#removeOlder(key, before));
  }

  /** Removes a blob that was modified before `before`; returns whether it did. */
  async #removeOlder(key: string, before: Date): Promise<boolean> {
    const { blobs } = this.#parts;
    const info = await blobs.head(key);
    if (info === null || info.modifiedAt >= before) return false;
    await blobs.remove(key);
    return true;
  }

  /** Removes the files of a deleted or expired video: its bytes, its captions, and cached results unless another video has the same content. */
  async removeVideoBlobs(videoId: string, blobKey: string | null, sha256: string): Promise<void> {
    const { database, blobs } = this.#parts;
    if (blobKey !== null) await blobs.remove(blobKey);
    await blobs.remove(captionsBlobKey(videoId));
    if (await isContentInUse(database, sha256)) return;
    await blobs.removeAll(resultsPrefix(sha256));
    await blobs.removeAll(previewsPrefix(sha256));
    await blobs.removeAll(segmentsPrefix(sha256));
  }

  /** Removes blobs older than an hour whose video, job or content is not in the database. Throws as `sweepExpired` does. */
  async sweepOrphans(): Promise<void> {
    const failures = new SweepFailures();
    for (const kind of Object.keys(BLOB_OWNERS) as BlobOwner[])
      await failures.collect(this.#sweepOrphansOf(kind, failures));
    failures.throwIfAny();
  }

  async #expireVideo(videoId: string): Promise<void> {
    const { database, clock, logger } = this.#parts;
    const video = await database.transaction(async (transaction) => {
      const stored = await selectVideo(transaction, videoId, 'update');
      // A running job needs it: the next sweep tries again.
      if (stored === null || stored.expiredAt !== null || (await isVideoInUse(transaction, videoId)))
        return null;
      await markVideoExpired(transaction, videoId, clock());
      return stored.video;
    });
    if (video === null) return;
    await this.removeVideoBlobs(videoId, video.blobKey, video.sha256);
    logger.info({ videoId }, 'video expired');
  }

  async #sweepOrphansOf(kind: BlobOwner, failures: SweepFailures): Promise<void> {
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
    failures: SweepFailures,
  ): Promise<void> {
    const { database, clock, logger } = this.#parts;
    if (keys.size === 0) return;
    const owners = await selectOwners(database, kind, [...keys.keys()]);
    const before = new Date(clock().getTime() - ORPHAN_AGE_MS);
    for (const key of [...keys].flatMap(([owner, own]) => (owners.has(owner) ? [] : own))) {
      if ((await failures.collect(this.#removeOlder(key, before))) !== true) continue;
      logger.warn({ key }, 'a file without an owner was removed');
    }
  }
}
