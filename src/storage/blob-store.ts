import type { Readable } from 'node:stream';

export interface BlobInfo {
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Another for other bytes, where the store has such a thing. */
  readonly entityTag?: string;
}

/**
 * Where bytes are kept. Keys are `/`-separated, made by us only (`[A-Za-z0-9._-]+` parts), never from a
 * client's text. A blob appears whole or not at all, and is durable when `put…` resolves.
 */
export interface BlobStore {
  /** Streams bytes in; memory does not grow with the size. Throws `Failure` INSUFFICIENT_STORAGE, SERVICE_UNAVAILABLE. */
  put(key: string, bytes: Readable, signal?: AbortSignal): Promise<BlobInfo>;
  /** Takes over a finished local file (moves it when it can). The file at `path` is gone afterwards. */
  putFile(key: string, path: string): Promise<BlobInfo>;
  /** Null when there is none. */
  head(key: string): Promise<BlobInfo | null>;
  /** Bytes `range.start` to `range.end` inclusive, or all. Throws when there is none. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** A local path for reading, valid until disposed: the file itself, or a downloaded copy. Throws when there is none. */
  localPath(key: string, signal?: AbortSignal): Promise<LocalFile>;
  /** Removes the blob; no error when there is none. */
  remove(key: string): Promise<void>;
  /** Removes all blobs whose key begins with `prefix` (which ends in `/`). */
  removeAll(prefix: string): Promise<void>;
  /** All keys under a prefix that ends in `/`. */
  list(prefix: string): AsyncIterable<string>;
  /** A time-limited URL that serves the blob to a GET, or null when the store has none and the service must serve it. */
  publicUrl(key: string, options: PublicUrlOptions): Promise<string | null>;
  /** Throws when the store cannot be written now (a real write, removed again). */
  check(): Promise<void>;
  /** Bytes left, null when unlimited or unknown. */
  freeBytes(): Promise<number | null>;
}

/** What the answer at the URL says of the blob. */
export interface PublicUrlOptions {
  readonly contentType: string;
  readonly fileName: string;
  /** Whether a browser keeps it as a file instead of showing it. */
  readonly download: boolean;
}

export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}
