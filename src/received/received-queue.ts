import { z } from 'zod';
import { checkedAnswer } from './unexpected-answer.ts';
import { visibleLine } from './visible-text.ts';

/** Far above the processes of a fleet; the service lists 20 jobs. */
const MAX_ROWS = 10_000;

const shown = z.string().transform(visibleLine);
const count = z.int().min(0);
const time = z.iso.datetime({ offset: true });

const queueSchema = z.object({
  paused: z.boolean(),
  paused_at: time.nullable(),
  queued: count,
  processing: count,
  oldest_queued_seconds: z.number().min(0).nullable(),
  workers: z
    .array(
      z.object({
        ...{ worker_id: shown, state: shown, host: shown, seen_at: time },
        ...{ running: count, concurrency: count, pid: count },
      }),
    )
    .max(MAX_ROWS),
  running: z
    .array(
      z.object({
        ...{ job_id: shown, current_stage: shown.nullable(), started_at: time },
        ...{ progress_percent: z.number(), attempt: count, priority: z.int() },
      }),
    )
    .max(MAX_ROWS),
  next: z.array(z.object({ job_id: shown, created_at: time, priority: z.int() })).max(MAX_ROWS),
});
const jobSchema = z.object({
  job_id: shown,
  status: shown,
  retry_of: shown.nullish(),
  queue_position: count.nullish(),
});

/** The fields of a queue that this program shows. */
export type ReceivedQueue = z.output<typeof queueSchema>;
/** The fields of a job of the queue that this program shows. */
export type ReceivedQueueJob = z.output<typeof jobSchema>;

/** Validates a queue before use. Throws `StyleDnaError` UNEXPECTED_ANSWER. */
export function receivedQueue(queue: object): ReceivedQueue {
  return checkedAnswer('queue', queueSchema, queue);
}

/** Validates a job of a queue before use. Throws `StyleDnaError` UNEXPECTED_ANSWER. */
export function receivedQueueJob(job: object): ReceivedQueueJob {
  return checkedAnswer('job', jobSchema, job);
}
