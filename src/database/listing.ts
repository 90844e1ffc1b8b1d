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

/** A stretch of the newest-first list, and from which end it is nearer. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
  readonly direction: 'desc' | 'asc';
}

/** What is skipped costs time, so the second half of a long list is reached from its end. */
export function nearestStretch(offset: number, limit: number, total: number): Stretch {
  const fromEnd = Math.max(0, total - offset - limit);
  if (fromEnd >= offset || offset >= total) return { offset, limit, direction: 'desc' };
  return { offset: fromEnd, limit: Math.min(limit, total - offset), direction: 'asc' };
}
