/** Pages of a long list. */

/** Either a page number or the item before the page (keyset). Newest first. */
export interface ListRequest<F> {
  readonly filter: F;
  readonly page: number;
  readonly pageSize: number;
  /** Opaque, from an earlier answer; overrides `page`. */
  readonly cursor?: string;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A range of the newest-first list, read from its nearer end. */
export interface ListRange {
  readonly offset: number;
  readonly limit: number;
  readonly direction: 'desc' | 'asc';
}

/** Skipped rows cost time, so the second half of a long list is read from its end. */
export function rangeFromNearerEnd(offset: number, limit: number, total: number): ListRange {
  const fromEnd = Math.max(0, total - offset - limit);
  if (fromEnd >= offset || offset >= total) return { offset, limit, direction: 'desc' };
  return { offset: fromEnd, limit: Math.min(limit, total - offset), direction: 'asc' };
}
