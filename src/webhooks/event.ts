import type { Job, TerminalStatus } from '../jobs/job.ts';
import { jobDetailResponse } from '../jobs/job-response.ts';

export type EventName = `job.${TerminalStatus}`;

export interface WebhookEvent {
  readonly name: EventName;
  /** The bytes that are sent, each time the same. */
  readonly body: string;
}

const MESSAGES = {
  completed: 'Job completed',
  failed: 'Job failed',
  cancelled: 'Job cancelled',
} as const satisfies Record<TerminalStatus, string>;

/** What a receiver is told about a job that has ended: the standard envelope with a JobDetailResponse. */
export function webhookEvent(job: Job, baseUrl: string): WebhookEvent {
  if (job.status === 'queued' || job.status === 'processing') {
    throw new Error(`job ${job.jobId} is ${job.status}: it has not ended`);
  }
  const envelope = {
    success: true,
    message: MESSAGES[job.status],
    data: jobDetailResponse(job, baseUrl),
  };
  return { name: `job.${job.status}`, body: JSON.stringify(envelope) };
}
