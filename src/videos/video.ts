/** Uploaded videos as other modules see them. */
import type { Listing, ListRequest } from '../database/listing.ts';
import type { RequestErrorCode } from '../domain/errors.ts';
import type { VideoKind, VideoProbe, VideoReference } from '../domain/stage.ts';
import type { IdempotencyKey, StoredResponse } from '../idempotency/idempotency.ts';

export interface Video extends VideoReference, VideoProbe {
  /** For display only, sanitised. */
  readonly filename: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** Animated pictures have the content type of an image, and are videos. */
export function kindOf({
  contentType,
  durationSeconds,
}: Pick<VideoProbe, 'contentType' | 'durationSeconds'>): VideoKind {
  if (contentType.startsWith('image/') && durationSeconds === 0) return 'image';
  return contentType.startsWith('audio/') ? 'audio' : 'video';
}

export interface VideoFilter {
  readonly kind?: VideoKind;
  /** Part of the file's name, in any case. */
  readonly text?: string;
}

/** A video that is being imported from a URL, or whose import failed. */
export interface VideoImport {
  readonly videoId: string;
  readonly filename: string;
  readonly status: 'importing' | 'failed';
  /** Present when the import failed. */
  readonly error: { readonly code: RequestErrorCode; readonly detail: string } | null;
  readonly receivedBytes: number;
  /** `Content-Length` of the answer; null: unknown. */
  readonly totalBytes: number | null;
  readonly createdAt: Date;
}

export type VideoState =
  | { readonly state: 'unknown' }
  | { readonly state: 'import'; readonly import: VideoImport }
  | { readonly state: 'expired'; readonly expiredAt: Date }
  | { readonly state: 'present'; readonly video: Video };

export interface VideoService {
  /** Inserts the row of a stored video, with the answer for the idempotency key, in one transaction. */
  insert(
    video: Video,
    idempotency: { readonly key: IdempotencyKey; readonly response: StoredResponse } | null,
  ): Promise<void>;
  get(videoId: string): Promise<VideoState>;
  list(request: ListRequest<VideoFilter>): Promise<Listing<Video>>;
  /**
   * Changes what belongs to a video while no further job can take it. `jobIds`: those that have it as their source and have not
   * ended, 100 at most. Throws VIDEO_NOT_FOUND, VIDEO_EXPIRED, VIDEO_IN_USE when there are more, what `change` throws.
   */
  change(videoId: string, change: (video: Video, jobIds: readonly string[]) => Promise<void>): Promise<void>;
  /** The row, its blob and its captions; an import ends with it. Throws VIDEO_NOT_FOUND, VIDEO_EXPIRED, VIDEO_IN_USE. */
  remove(videoId: string): Promise<void>;
}
