/** What an uploaded video looks like in small: a poster, and a strip of frames to move through under a pointer. */
import type { Artifact, VideoReference } from './stage.ts';

/** Whoever waits for longer is told that it was too long; a video of 4 h takes about a second. */
export const PICTURES_DEADLINE_MS = 20_000;

export interface StoredPictures {
  readonly poster: Artifact;
  readonly filmstrip: Artifact;
  /** Of each tile of the strip, in pixels. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** What each tile shows, from left to right: seconds from the video's start. */
  readonly tileSeconds: readonly number[];
}

/** Makes pictures of videos and keeps them by content. */
export interface PictureService {
  /** Null: none, or not yet. */
  load(video: Pick<VideoReference, 'sha256'>): Promise<StoredPictures | null>;
  /** Throws what the task throws; STAGE_TIMEOUT when it takes longer than `PICTURES_DEADLINE_MS`. */
  make(video: VideoReference, signal: AbortSignal): Promise<StoredPictures>;
}
