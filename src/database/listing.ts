/** Pages of a long list. */

/** Either a page number or the item after which to go on (keyset). Newest first. */
export interface ListRequest<F> {
  readonly filter: F;
  readonly page: number;
  readonly pageSize: number;
  /** Opaque, as an earlier answer gave it; overrides `page`. */
  readonly cursor?: string;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}
