import type { Queryable } from '../database/database.ts';
import type { IdempotencyKey, StoredResponse } from './idempotency.ts';

/** A claim whose owner has not renewed it for this long belongs to a process that has ended. */
export const CLAIM_SECONDS = 30;

/**
 * Claims a key: if it is new, has expired, or its claim is stale. `isHeld`: another request of the same owner
 * holds it. A claim of the owner that is not held may be claimed again.
 */
export async function claimKey(
  db: Queryable,
  key: IdempotencyKey,
  by: { readonly owner: string; readonly isHeld: boolean },
  retentionSeconds: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into idempotency_keys as known (key, request_hash, owner, claimed_at, created_at)
     values ($1, $2, $3, now(), now())
     on conflict (key) do update set request_hash = excluded.request_hash, owner = excluded.owner,
       claimed_at = now(), created_at = now(), answer_status = null, answer_body = null
     where (known.answer_status is not null and known.created_at < now() - $4 * interval '1 second')
       or (known.answer_status is null and (known.claimed_at < now() - $5 * interval '1 second'
         or (known.owner = excluded.owner and not $6::boolean)))
     returning key`,
    [key.key, key.requestHash, by.owner, retentionSeconds, CLAIM_SECONDS, by.isHeld],
  );
  return rows.length > 0;
}

export interface KnownKey {
  readonly requestHash: string;
  readonly response: StoredResponse | null;
}

export async function selectKey(db: Queryable, key: string): Promise<KnownKey | null> {
  const [row] = await db.query<{
    request_hash: string;
    answer_status: number | null;
    answer_body: unknown;
  }>('select request_hash, answer_status, answer_body from idempotency_keys where key = $1', [key]);
  if (row === undefined) return null;
  const response = row.answer_status === null ? null : { status: row.answer_status, body: row.answer_body };
  return { requestHash: row.request_hash, response };
}

/** False when another process has claimed the key. */
export async function storeResponse(
  db: Queryable,
  key: IdempotencyKey,
  owner: string,
  response: StoredResponse,
): Promise<boolean> {
  const rows = await db.query(
    `insert into idempotency_keys as known
       (key, request_hash, owner, claimed_at, created_at, answer_status, answer_body)
     values ($1, $2, $3, now(), now(), $4, $5)
     on conflict (key) do update set answer_status = excluded.answer_status, answer_body = excluded.answer_body
     where known.request_hash = excluded.request_hash and known.owner = excluded.owner and known.answer_status is null
     returning key`,
    [key.key, key.requestHash, owner, response.status, JSON.stringify(response.body)],
  );
  return rows.length > 0;
}

export async function releaseKey(db: Queryable, key: IdempotencyKey, owner: string): Promise<void> {
  await db.query(
    'delete from idempotency_keys where key = $1 and request_hash = $2 and owner = $3 and answer_status is null',
    [key.key, key.requestHash, owner],
  );
}

export async function renewClaims(db: Queryable, owner: string, keys: readonly string[]): Promise<void> {
  await db.query(
    'update idempotency_keys set claimed_at = now() where owner = $1 and answer_status is null and key = any($2::text[])',
    [owner, keys],
  );
}

/** For an embedded database, which no other process can use: the owner of each claim has ended. */
export async function dropAllClaims(db: Queryable): Promise<void> {
  await db.query('delete from idempotency_keys where answer_status is null');
}

export async function deleteOldKeys(db: Queryable, retentionSeconds: number): Promise<void> {
  await db.query(
    `delete from idempotency_keys where created_at < now() - $1 * interval '1 second'
       and (answer_status is not null or claimed_at < now() - $2 * interval '1 second')`,
    [retentionSeconds, CLAIM_SECONDS],
  );
}
