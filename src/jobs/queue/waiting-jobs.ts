import type { Queryable } from '../../database/database.ts';
import type { JobQueue } from './queue.ts';

/** Whether a row of `jobs` needs a video whose import has not ended. */
export const WAITS_FOR_IMPORT = `(
  exists (select 1 from imports
    where status = 'importing' and imports.video_id in (jobs.video_id, jobs.template_video_id))
  or exists (select 1 from job_videos join imports using (video_id)
    where job_videos.job_id = jobs.job_id and imports.status = 'importing'))`;

/**
 * Locks jobs that wait for the import of a video until the end of the transaction. When two imports end at once, the second sees the end
 * of the first.
 */
async function lockWaiting(db: Queryable, videoId: string): Promise<string[]> {
  const rows = await db.query<{ job_id: string }>(
    `select job_id from jobs
     where (video_id = $1 or template_video_id = $1
       or job_id = any(array(select job_id from job_videos where video_id = $1))) and status = 'queued'
     order by job_id for update`,
    [videoId],
  );
  return rows.map((row) => row.job_id);
}

/** The jobs of these that wait for no other import. */
async function selectReady(db: Queryable, jobIds: readonly string[]) {
  const rows = await db.query<{ job_id: string; priority: number; turn: number }>(
    `select job_id, priority, turn from jobs where job_id = any($1::uuid[]) and not ${WAITS_FOR_IMPORT}`,
    [jobIds],
  );
  return rows.map(({ job_id: id, priority, turn }) => ({ id, priority, turn }));
}

/** Queues the jobs of an import in the transaction that ends it, whether it succeeds or fails. */
export async function queueWaitingJobs(
  transaction: Queryable,
  queue: JobQueue,
  videoId: string,
): Promise<void> {
  const waiting = await lockWaiting(transaction, videoId);
  if (waiting.length === 0) return;
  await queue.add(transaction, await selectReady(transaction, waiting));
}
