import type { Metrics } from '../../telemetry/metrics.ts';
import type { SpanStart } from '../../telemetry/tracing.ts';
import type { Claim } from '../model/job-store.ts';

export function countClaimed(metrics: Metrics, { job, takenOver }: Claim): void {
  metrics.jobsTaken.inc();
  if (takenOver !== null) metrics.jobTakeovers.inc({ why: takenOver });
  else metrics.jobWaitSeconds.observe(Math.max(0, waitSeconds(job)));
}

/** The span of one attempt, in the trace of the request that created the job. */
export function jobSpan({ job, takenOver }: Claim): SpanStart {
  return {
    kind: 'consumer',
    parent: job.origin?.trace ?? null,
    attributes: {
      'messaging.system': 'styledna',
      'messaging.operation.type': 'process',
      'messaging.message.id': job.jobId,
      'styledna.job.id': job.jobId,
      'styledna.job.attempt': job.attempt,
      'styledna.job.stage': job.stage,
      ...(takenOver === null
        ? { 'styledna.job.wait_seconds': waitSeconds(job) }
        : { 'styledna.job.taken_over': takenOver }),
    },
  };
}

/** Both times come from the database. */
function waitSeconds({ createdAt, startedAt }: Claim['job']): number {
  return (startedAt.getTime() - createdAt.getTime()) / 1000;
}
