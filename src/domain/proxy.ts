/** Proxies: small copies of uploaded files that players and editors can seek in. */
import type { Size } from './footage.ts';
import type { Artifact, VideoKind, VideoReference } from './stage.ts';
import type { FrameRate } from './time.ts';

/** Properties of a proxy's content. */
export interface ProxyOutline extends Size {
  readonly kind: VideoKind;
  /** Constant; null: a photo or a sound. */
  readonly frameRate: FrameRate | null;
  /** 0 for a photo. */
  readonly durationSeconds: number;
  readonly hasSound: boolean;
}

export interface StoredProxy extends ProxyOutline {
  readonly file: Artifact & { readonly sha256: string };
}

/** Stored proxies by the content of their videos. They are made by jobs with the product `proxy`. */
export interface ProxyService {
  /** Null: not made. */
  load(video: Pick<VideoReference, 'sha256'>): Promise<StoredProxy | null>;
  remove(video: Pick<VideoReference, 'sha256'>): Promise<void>;
}
