import { validate as isUuid } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import type { Listing, ListRequest } from '../database/listing.ts';
import { Failure } from '../domain/errors.ts';
import type { IdempotencyKey, StoredResponse } from '../idempotency/idempotency.ts';
import type { StoredResponses } from '../idempotency/idempotency-service.ts';
import { importFailure } from './import-failure.ts';
import { deleteImport, selectImport } from './import-store.ts';
import type { Retention } from './retention.ts';
import type { Video, VideoFilter, VideoImport, VideoService, VideoState } from './video.ts';
import {
  deleteVideo,
  expiryOf,
  insertVideo,
  isVideoInUse,
  listVideos,
  type StoredVideo,
  selectLiveJobs,
  selectVideo,
} from './video-store.ts';

/** Each may need its own file while the video is locked. */
const MAX_LIVE_JOBS = 100;

export interface VideoServiceParts {
  readonly database: Database;
  readonly retention: Retention;
  readonly responses: StoredResponses;
  readonly clock: () => Date;
}

export class DatabaseVideoService implements VideoService {
  readonly #parts: VideoServiceParts;

  constructor(parts: VideoServiceParts) {
    this.#parts = parts;
  }

  async insert(
    video: Video,
    idempotency: { readonly key: IdempotencyKey; readonly response: StoredResponse } | null,
  ): Promise<void> {
    const { database, responses } = this.#parts;
    await database.transaction(async (transaction) => {
      await insertVideo(transaction, video);
      if (idempotency !== null) await responses.store(transaction, idempotency.key, idempotency.response);
    });
    if (idempotency !== null) responses.committed(idempotency.key);
  }

  async get(videoId: string): Promise<VideoState> {
    const found = await find(this.#parts.database, videoId);
    if (found === null) return { state: 'unknown' };
    if (!('video' in found)) return { state: 'import', import: found };
    const expiredAt = expiryOf(found, this.#parts.clock());
    if (expiredAt !== null) return { state: 'expired', expiredAt };
    return { state: 'present', video: found.video };
  }

  list(request: ListRequest<VideoFilter>): Promise<Listing<Video>> {
    return listVideos(this.#parts.database, request, this.#parts.clock());
  }

  change(videoId: string, change: (video: Video, jobIds: readonly string[]) => Promise<void>): Promise<void> {
    return this.#parts.database.transaction(async (transaction) => {
      const video = await this.#locked(transaction, videoId);
      const jobIds = await selectLiveJobs(transaction, videoId, MAX_LIVE_JOBS + 1);
      if (jobIds.length > MAX_LIVE_JOBS)
        throw inUse(videoId, `More than ${MAX_LIVE_JOBS} queued or processing jobs need`);
      await change(video, jobIds);
    });
  }

  /** Deletes the row first: a crash in between leaves orphaned bytes, never a row without bytes. */
  async remove(videoId: string): Promise<void> {
    const { database, retention } = this.#parts;
    if (await this.#removeImport(videoId)) return;
    const { blobKey, sha256 } = await database.transaction(async (transaction) => {
      const video = await this.#unused(transaction, videoId);
      return { blobKey: await deleteVideo(transaction, videoId), sha256: video.sha256 };
    });
    await retention.removeVideoBlobs(videoId, blobKey, sha256);
  }

  /** The importer notices that the row is gone, and removes its file. */
  #removeImport(videoId: string): Promise<boolean> {
    if (!isUuid(videoId)) return Promise.resolve(false);
    return this.#parts.database.transaction(async (transaction) => {
      if (!(await deleteImport(transaction, videoId))) return false;
      if (await isVideoInUse(transaction, videoId)) throw inUse(videoId, 'A queued or processing job needs');
      return true;
    });
  }

  /** A video that no live job needs; until the transaction's end none can take it. */
  async #unused(transaction: Queryable, videoId: string): Promise<Video> {
    const video = await this.#locked(transaction, videoId);
    if (await isVideoInUse(transaction, videoId)) throw inUse(videoId, 'A queued or processing job needs');
    return video;
  }

  /** Until the transaction's end no job can take it. */
  async #locked(transaction: Queryable, videoId: string): Promise<Video> {
    const found = await find(transaction, videoId, 'update');
    if (found === null) throw new Failure('VIDEO_NOT_FOUND', `There is no video ${videoId}.`);
    if (!('video' in found)) throw importFailure(found);
    const expiredAt = expiryOf(found, this.#parts.clock());
    if (expiredAt !== null) {
      throw new Failure('VIDEO_EXPIRED', `The video ${videoId} expired ${expiredAt.toISOString()}.`);
    }
    return found.video;
  }
}

/** Reads the video, or the import that becomes one. An import that ends between the two reads is found as a video by the third. */
async function find(
  db: Queryable,
  videoId: string,
  lock?: 'update',
): Promise<StoredVideo | VideoImport | null> {
  if (!isUuid(videoId)) return null;
  const look = () => selectVideo(db, videoId, lock);
  return (await look()) ?? (await selectImport(db, videoId)) ?? (await look());
}

function inUse(videoId: string, who: string): Failure {
  return new Failure('VIDEO_IN_USE', `${who} the video ${videoId}.`, { retryAfterSeconds: 5 });
}
