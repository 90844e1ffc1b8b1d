/** Statements over many jobs. */
import { type Cursor, cursorAfter, readCursor } from '../../database/cursor.ts';
import type { Queryable } from '../../database/database.ts';
import { type Listing, type ListRequest, rangeFromNearerEnd } from '../../database/listing.ts';
import { searchText } from '../../database/search-text.ts';
import type { Job, JobFilter, JobStatus, QueueFigures } from '../model/job.ts';
import { type JobRow, jobOf } from '../model/job-row.ts';
import { selectEditsOf } from '../model/job-videos.ts';

/** SQL conditions, each as a function of its parameter's placeholder. */
const CONDITIONS = {
  status: (place) => `status = any(${place}::text[])`,
  videoId: (place) => `video_id = ${place}`,
  templateVideoId: (place) => `template_video_id = ${place}`,
  styleId: (place) => `style_id = ${place}`,
  preset: (place) => `preset = ${place}`,
  text: (place) => `strpos(search, ${place}) > 0`,
} as const satisfies Record<keyof JobFilter, (place: string) => string>;

/** A filter with the edits that have `videoId` as a take. */
interface JobSelection extends JobFilter {
  readonly editIds: readonly string[];
}

/** Builds the SQL conditions of a filter with their parameters; pure. */
function filterSql({ editIds, ...filter }: JobSelection): {
  conditions: string[];
  parameters: unknown[];
} {
  const conditions: string[] = ['product is null'];
  const parameters: unknown[] = [];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = filter[name as keyof JobFilter];
    if (value === undefined) continue;
    parameters.push(name === 'text' ? searchText(String(value)) : value);
    const sql = condition(`$${parameters.length}`);
    // Without edits the condition is plain, so that an index has the jobs of the video in their order.
    const isOfTake = name === 'videoId' && editIds.length > 0;
    conditions.push(isOfTake ? `(${sql} or job_id = any($${parameters.push(editIds)}::uuid[]))` : sql);
  }
  return { conditions, parameters };
}

/** Returns a page, newest first. Reads one row more than the page has, to know whether another page follows. */
export async function listJobs(db: Queryable, request: ListRequest<JobFilter>): Promise<Listing<Job>> {
  const cursor = request.cursor === undefined ? null : readCursor(request.cursor);
  const { filter } = request;
  const editIds = filter.videoId === undefined ? [] : await selectEditsOf(db, filter.videoId);
  const selection = { ...filter, editIds };
  const total = await countJobs(db, selection);
  const rows = await selectPage(db, { ...request, filter: selection }, cursor, total);
  const items = rows.slice(0, request.pageSize).map(jobOf);
  const last = items.at(-1);
  const nextCursor =
    rows.length > request.pageSize && last !== undefined ? cursorAfter(last.createdAt, last.jobId) : null;
  return { items, total, nextCursor };
}

/** Counts by status come from `job_counts`; other filters are counted from an index. */
async function countJobs(db: Queryable, filter: JobSelection): Promise<number> {
  const { conditions, parameters } = filterSql(filter);
  const { status, editIds: _editIds, ...others } = filter;
  if (Object.keys(others).length === 0) return countByStatus(db, status ?? null);
  const where = `where ${conditions.join(' and ')}`;
  const [row] = await db.query<{ total: number }>(`select count(*) as total from jobs ${where}`, parameters);
  return row!.total;
}

/** Exact: triggers update `job_counts` in the transaction of each change. Null: all jobs except products. */
async function countByStatus(db: Queryable, statuses: readonly JobStatus[] | null): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select coalesce(sum(jobs), 0)::bigint as total from job_counts
     where status = any($1::text[]) or ($1::text[] is null and status not like 'product %')`,
    [statuses],
  );
  return row!.total;
}

async function selectPage(
  db: Queryable,
  request: ListRequest<JobSelection>,
  cursor: Cursor | null,
  total: number,
): Promise<JobRow[]> {
  const { status: statuses, ...others } = request.filter;
  const { conditions, parameters } = filterSql(others);
  if (cursor !== null) {
    parameters.push(cursor.createdAt, cursor.id);
    conditions.push(`(created_at, job_id) < ($${parameters.length - 1}, $${parameters.length})`);
  }
  const where = `where ${conditions.join(' and ')}`;
  const { offset, limit, direction } =
    cursor === null
      ? rangeFromNearerEnd((request.page - 1) * request.pageSize, request.pageSize + 1, total)
      : ({ offset: 0, limit: request.pageSize + 1, direction: 'desc' } as const);
  parameters.push(limit, offset);
  const [limitPlace, offsetPlace] = [`$${parameters.length - 1}`, `$${parameters.length}`];
  const order = `order by created_at ${direction}, job_id ${direction}`;
  // An index has the newest jobs of each single status, but not of several together.
  const found =
    statuses === undefined
      ? `jobs ${where}`
      : `unnest($${parameters.push(statuses)}::text[]) as wanted (wanted_status) cross join lateral (
           select job_id, created_at from jobs ${where} and status = wanted_status ${order}
           limit ${limitPlace}::bigint + ${offsetPlace}::bigint
         ) as of_status`;
  // The ids of the page come from the index alone; only the rows of the page are read from the table.
  return db.query<JobRow>(
    `select jobs.* from (
       select job_id from ${found} ${order} limit ${limitPlace}::bigint offset ${offsetPlace}::bigint
     ) as page join jobs using (job_id)
     order by jobs.created_at desc, jobs.job_id desc`,
    parameters,
  );
}

/** Includes products, which wait in the same queue. */
export async function countQueued(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select coalesce(sum(jobs), 0)::bigint as total from job_counts where status in ('queued', 'product queued')`,
  );
  return row!.total;
}

/** From 1; null when the job is not queued. */
export async function queuePosition(db: Queryable, jobId: string): Promise<number | null> {
  const [row] = await db.query<{ position: number }>(
    `select 1 + count(ahead.job_id) as position
     from jobs as mine left join jobs as ahead
       on ahead.status = 'queued'
       and (-ahead.priority, ahead.turn, ahead.created_at, ahead.job_id)
         < (-mine.priority, mine.turn, mine.created_at, mine.job_id)
     where mine.job_id = $1 and mine.status = 'queued'
     group by mine.job_id`,
    [jobId],
  );
  return row?.position ?? null;
}

export async function queueFigures(db: Queryable): Promise<QueueFigures> {
  const [row] = await db.query<{
    queued: number;
    processing: number;
    oldest: number | null;
    workers: number;
    silent: number;
    draining: number;
    paused: boolean;
    slots: number;
    webhooks: number;
  }>(
    `select
       (select coalesce(sum(jobs), 0)::bigint from job_counts where status in ('queued', 'product queued')) as queued,
       (select coalesce(sum(jobs), 0)::bigint from job_counts where status in ('processing', 'product processing')) as processing,
       (select extract(epoch from now() - min(created_at))::double precision from jobs where status = 'queued') as oldest,
       (select count(*) from webhook_deliveries where state = 'pending') as webhooks,
       (select count(*) from workers where seen_at > now() - interval '30 seconds' and not draining) as workers,
       (select count(*) from workers where seen_at > now() - interval '30 seconds' and draining) as draining,
       exists (select 1 from shared_settings where name = 'queue_paused_since' and value <> '') as paused,
       (select count(*) from workers where seen_at <= now() - interval '30 seconds') as silent,
       (select coalesce(sum(concurrency), 0)::bigint from workers
        where seen_at > now() - interval '30 seconds' and not draining) as slots`,
  );
  const { queued, processing, oldest, workers, silent, slots, webhooks, draining, paused } = row!;
  return {
    queued,
    processing,
    oldestQueuedSeconds: oldest === null ? null : Math.max(0, oldest),
    isPaused: paused,
    workers,
    drainingWorkers: draining,
    silentWorkers: silent,
    slots,
    pendingWebhooks: webhooks,
  };
}
