/** Small pictures of an uploaded video: a poster and a filmstrip. */
import type { Artifact, VideoReference } from './stage.ts';

/** A longer wait fails; a video of 4 h takes about a second. */
export const PICTURES_DEADLINE_MS = 20_000;

export interface StoredPictures {
  readonly poster: Artifact;
  readonly filmstrip: Artifact;
  /** Size of a tile in pixels. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** Time of each tile, left to right, in seconds from the video's start. */
  readonly tileSeconds: readonly number[];
}

/** Makes pictures of videos and stores them by content. */
export interface PictureService {
  /** Null: not made. */
  load(video: Pick<VideoReference, 'sha256'>): Promise<StoredPictures | null>;
  /** Throws the task's errors; STAGE_TIMEOUT after `PICTURES_DEADLINE_MS`. */
  make(video: VideoReference, signal: AbortSignal): Promise<StoredPictures>;
}
