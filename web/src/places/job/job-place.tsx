import type { ReactElement } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { useJob } from '../../state/job.ts';
import { AbsentJob, CancelledJob, ExpiredJob, FailedJob } from './ended-job.tsx';
import { FinishedJob } from './finished-job.tsx';
import styles from './job-place.module.css';
import { useJobTitle } from './job-title.ts';
import { RunningJob } from './running-job.tsx';

/** One job, from its place in the queue to its downloads, at an address that can be shared. */
export function JobPlace({ jobId }: { readonly jobId: string }): ReactElement {
  const { job, detail, clock, error } = useJob(jobId);
  if (error !== null) return <AbsentJob error={error} />;
  if (job === null) return <div className={styles.waiting} />;
  if (detail !== null) return <EndedJob detail={detail} />;
  return <RunningJob job={job} clock={clock} />;
}

function EndedJob({ detail }: { readonly detail: JobDetail }): ReactElement {
  useJobTitle(detail);
  if (detail.status === 'failed') return <FailedJob job={detail} />;
  if (detail.status === 'cancelled') return <CancelledJob job={detail} />;
  return detail.output_video_url === null ? <ExpiredJob job={detail} /> : <FinishedJob job={detail} />;
}
