import type { Queryable } from '../../database/database.ts';

/** Notified when parts become available; the payload is the job's id. */
export const PARTS_CHANNEL = 'job_parts';

/** A hold that has not been renewed for this long is lost: another worker gets the part. */
const HOLD_SECONDS = 10;
/** After this many failed tries a part is left to the job's own worker, which can report the error. */
const MAX_TRIES = 3;

/** A part of a job's current stage, held by one worker. */
export interface HeldPart {
  readonly jobId: string;
  /** Identifies the division into parts: parts of another plan are different parts. */
  readonly plan: string;
  readonly part: number;
  /** Unique for this hold. */
  readonly holder: string;
  /** Whether the previous hold had expired. */
  readonly isTakenOver: boolean;
}

interface PartRow extends Record<string, unknown> {
  readonly job_id: string;
  readonly plan: string;
  readonly part: number;
}

/**
 * Creates the parts of a plan if they do not exist, and deletes parts of other plans. Does nothing when the attempt no longer holds the
 * job.
 */
export async function openParts(
  transaction: Queryable,
  job: { readonly jobId: string; readonly attempt: number },
  plan: string,
  count: number,
): Promise<void> {
  await transaction.query('delete from job_parts where job_id = $1 and plan <> $2', [job.jobId, plan]);
  await transaction.query(
    `insert into job_parts (job_id, plan, part)
     select job_id, $3, part from jobs, generate_series(0, $4::integer - 1) as part
     where job_id = $1 and attempt = $2 and status = 'processing'
     on conflict do nothing`,
    [job.jobId, job.attempt, plan, count],
  );
  await transaction.query('select pg_notify($1, $2)', [PARTS_CHANNEL, job.jobId]);
}

/** Claims a free part of a running job; `jobId` null: of any job, oldest first. Null: there is none. */
export async function claimPart(
  db: Queryable,
  holder: string,
  jobId: string | null,
): Promise<HeldPart | null> {
  const [row] = await db.query<PartRow & { taken_over: boolean }>(
    `update job_parts set holder = $1, held_until = now() + make_interval(secs => $2), tries = tries + 1
     from (
       select parts.job_id, parts.part, parts.held_until is not null as taken_over from job_parts as parts join jobs on jobs.job_id = parts.job_id
       where parts.result is null and (parts.held_until is null or parts.held_until < now())
         and jobs.status = 'processing'
         and (parts.job_id = $3::uuid or ($3::uuid is null and parts.tries < $4))
       order by parts.job_id, parts.part limit 1 for update of parts skip locked
     ) as free
     where job_parts.job_id = free.job_id and job_parts.part = free.part
     returning job_parts.job_id, plan, job_parts.part, free.taken_over`,
    [holder, HOLD_SECONDS, jobId, MAX_TRIES],
  );
  if (row === undefined) return null;
  return { jobId: row.job_id, plan: row.plan, part: row.part, holder, isTakenOver: row.taken_over };
}

/** Returns false when the hold is lost: the job is not running any more, or another worker holds the part. */
export async function renewPart(db: Queryable, { jobId, part, holder }: HeldPart): Promise<boolean> {
  const rows = await db.query(
    `update job_parts set held_until = now() + make_interval(secs => $4)
     where job_id = $1 and part = $2 and holder = $3 and result is null
       and exists (select from jobs where jobs.job_id = $1 and status = 'processing')
     returning part`,
    [jobId, part, holder, HOLD_SECONDS],
  );
  return rows.length > 0;
}

/** Returns false when the hold was lost: the result of another worker counts. */
export async function finishPart(
  db: Queryable,
  { jobId, part, holder }: HeldPart,
  result: unknown,
): Promise<boolean> {
  const rows = await db.query(
    `update job_parts set result = $4 where job_id = $1 and part = $2 and holder = $3 and result is null
     returning part`,
    [jobId, part, holder, JSON.stringify(result)],
  );
  return rows.length > 0;
}

/** Releases a part that was not finished. */
export async function releasePart(db: Queryable, { jobId, part, holder }: HeldPart): Promise<void> {
  await db.query(
    `update job_parts set held_until = null where job_id = $1 and part = $2 and holder = $3 and result is null
     returning pg_notify($4, $1::text)`,
    [jobId, part, holder, PARTS_CHANNEL],
  );
}

/** Results of the parts, in order; null: not finished. */
export async function selectPartResults(db: Queryable, jobId: string): Promise<readonly unknown[]> {
  const rows = await db.query<{ result: unknown }>(
    'select result from job_parts where job_id = $1 order by part',
    [jobId],
  );
  return rows.map(({ result }) => result);
}

export async function deleteParts(db: Queryable, jobId: string): Promise<void> {
  await db.query('delete from job_parts where job_id = $1', [jobId]);
}

/** Deletes parts of jobs that have ended. */
export async function deleteEndedParts(db: Queryable): Promise<void> {
  await db.query(
    `delete from job_parts using jobs where jobs.job_id = job_parts.job_id and jobs.status <> 'processing'`,
  );
}

/** For an embedded database, which no other process can use: all holds belong to ended processes. */
export async function releaseAllParts(db: Queryable): Promise<void> {
  await db.query('update job_parts set held_until = null where held_until is not null');
}
