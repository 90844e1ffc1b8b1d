import type { Job } from '../model/job.ts';
import { isTerminal } from '../model/moves.ts';
import type { WatchedJobs } from './watched-jobs.ts';

/** Returns the job as soon as it is terminal, or its current state after `waitMs` or when `signal` aborts. Null when it does not exist. */
export async function waitForEnd(
  jobs: WatchedJobs,
  jobId: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<Job | null> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  using watch = jobs.watch(jobId, 'end');
  const job = await watch.read();
  if (job === null || isTerminal(job.status) || ending.aborted) return job;
  const last = await watch.next(ending);
  return last === null || isTerminal(last.status) ? last : watch.read();
}

/** Yields the job now and after each change. Ends after the terminal state, when the job is deleted, or at `signal`. */
export async function* watchJob(jobs: WatchedJobs, jobId: string, signal: AbortSignal): AsyncGenerator<Job> {
  using watch = jobs.watch(jobId, 'any');
  let lastState = '';
  let job = await watch.read();
  while (!signal.aborted && job !== null) {
    const moment = job.status === 'processing' ? `${job.stage} ${job.frame?.sequence}` : '';
    const state = `${job.status} ${job.attempt} ${job.progressPercent} ${moment}`;
    if (state !== lastState) yield job;
    lastState = state;
    if (isTerminal(job.status)) return;
    job = await watch.next(signal);
  }
}
