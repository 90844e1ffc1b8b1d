import type { z } from 'zod';
import type { Listing, ListRequest } from '../../database/listing.ts';
import type { pageQuery } from '../contract/contract.ts';

type PageQuery = z.output<typeof pageQuery>;

export function listRequest<F>(query: PageQuery, filter: F): ListRequest<F> {
  return {
    filter,
    page: query.page,
    pageSize: query.page_size,
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
}

export function listingResponse(listing: Listing<unknown>, query: PageQuery) {
  return {
    total: listing.total,
    page: query.page,
    page_size: query.page_size,
    next_cursor: listing.nextCursor,
  };
}
