import type { Readable } from 'node:stream';

export interface BlobInfo {
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Changes with the bytes; missing if the store has no entity tags. */
  readonly entityTag?: string;
}

/**
 * Stores bytes under keys. Keys are `/`-separated (`[A-Za-z0-9._-]+` parts) and made by this service only,
 * never from a client's text. A blob appears complete or not at all, and is durable when `put…` resolves.
 */
export interface BlobStore {
  /**
   * Streams bytes into a blob; memory use does not depend on the size. Throws `Failure` INSUFFICIENT_STORAGE,
   * SERVICE_UNAVAILABLE.
   */
  put(key: string, bytes: Readable, signal?: AbortSignal): Promise<BlobInfo>;
  /**
   * Stores a finished local file, by moving it if possible. The file at `path` no longer exists afterwards.
   */
  putFile(key: string, path: string): Promise<BlobInfo>;
  /** Null when the blob does not exist. */
  head(key: string): Promise<BlobInfo | null>;
  /** Bytes `range.start` to `range.end` inclusive, or all. Throws when the blob does not exist. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /**
   * A local path for reading, valid until disposed: the file itself, or a downloaded copy. Throws when the
   * blob does not exist.
   */
  localPath(key: string, signal?: AbortSignal): Promise<LocalFile>;
  /** Removes the blob; no error when it does not exist. */
  remove(key: string): Promise<void>;
  /** Removes all blobs whose key begins with `prefix` (which ends in `/`). */
  removeAll(prefix: string): Promise<void>;
  /** All keys under a prefix that ends in `/`. */
  list(prefix: string): AsyncIterable<string>;
  /**
   * A time-limited URL that serves the blob to a GET. Null when the store has no URLs and the service must
   * serve it.
   */
  publicUrl(key: string, options: PublicUrlOptions): Promise<string | null>;
  /** Writes and removes a test blob. Throws when the store cannot be written. */
  check(): Promise<void>;
  /** Free bytes, null when unlimited or unknown. */
  freeBytes(): Promise<number | null>;
}

/** Headers of the response at the URL. */
export interface PublicUrlOptions {
  readonly contentType: string;
  readonly fileName: string;
  /** Whether a browser saves the file instead of showing it. */
  readonly download: boolean;
}

export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}
