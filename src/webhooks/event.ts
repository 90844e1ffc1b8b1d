import type { Job, TerminalStatus } from '../jobs/model/job.ts';

type EventName = `job.${TerminalStatus}`;

export interface WebhookEvent {
  readonly name: EventName;
  /** The bytes that are sent, identical for each try. */
  readonly body: string;
}

const MESSAGES = {
  completed: 'Job completed',
  failed: 'Job failed',
  cancelled: 'Job cancelled',
} as const satisfies Record<TerminalStatus, string>;

/** Builds the event of a job that has ended: the standard envelope. `data`: the JobDetailResponse. */
export function webhookEvent(job: Job, data: object): WebhookEvent {
  if (job.status === 'queued' || job.status === 'processing') {
    throw new Error(`job ${job.jobId} is ${job.status}: it has not ended`);
  }
  const name: EventName = `job.${job.status}`;
  const envelope = {
    success: true,
    message: MESSAGES[job.status],
    data,
    // As Standard Webhooks recommends for the payload: type and timestamp.
    type: name,
    timestamp: job.completedAt.toISOString(),
  };
  return { name, body: JSON.stringify(envelope) };
}
