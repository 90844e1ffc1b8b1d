/** Statements that look at many jobs at once. */
import type { Queryable } from '../database/database.ts';
import { type Cursor, cursorAfter, readCursor } from './cursor.ts';
import type { Job, JobFilter, Listing, ListRequest, QueueFigures } from './job.ts';
import { type JobRow, jobOf } from './job-row.ts';

const FILTER_COLUMNS = {
  status: 'status',
  videoId: 'video_id',
  templateVideoId: 'template_video_id',
} as const satisfies Record<keyof JobFilter, string>;

/** The conditions of a filter, each with its parameter; pure. */
export function filterSql(filter: JobFilter): { conditions: string[]; parameters: unknown[] } {
  const conditions: string[] = [];
  const parameters: unknown[] = [];
  for (const [name, column] of Object.entries(FILTER_COLUMNS)) {
    const value = filter[name as keyof JobFilter];
    if (value === undefined) continue;
    parameters.push(value);
    conditions.push(`${column} = $${parameters.length}`);
  }
  return { conditions, parameters };
}

/** Newest first. One more than the page is read, to know whether another follows. */
export async function listJobs(db: Queryable, request: ListRequest<JobFilter>): Promise<Listing<Job>> {
  const cursor = request.cursor === undefined ? null : readCursor(request.cursor);
  const total = await countJobs(db, request.filter);
  const rows = await selectPage(db, request, cursor);
  const items = rows.slice(0, request.pageSize).map(jobOf);
  const last = items.at(-1);
  const nextCursor =
    rows.length > request.pageSize && last !== undefined ? cursorAfter(last.createdAt, last.jobId) : null;
  return { items, total, nextCursor };
}

async function countJobs(db: Queryable, filter: JobFilter): Promise<number> {
  const { conditions, parameters } = filterSql(filter);
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const [row] = await db.query<{ total: number }>(`select count(*) as total from jobs ${where}`, parameters);
  return row!.total;
}

async function selectPage(
  db: Queryable,
  request: ListRequest<JobFilter>,
  cursor: Cursor | null,
): Promise<JobRow[]> {
  const { conditions, parameters } = filterSql(request.filter);
  if (cursor !== null) {
    parameters.push(cursor.createdAt, cursor.id);
    conditions.push(`(created_at, job_id) < ($${parameters.length - 1}, $${parameters.length})`);
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const offset = cursor === null ? (request.page - 1) * request.pageSize : 0;
  parameters.push(request.pageSize + 1, offset);
  // The ids of the page come from the index alone; only the page itself is read from the table.
  return db.query<JobRow>(
    `select jobs.* from (
       select job_id from jobs ${where} order by created_at desc, job_id desc
       limit $${parameters.length - 1} offset $${parameters.length}
     ) as page join jobs using (job_id)
     order by jobs.created_at desc, jobs.job_id desc`,
    parameters,
  );
}

export async function countQueued(db: Queryable): Promise<number> {
  const [row] = await db.query<{ queued: number }>(
    `select count(*) as queued from jobs where status = 'queued'`,
  );
  return row!.queued;
}

/** From 1; null when the job is not queued. */
export async function queuePosition(db: Queryable, jobId: string): Promise<number | null> {
  const [row] = await db.query<{ position: number }>(
    `select 1 + count(ahead.job_id) as position
     from jobs as mine left join jobs as ahead
       on ahead.status = 'queued'
       and (-ahead.priority, ahead.created_at, ahead.job_id) < (-mine.priority, mine.created_at, mine.job_id)
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
  }>(
    `select
       (select count(*) from jobs where status = 'queued') as queued,
       (select count(*) from jobs where status = 'processing') as processing,
       (select extract(epoch from now() - min(created_at))::double precision from jobs where status = 'queued') as oldest,
       (select count(*) from workers where seen_at > now() - interval '30 seconds') as workers`,
  );
  const { queued, processing, oldest, workers } = row!;
  return {
    queued,
    processing,
    oldestQueuedSeconds: oldest === null ? null : Math.max(0, oldest),
    workers,
  };
}
