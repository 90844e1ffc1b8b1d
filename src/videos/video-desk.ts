import { validate as isUuid } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import type { Listing, ListRequest } from '../database/listing.ts';
import { Failure } from '../errors.ts';
import type { IdempotencyAnswers } from '../idempotency/desk.ts';
import type { IdempotencyKey, StoredAnswer } from '../idempotency/idempotency.ts';
import { deleteImport, selectImport } from './import-store.ts';
import { importTrouble } from './import-trouble.ts';
import type { Retention } from './retention.ts';
import type { Video, VideoDesk, VideoFilter, VideoState } from './video.ts';
import {
  deleteVideo,
  expiryOf,
  insertVideo,
  isVideoInUse,
  listVideos,
  selectLiveJobs,
  selectVideo,
} from './video-store.ts';

/** Each may have to be given a file of its own, while the video is locked. */
const MAX_LIVE_JOBS = 100;

export interface VideoDeskParts {
  readonly database: Database;
  readonly retention: Retention;
  readonly answers: IdempotencyAnswers;
  readonly clock: () => Date;
}

export class DatabaseVideoDesk implements VideoDesk {
  readonly #parts: VideoDeskParts;

  constructor(parts: VideoDeskParts) {
    this.#parts = parts;
  }

  async insert(
    video: Video,
    idempotency: { readonly key: IdempotencyKey; readonly answer: StoredAnswer } | null,
  ): Promise<void> {
    const { database, answers } = this.#parts;
    await database.transaction(async (transaction) => {
      await insertVideo(transaction, video);
      if (idempotency !== null) await answers.keep(transaction, idempotency.key, idempotency.answer);
    });
    if (idempotency !== null) answers.kept(idempotency.key);
  }

  async get(videoId: string): Promise<VideoState> {
    const stored = isUuid(videoId) ? await selectVideo(this.#parts.database, videoId) : null;
    if (stored === null) return this.#notThere(videoId);
    const expiredAt = expiryOf(stored, this.#parts.clock());
    if (expiredAt !== null) return { state: 'expired', expiredAt };
    return { state: 'present', video: stored.video };
  }

  async #notThere(videoId: string, db: Queryable = this.#parts.database): Promise<VideoState> {
    const found = isUuid(videoId) ? await selectImport(db, videoId) : null;
    return found === null ? { state: 'unknown' } : { state: 'import', import: found };
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

  /** The row first: a crash in between leaves bytes that nothing names, never a name without bytes. */
  async remove(videoId: string): Promise<void> {
    const { database, retention } = this.#parts;
    if (await this.#removeImport(videoId)) return;
    const { blobKey, sha256 } = await database.transaction(async (transaction) => {
      const video = await this.#unused(transaction, videoId);
      return { blobKey: await deleteVideo(transaction, videoId), sha256: video.sha256 };
    });
    await retention.removeVideoBlobs(videoId, blobKey, sha256);
  }

  /** Who fetches it notices, and leaves nothing. */
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
    const stored = isUuid(videoId) ? await selectVideo(transaction, videoId, 'update') : null;
    if (stored === null) {
      const found = await this.#notThere(videoId, transaction);
      if (found.state === 'import') throw importTrouble(found.import);
      throw new Failure('VIDEO_NOT_FOUND', `There is no video ${videoId}.`);
    }
    const expiredAt = expiryOf(stored, this.#parts.clock());
    if (expiredAt !== null) {
      throw new Failure('VIDEO_EXPIRED', `The video ${videoId} expired ${expiredAt.toISOString()}.`);
    }
    return stored.video;
  }
}

function inUse(videoId: string, who: string): Failure {
  return new Failure('VIDEO_IN_USE', `${who} the video ${videoId}.`, { retryAfterSeconds: 5 });
}
