/** Shares of hosts and clients in work that is queued in a table. */
import { Failure } from '../domain/errors.ts';

/** Number of running tasks for each host or client. */
export type Busy = ReadonlyMap<string, number>;

/** The host and port in the text of a URL column. Other notations of one host count as other hosts. */
export function hostOf(column: string): string {
  return `coalesce(substring(lower(${column}) from '^https?:[/\\\\]*([^/\\\\?#]*)'), '')`;
}

/** Two parameters for `unnest($1::text[], $2::integer[])`. */
export function busyArrays(busy: Busy): [names: string[], counts: number[]] {
  return [[...busy.keys()], [...busy.values()]];
}

/** Counts one running task more or less. */
export function countBusy(busy: Map<string, number>, name: string, change: 1 | -1): void {
  const count = (busy.get(name) ?? 0) + change;
  if (count === 0) busy.delete(name);
  else busy.set(name, count);
}

/** Limits one client to half of the total, which leaves the other half to others. Throws RATE_LIMITED. */
export function assertShare(
  subject: string,
  limit: number,
  { open, own }: { readonly open: number; readonly own: number },
): void {
  const share = Math.ceil(limit / 2);
  const retry = { retryAfterSeconds: 60 };
  if (open >= limit)
    throw new Failure(
      'RATE_LIMITED',
      `This service has ${limit} ${subject}, its limit. Try again later.`,
      retry,
    );
  if (own >= share)
    throw new Failure(
      'RATE_LIMITED',
      `This client has ${share} ${subject}, half of the limit of this service. Try again later.`,
      retry,
    );
}
