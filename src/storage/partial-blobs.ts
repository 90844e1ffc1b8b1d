/** How much of a file that comes in pieces is kept durably, and where. */
export interface Arrival {
  readonly offsetBytes: number;
  /** The store's own note, for whoever goes on: plain data, null at the beginning. */
  readonly place: unknown;
}

export const NOTHING_ARRIVED: Arrival = { offsetBytes: 0, place: null };

/**
 * Files that arrive in pieces, anywhere in a fleet, and become blobs. What has arrived is what the caller has written down
 * (`Arrival`), not what the store finds: a writer that was given up may have left more. One writer at a time is the caller's business.
 * Ids are made by us.
 */
export interface PartialBlobs {
  /**
   * Adds bytes after those of `from`, and resolves with all that is durable then; `onDurable` is told now and then before. `bytes`
   * ends, it never throws. Memory does not grow with the size. Throws `Failure` INSUFFICIENT_STORAGE, SERVICE_UNAVAILABLE, and
   * UPLOAD_NOT_FOUND when what had arrived is gone.
   */
  append(
    id: string,
    from: Arrival,
    bytes: AsyncIterable<Buffer>,
    onDurable: (arrived: Arrival) => void,
  ): Promise<Arrival>;
  /** Removes what only `before` needed, once `now` is written down. */
  tidy(id: string, before: Arrival, now: Arrival): Promise<void>;
  /** Makes a whole file a blob. Done again after a crash it changes nothing. Throws UPLOAD_NOT_FOUND when its bytes are gone. */
  complete(id: string, arrived: Arrival, blobKey: string): Promise<void>;
  /** Removes all of it; no error when there is nothing. */
  remove(id: string, arrived: Arrival): Promise<void>;
  /** Removes what was begun before that time and is known to nobody. `known`: which of these ids somebody knows. */
  sweep(before: Date, known: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void>;
}
