import type { Queryable } from '../../database/database.ts';

export interface WorkerIdentity {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  readonly concurrency: number;
}

export async function upsertWorker(db: Queryable, worker: WorkerIdentity): Promise<void> {
  await db.query(
    `insert into workers (worker_id, host, pid, concurrency, seen_at) values ($1, $2, $3, $4, now())
     on conflict (worker_id) do update set seen_at = now()`,
    [worker.workerId, worker.host, worker.pid, worker.concurrency],
  );
}

export async function deleteWorker(db: Queryable, workerId: string): Promise<void> {
  await db.query('delete from workers where worker_id = $1', [workerId]);
}

/** Deletes workers without a heartbeat for an hour. */
export async function deleteSilentWorkers(db: Queryable): Promise<void> {
  await db.query(`delete from workers where seen_at < now() - interval '1 hour'`);
}

/** For an embedded database, which no other process can use: all workers in it have ended. */
export async function deleteAllWorkers(db: Queryable): Promise<void> {
  await db.query('delete from workers');
}
