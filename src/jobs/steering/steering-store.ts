/** One function for each SQL statement about steering. */
import type { Queryable, Row } from '../../database/database.ts';
import { decideShared, sharedSetting } from '../../database/shared-settings.ts';
import type { StageName } from '../../domain/stage.ts';
import type { RunningView, WaitingView, WorkerView } from './steering.ts';

/** Notified after each change; receivers read the new state. */
export const STEERING_CHANNEL = 'styledna_queue_steered';

/** The shared setting with the time since when the queue is paused; empty: it is not. */
const PAUSED_SINCE = 'queue_paused_since';

const SILENT = `seen_at <= now() - interval '30 seconds'`;

export async function notifySteering(db: Queryable): Promise<void> {
  await db.query(`select pg_notify('${STEERING_CHANNEL}', '')`);
}

export async function selectPausedSince(db: Queryable): Promise<Date | null> {
  const since = await sharedSetting(db, PAUSED_SINCE);
  return since === null || since === '' ? null : new Date(since);
}

/** The time of an already paused queue does not change. */
export async function pauseQueue(db: Queryable, now: Date): Promise<void> {
  if ((await selectPausedSince(db)) === null) await decideShared(db, PAUSED_SINCE, now.toISOString());
}

export function resumeQueue(db: Queryable): Promise<void> {
  return decideShared(db, PAUSED_SINCE, '');
}

/** Returns false when the worker does not exist. */
export async function setDraining(db: Queryable, workerId: string, isDraining: boolean): Promise<boolean> {
  const rows = await db.query('update workers set draining = $2 where worker_id = $1 returning worker_id', [
    workerId,
    isDraining,
  ]);
  return rows.length > 0;
}

/** Whether a worker may claim jobs now: two reads by primary key. */
export async function canTakeJobs(db: Queryable, workerId: string): Promise<boolean> {
  const [row] = await db.query<{ may: boolean }>(
    `select not exists (select 1 from shared_settings where name = '${PAUSED_SINCE}' and value <> '')
       and not exists (select 1 from workers where worker_id = $1 and draining) as may`,
    [workerId],
  );
  return row!.may;
}

interface WorkerRow extends Row {
  readonly worker_id: string;
  readonly host: string;
  readonly pid: number;
  readonly concurrency: number;
  readonly running: number;
  readonly draining: boolean;
  readonly silent: boolean;
  readonly started_at: Date;
  readonly seen_at: Date;
}

export async function selectWorkers(db: Queryable): Promise<WorkerView[]> {
  const rows = await db.query<WorkerRow>(
    `select worker_id, host, pid, concurrency, draining, ${SILENT} as silent, started_at, seen_at,
       (select count(*) from jobs where status = 'processing' and jobs.worker_id = workers.worker_id) as running
     from workers order by started_at, worker_id`,
  );
  return rows.map((row) => ({
    workerId: row.worker_id,
    host: row.host,
    pid: row.pid,
    concurrency: row.concurrency,
    running: row.running,
    state: row.silent ? 'silent' : !row.draining ? 'working' : row.running > 0 ? 'draining' : 'drained',
    startedAt: row.started_at,
    seenAt: row.seen_at,
  }));
}

interface RunningRow extends Row {
  readonly job_id: string;
  readonly worker_id: string | null;
  readonly stage: StageName;
  readonly progress_percent: number;
  readonly attempt: number;
  readonly priority: number;
  readonly started_at: Date;
}

export async function selectRunning(db: Queryable, limit: number): Promise<RunningView[]> {
  const rows = await db.query<RunningRow>(
    `select job_id, worker_id, stage, progress_percent, attempt, priority, started_at from jobs
     where status = 'processing' order by started_at, job_id limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    jobId: row.job_id,
    workerId: row.worker_id,
    stage: row.stage,
    progressPercent: row.progress_percent,
    attempt: row.attempt,
    priority: row.priority,
    startedAt: row.started_at,
  }));
}

/** In the order of the index `jobs_waiting`. */
export async function selectNext(db: Queryable, limit: number): Promise<WaitingView[]> {
  const rows = await db.query<{ job_id: string; priority: number; created_at: Date }>(
    `select job_id, priority, created_at from jobs where status = 'queued'
     order by priority desc, turn, created_at, job_id limit $1`,
    [limit],
  );
  return rows.map((row) => ({ jobId: row.job_id, priority: row.priority, createdAt: row.created_at }));
}

/** Locks a queued job until the end of the transaction and returns its client; null when it is not queued. */
export async function lockQueued(db: Queryable, jobId: string): Promise<{ readonly client: string } | null> {
  const [row] = await db.query<{ client: string }>(
    `select client from jobs where job_id = $1 and status = 'queued' for update`,
    [jobId],
  );
  return row ?? null;
}

export async function moveQueued(
  db: Queryable,
  jobId: string,
  place: { readonly priority: number; readonly turn: number },
): Promise<void> {
  await db.query('update jobs set priority = $2, turn = $3 where job_id = $1', [
    jobId,
    place.priority,
    place.turn,
  ]);
}
