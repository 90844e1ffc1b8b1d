/** The current state of one job by events, also after broken connections and restarts of the service. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Job, JobDetail } from '../../../src/client/api-types.ts';
import { isStyleDnaError } from '../../../src/client/error.ts';
import { isUnderWay } from './server-data.ts';
import { queries, service } from './service.ts';
import { type JobClock, noteTimes } from './stage-times.ts';

export interface WatchedJob {
  readonly job: Job | null;
  /** Once the job has ended. */
  readonly detail: JobDetail | null;
  readonly clock: JobClock | null;
  /** Errors of a job that does not exist; temporary failures are waited for. */
  readonly error: unknown;
}

const NOTHING: WatchedJob = { job: null, detail: null, clock: null, error: null };
/** After the client's own patience, which is minutes. */
const ONCE_MORE_MS = 3000;
const OUTLOOK_MS = 2000;

export function useJob(jobId: string): WatchedJob {
  const [watched, setWatched] = useState(NOTHING);
  useEffect(() => {
    const given = new AbortController();
    void watch(jobId, given.signal, setWatched);
    return () => given.abort();
  }, [jobId]);
  return watched;
}

/** Position in the queue and remaining seconds, which events do not contain. */
export function useOutlook(job: Job): Pick<Job, 'queue_position' | 'eta_seconds'> {
  const { data } = useQuery({
    queryKey: ['outlook', job.job_id],
    queryFn: ({ signal }) => service.getJob(job.job_id, { signal }),
    enabled: isUnderWay(job.status),
    refetchInterval: OUTLOOK_MS,
  });
  // An answer from before the job's last transition is outdated.
  return data?.status === job.status ? data : {};
}

async function watch(jobId: string, signal: AbortSignal, tell: (watched: WatchedJob) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of service.watchJob(jobId, { signal })) {
        const { job } = event;
        queries.setQueryData(['job', jobId], job);
        const detail = event.type === 'done' ? event.job : null;
        tell({ job, detail, clock: noteTimes(job), error: null });
        if (detail !== null) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isStyleDnaError(error) && !error.retryable && error.status === 404) {
        tell({ ...NOTHING, error });
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, ONCE_MORE_MS));
  }
}
