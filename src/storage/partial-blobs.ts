/** The durable part of a file that arrives in pieces. */
export interface UploadProgress {
  readonly offsetBytes: number;
  /** State of the store for the next writer: plain data, null at the beginning. */
  readonly storeState: unknown;
}

/**
 * Files that arrive in pieces, at any process, and become blobs. Only the `UploadProgress` that the caller has
 * recorded counts, not the bytes that the store finds: an abandoned writer may have written more. The caller
 * ensures that there is one writer at a time. Ids are made by this service.
 */
export interface PartialBlobs {
  /**
   * Appends bytes after `from` and resolves with the durable end; `onDurable` reports progress before that.
   * `bytes` may end early but never throws. Memory use does not depend on the size. Throws `Failure`
   * INSUFFICIENT_STORAGE, SERVICE_UNAVAILABLE, and UPLOAD_NOT_FOUND when the earlier bytes no longer exist.
   */
  append(
    id: string,
    from: UploadProgress,
    bytes: AsyncIterable<Buffer>,
    onDurable: (arrived: UploadProgress) => void,
  ): Promise<UploadProgress>;
  /** Removes data that only `before` needed, once the caller has recorded `now`. */
  removeSuperseded(id: string, before: UploadProgress, now: UploadProgress): Promise<void>;
  /**
   * Turns a complete file into a blob. Idempotent after a crash. Throws UPLOAD_NOT_FOUND when its bytes no
   * longer exist.
   */
  complete(id: string, arrived: UploadProgress, blobKey: string): Promise<void>;
  /** Removes all bytes; no error when there are none. */
  remove(id: string, arrived: UploadProgress): Promise<void>;
  /**
   * Removes uploads that began before this time and that the caller does not know. `known`: returns the ids
   * that it knows.
   */
  sweep(before: Date, known: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void>;
}
