import { validate as isUuid } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import type { Listing, ListRequest } from '../database/listing.ts';
import { Failure } from '../errors.ts';
import type { IdempotencyAnswers } from '../idempotency/desk.ts';
import type { IdempotencyKey, StoredAnswer } from '../idempotency/idempotency.ts';
import type { Retention } from './retention.ts';
import type { Video, VideoDesk, VideoFilter, VideoState } from './video.ts';
import { deleteVideo, expiryOf, insertVideo, isVideoInUse, listVideos, selectVideo } from './video-store.ts';

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
    if (stored === null) return { state: 'unknown' };
    const expiredAt = expiryOf(stored, this.#parts.clock());
    if (expiredAt !== null) return { state: 'expired', expiredAt };
    return { state: 'present', video: stored.video };
  }

  list(request: ListRequest<VideoFilter>): Promise<Listing<Video>> {
    return listVideos(this.#parts.database, request, this.#parts.clock());
  }

  change(videoId: string, change: (video: Video) => Promise<void>): Promise<void> {
    return this.#parts.database.transaction(async (transaction) =>
      change(await this.#unused(transaction, videoId)),
    );
  }

  /** The row first: a crash in between leaves bytes that nothing names, never a name without bytes. */
  async remove(videoId: string): Promise<void> {
    const { database, retention } = this.#parts;
    const { blobKey, sha256 } = await database.transaction(async (transaction) => {
      const video = await this.#unused(transaction, videoId);
      return { blobKey: await deleteVideo(transaction, videoId), sha256: video.sha256 };
    });
    await retention.removeVideoBlobs(videoId, blobKey, sha256);
  }

  /** A video that no live job needs; until the transaction's end none can take it. */
  async #unused(transaction: Queryable, videoId: string): Promise<Video> {
    const stored = isUuid(videoId) ? await selectVideo(transaction, videoId, 'update') : null;
    if (stored === null) throw new Failure('VIDEO_NOT_FOUND', `There is no video ${videoId}.`);
    const expiredAt = expiryOf(stored, this.#parts.clock());
    if (expiredAt !== null) {
      throw new Failure('VIDEO_EXPIRED', `The video ${videoId} expired ${expiredAt.toISOString()}.`);
    }
    if (await isVideoInUse(transaction, videoId)) {
      throw new Failure('VIDEO_IN_USE', `A queued or processing job needs the video ${videoId}.`, {
        retryAfterSeconds: 5,
      });
    }
    return stored.video;
  }
}
