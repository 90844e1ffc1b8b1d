/**
 * One function for each statement about jobs. The `where` guards each state transition: a statement that changes nothing returns null,
 * and its caller finds out why. Each write of a running job is fenced by its attempt, so that a lost worker cannot overwrite its
 * successor. All times come from the database, one clock for all hosts.
 */
import type { Queryable } from '../../database/database.ts';
import { searchText } from '../../database/search-text.ts';
import {
  type LiveFrame,
  type Publication,
  STAGE_NAMES,
  type StageName,
  type VideoReference,
  type Warning,
} from '../../domain/stage.ts';
import type { TurnRequest } from '../queue/fair-queue.ts';
import type { Job, JobError, JobStatus, NewJob, VideoProduct } from './job.ts';
import { type JobRow, jobOf } from './job-row.ts';
import { insertJobVideos } from './job-videos.ts';
import { statusesBefore, TERMINAL_STATUSES } from './moves.ts';

export const JOB_CHANGED_CHANNEL = 'styledna_job_changed';

/** Sent at the commit to the watchers of the job and to its worker. */
const NOTIFY = `pg_notify('${JOB_CHANGED_CHANNEL}', job_id::text || ' ' || status)`;

const FENCE = `job_id = $1 and attempt = $2 and status = 'processing'`;

async function oneJob(db: Queryable, sql: string, parameters: readonly unknown[]): Promise<Job | null> {
  const [row] = await db.query<JobRow>(sql, parameters);
  return row === undefined ? null : jobOf(row);
}

export interface JobInsertion {
  readonly jobId: string;
  readonly request: NewJob;
  readonly retryOf: string | null;
  /** File name of the source. */
  readonly sourceFilename: string;
  readonly templateFilename: string | null;
  /** From `nextTurns`. */
  readonly turn: number;
}

/** Returns the new jobs by id. Columns are passed as arrays of text, because a JSON document cannot contain \u0000. */
export async function insertJobs(
  db: Queryable,
  insertions: readonly JobInsertion[],
): Promise<ReadonlyMap<string, Job>> {
  const column = (value: (insertion: JobInsertion) => string | null) => insertions.map(value);
  const [first] = await db.query<{ created_at: Date }>(
    `insert into jobs (job_id, video_id, template_video_id, given_style, config, webhook_url, retry_of, priority,
       warnings, client, turn, product, source_filename, template_filename, search, preset, origin, edit, style_id, style_name, status, created_at, updated_at, progress_updated_at)
     select a::uuid, b::uuid, c::uuid, d::json, e::json, f, g::uuid, h::integer, i::json, j, k::bigint, l::json, m, n, o, p, q::json, r::json, s::uuid, t, 'queued', now(), now(), now()
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[])
       as new (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
     returning created_at`,
    [
      column(({ jobId }) => jobId),
      column(({ request }) => request.videoId),
      column(({ request }) => request.templateVideoId),
      column(({ request: { givenStyle } }) => (givenStyle == null ? null : JSON.stringify(givenStyle))),
      column(({ request }) => JSON.stringify(request.config)),
      column(({ request }) => request.webhookUrl),
      column(({ retryOf }) => retryOf),
      column(({ request }) => String(request.priority)),
      column(({ request }) => JSON.stringify(request.warnings)),
      column(({ request }) => request.client),
      column(({ turn }) => String(turn)),
      column(({ request: { product } }) => (product == null ? null : JSON.stringify(product))),
      column(({ sourceFilename }) => sourceFilename),
      column(({ templateFilename }) => templateFilename),
      column(({ sourceFilename, templateFilename }) => searchText(sourceFilename, templateFilename)),
      column(({ request }) => request.preset ?? null),
      column(({ request: { origin } }) => (origin == null ? null : JSON.stringify(origin))),
      column(({ request: { edit } }) => (edit == null ? null : JSON.stringify(edit))),
      column(({ request }) => request.savedStyle?.styleId ?? null),
      column(({ request }) => request.savedStyle?.name ?? null),
    ],
  );
  await insertJobVideos(db, insertions);
  return new Map(insertions.map((insertion) => [insertion.jobId, newJobOf(insertion, first!.created_at)]));
}

/** Builds the job from its insertion: reading 30 columns back costs as much as writing them. */
function newJobOf({ jobId, request, retryOf, ...names }: JobInsertion, createdAt: Date): Job {
  return {
    jobId,
    videoId: request.videoId.toLowerCase(),
    templateVideoId: request.templateVideoId?.toLowerCase() ?? null,
    givenStyle: request.givenStyle ?? null,
    config: request.config,
    edit: request.edit ?? null,
    webhookUrl: request.webhookUrl,
    retryOf,
    createdAt,
    updatedAt: createdAt,
    progressUpdatedAt: createdAt,
    progressPercent: 0,
    warnings: request.warnings,
    attempt: 0,
    product: request.product ?? null,
    sourceFilename: names.sourceFilename,
    templateFilename: names.templateFilename,
    preset: request.preset ?? null,
    savedStyle: request.savedStyle ?? null,
    origin: request.origin ?? null,
    status: 'queued',
  };
}

export function selectJob(db: Queryable, jobId: string): Promise<Job | null> {
  return oneJob(db, 'select * from jobs where job_id = $1', [jobId]);
}

/** The existing ones of these jobs by id. */
export async function selectJobs(
  db: Queryable,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, Job>> {
  const rows = await db.query<JobRow>('select * from jobs where job_id = any($1::uuid[])', [jobIds]);
  return new Map(rows.map((row) => [row.job_id, jobOf(row)]));
}

/** What changes with each move and each progress of these jobs. */
export async function selectJobStates(
  db: Queryable,
  jobIds: readonly string[],
): Promise<readonly Pick<Job, 'jobId' | 'status' | 'attempt' | 'progressUpdatedAt'>[]> {
  const rows = await db.query<JobRow>(
    'select job_id, status, attempt, progress_updated_at from jobs where job_id = any($1::uuid[])',
    [jobIds],
  );
  return rows.map((row) => ({
    ...{ jobId: row.job_id, status: row.status },
    ...{ attempt: row.attempt, progressUpdatedAt: row.progress_updated_at },
  }));
}

/** The newest analysis or proxy of the video; null: there is none. */
export function selectLatestProduct(
  db: Queryable,
  { videoId, range }: Pick<VideoReference, 'videoId' | 'range'>,
  kind: VideoProduct,
): Promise<Job | null> {
  // A row of an earlier version has no range.
  return oneJob(
    db,
    `select * from jobs where video_id = $1 and product is not null and product->>'kind' = $2
       and coalesce((config->'source_range')::jsonb, 'null'::jsonb) = $3::jsonb
     order by created_at desc limit 1`,
    [videoId, kind, JSON.stringify(range ?? null)],
  );
}

/** The newest product that is queued or running and was requested by an equal request; null: there is none. */
export function selectEqualProduct(db: Queryable, request: NewJob): Promise<Job | null> {
  const { videoId, templateVideoId, product, config, edit, givenStyle } = request;
  const asText = (value: unknown) => (value == null ? null : JSON.stringify(value));
  return oneJob(
    db,
    `select * from jobs where video_id = $1 and template_video_id is not distinct from $2 and product is not null
       and status in ('queued', 'processing') and product::jsonb = $3::jsonb and config::jsonb = $4::jsonb
       and edit::jsonb is not distinct from $5::jsonb and given_style::jsonb is not distinct from $6::jsonb
     order by created_at desc limit 1`,
    [videoId, templateVideoId, asText(product), asText(config), asText(edit), asText(givenStyle)],
  );
}

/** The comparisons of a job's output, newest first. */
export async function selectComparisons(
  db: Queryable,
  { videoId, jobId }: Pick<Job, 'videoId' | 'jobId'>,
): Promise<readonly Job[]> {
  const rows = await db.query<JobRow>(
    `select * from jobs where video_id = $1 and product is not null and product->>'kind' = 'comparison'
       and product->>'jobId' = $2
     order by created_at desc`,
    [videoId, jobId],
  );
  return rows.map(jobOf);
}

/** Null: the job does not exist. */
export async function selectTurnRequest(db: Queryable, jobId: string): Promise<TurnRequest | null> {
  const [row] = await db.query<JobRow>('select client, priority from jobs where job_id = $1', [jobId]);
  return row === undefined ? null : { client: row.client, priority: row.priority };
}

/** The result of claiming a job. */
export interface Claim {
  readonly job: Job & { readonly status: 'processing' };
  /** Number of workers lost while running this job. */
  readonly workersLost: number;
  /** Why the previous worker stopped; null: this is the first worker. */
  readonly takenOver: 'lost' | 'handed_over' | null;
}

/**
 * Claims a queued job, or a `processing` one whose worker is lost according to the queue. Keeps stage, progress and `started_at` of an
 * earlier attempt.
 */
export async function claimJob(
  db: Queryable,
  jobId: string,
  workerId: string | null = null,
): Promise<Claim | null> {
  const [row] = await db.query<JobRow & { readonly before: string }>(
    `update jobs set
       status = 'processing',
       stage = coalesce(stage, $2),
       attempt = attempt + 1,
       workers_lost = workers_lost + case when status = 'processing' and not handed_over then 1 else 0 end,
       handed_over = false,
       frame = null,
       worker_id = $4,
       started_at = coalesce(started_at, now()),
       updated_at = case when status = 'processing' then updated_at else now() end
     where job_id = $1 and (status = any($3::text[]) or status = 'processing')
     returning *, ${NOTIFY},
       (select case when status = 'queued' then 'queued' when handed_over then 'handed_over' else 'lost' end
        from jobs as known where known.job_id = $1) as before`,
    [jobId, STAGE_NAMES[0], statusesBefore('processing'), workerId],
  );
  if (row === undefined) return null;
  const job = jobOf(row);
  if (job.status !== 'processing') return null;
  const takenOver = row.before === 'lost' || row.before === 'handed_over' ? row.before : null;
  return { job, workersLost: row.workers_lost, takenOver };
}

/** Stores the warnings of a finished stage and moves the job to the next one. */
export function advanceJob(
  db: Queryable,
  jobId: string,
  attempt: number,
  next: {
    readonly stage: StageName;
    readonly progressPercent: number;
    readonly warnings: readonly Warning[];
  },
): Promise<Job | null> {
  return oneJob(
    db,
    `update jobs set stage = $3, progress_percent = greatest(progress_percent, $4), progress_updated_at = now(),
       warnings = $5
     where ${FENCE} returning *, ${NOTIFY}`,
    [jobId, attempt, next.stage, next.progressPercent, JSON.stringify(next.warnings)],
  );
}

/** Progress of a running attempt. */
export interface Progress {
  /** Percent of the whole job; a smaller value than before is ignored. */
  readonly percent: number;
  readonly frame: LiveFrame | null;
}

/** Returns false when this attempt no longer holds the job. */
export async function writeProgress(
  db: Queryable,
  jobId: string,
  attempt: number,
  { percent, frame }: Progress,
): Promise<boolean> {
  const rows = await db.query(
    `update jobs set progress_percent = greatest(progress_percent, $3), progress_updated_at = now(),
       frame = $4
     where ${FENCE} returning ${NOTIFY}`,
    [jobId, attempt, percent, frame === null ? null : JSON.stringify(frame)],
  );
  return rows.length > 0;
}

/** Returns status and attempt of a job; null when it has been deleted. */
export async function selectHolder(
  db: Queryable,
  jobId: string,
): Promise<{ readonly status: JobStatus; readonly attempt: number } | null> {
  const [row] = await db.query<JobRow>('select status, attempt from jobs where job_id = $1', [jobId]);
  return row === undefined ? null : { status: row.status, attempt: row.attempt };
}

/** Like `selectHolder`, after waiting for transactions that are changing the job. */
export async function selectSettledHolder(
  db: Queryable,
  jobId: string,
): Promise<{ readonly status: JobStatus; readonly attempt: number } | null> {
  const [row] = await db.query<JobRow>('select status, attempt from jobs where job_id = $1 for share', [
    jobId,
  ]);
  return row === undefined ? null : { status: row.status, attempt: row.attempt };
}

/** Returns the job to the queue at a shutdown: the next attempt does not count this worker as lost. */
export async function handOverJob(db: Queryable, jobId: string, attempt: number): Promise<boolean> {
  const rows = await db.query(`update jobs set handed_over = true where ${FENCE} returning job_id`, [
    jobId,
    attempt,
  ]);
  return rows.length > 0;
}

export function completeJob(
  db: Queryable,
  jobId: string,
  attempt: number,
  end: {
    readonly publication: Publication;
    readonly warnings: readonly Warning[];
    /** Retention of the result; null: unlimited. */
    readonly keepDays?: number | null;
  },
): Promise<Job | null> {
  return oneJob(
    db,
    `update jobs set status = 'completed', stage = null, progress_percent = 100, publication = $3, warnings = $4,
       completed_at = greatest(now(), started_at), updated_at = now(), progress_updated_at = now(),
       expires_at = greatest(now(), started_at) + $6::double precision * interval '1 day'
     where ${FENCE} and status = any($5::text[]) returning *, ${NOTIFY}`,
    [
      jobId,
      attempt,
      JSON.stringify(end.publication),
      JSON.stringify(end.warnings),
      statusesBefore('completed'),
      end.keepDays ?? null,
    ],
  );
}

export function failJob(
  db: Queryable,
  jobId: string,
  attempt: number,
  end: { readonly error: JobError; readonly warnings: readonly Warning[] },
): Promise<Job | null> {
  return oneJob(
    db,
    `update jobs set status = 'failed', stage = null, error = $3, warnings = $4,
       completed_at = greatest(now(), started_at), updated_at = now()
     where ${FENCE} and status = any($5::text[]) returning *, ${NOTIFY}`,
    [jobId, attempt, JSON.stringify(end.error), JSON.stringify(end.warnings), statusesBefore('failed')],
  );
}

export async function cancelJob(db: Queryable, jobId: string): Promise<Job | null> {
  return (await cancelJobs(db, [jobId])).get(jobId) ?? null;
}

/**
 * Cancels those jobs that can be cancelled and returns them by id. Rows are locked ordered by status, like the rows of `job_counts`, so
 * that two such statements cannot deadlock.
 */
export async function cancelJobs(
  db: Queryable,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, Job>> {
  const rows = await db.query<JobRow>(
    `with locked as (select job_id from jobs where job_id = any($1::uuid[]) and status = any($2::text[])
       order by status, job_id for update)
     update jobs set status = 'cancelled', stage = null, completed_at = greatest(now(), started_at), updated_at = now()
     from locked where jobs.job_id = locked.job_id
     returning jobs.*, pg_notify('${JOB_CHANGED_CHANNEL}', jobs.job_id::text || ' ' || status)`,
    [jobIds, statusesBefore('cancelled')],
  );
  return new Map(rows.map((row) => [row.job_id, jobOf(row)]));
}

/** Terminal jobs only. */
export function deleteJob(db: Queryable, jobId: string): Promise<Job | null> {
  return oneJob(
    db,
    `delete from jobs where job_id = $1 and status = any($2::text[]) returning *, ${NOTIFY}`,
    [jobId, TERMINAL_STATUSES],
  );
}
