/** Statements of retention. Times come from the caller, because retention has its own clock. */
import type { Queryable } from '../database/database.ts';

/** Expired videos, by id. An active job may still need one of them. */
export async function selectDueVideos(db: Queryable, now: Date, after: string, limit: number) {
  const rows = await db.query<{ video_id: string }>(
    `select video_id from videos where expires_at <= $1 and expired_at is null and video_id > $2
     order by video_id limit $3`,
    [now, after, limit],
  );
  return rows.map((row) => row.video_id);
}

/** The row stays, so that clients read that the video has expired. */
export async function markVideoExpired(db: Queryable, videoId: string, now: Date): Promise<void> {
  await db.query('update videos set expired_at = $2 where video_id = $1', [videoId, now]);
}

/** Marks expired results as removed; returns the ids of their jobs. */
export async function expireResults(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ job_id: string }>(
    `update jobs set expired_at = $1, publication = null where job_id in (
       select job_id from jobs where expires_at <= $1 and expired_at is null limit $2 for update skip locked
     ) returning job_id`,
    [now, limit],
  );
  return rows.map((row) => row.job_id);
}

/** Removes rows of products that ended before a time; returns their ids. */
export async function deleteEndedProducts(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ job_id: string }>(
    `delete from jobs where job_id in (
       select job_id from jobs where product is not null and completed_at < $1 limit $2 for update skip locked
     ) returning job_id`,
    [before, limit],
  );
  return rows.map((row) => row.job_id);
}

/** Whether a video that has not expired has this content. */
export async function isContentInUse(db: Queryable, sha256: string): Promise<boolean> {
  const rows = await db.query('select 1 from videos where sha256 = $1 and expired_at is null limit 1', [
    sha256,
  ]);
  return rows.length > 0;
}

/** For each kind of owner: which of these ids may own blobs. */
const SELECT_OWNERS = {
  // A complete upload becomes a video of the same id when its client returns.
  video: `select video_id::text as id from videos where video_id = any($1::uuid[]) and expired_at is null
          union all select upload_id::text from uploads where upload_id = any($1::uuid[]) and ended is null`,
  style: `select style_id::text as id from styles where style_id = any($1::uuid[])`,
  job: `select job_id::text as id from jobs where job_id = any($1::uuid[]) and expired_at is null
          and status in ('queued', 'processing', 'completed')`,
  content: `select distinct sha256 as id from videos where sha256 = any($1::text[]) and expired_at is null`,
} as const;

export async function selectOwners(
  db: Queryable,
  kind: keyof typeof SELECT_OWNERS,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(SELECT_OWNERS[kind], [ids]);
  return new Set(rows.map((row) => row.id));
}
