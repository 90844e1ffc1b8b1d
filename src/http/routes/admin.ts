import type { z } from 'zod';
import type { QueueOverview } from '../../jobs/steering/steering.ts';
import type * as operations from '../contract/admin-operations.ts';
import type { queueSchema } from '../contract/admin-operations.ts';
import { jobResponse } from '../contract/job-response.ts';
import type { Handler, HandlerResult } from '../contract/operation.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { retryJob } from './job-creation.ts';

/** Limit of jobs in the response to a command. */
const SHOWN = 20;

/** Operations of operators, behind the admin gate. */
export function adminHandlers(context: HttpContext) {
  const { steering, jobs } = context.parts;
  const queue = async (limit = SHOWN): Promise<HandlerResult> => ({
    data: queueResponse(await steering.overview(limit)),
  });
  return {
    getQueue: (({ query }) => queue(query['limit'] as number)) as Handler<typeof operations.getQueue>,
    pauseQueue: (async ({ request }) => {
      await steering.pause();
      request.log.warn('the queue was paused');
      return queue();
    }) as Handler<typeof operations.pauseQueue>,
    resumeQueue: (async ({ request }) => {
      await steering.resume();
      request.log.warn('the queue was resumed');
      return queue();
    }) as Handler<typeof operations.resumeQueue>,
    drainWorker: (async ({ params, request }) => {
      await steering.drain(params.worker_id);
      request.log.warn({ workerId: params.worker_id }, 'a worker drains');
      return queue();
    }) as Handler<typeof operations.drainWorker>,
    resumeWorker: (async ({ params, request }) => {
      await steering.resumeWorker(params.worker_id);
      request.log.warn({ workerId: params.worker_id }, 'a worker was resumed');
      return queue();
    }) as Handler<typeof operations.resumeWorker>,
    requeueJob: retryJob(context) as Handler<typeof operations.requeueJob>,
    setJobPriority: (async ({ params, body, request }) => {
      const job = await steering.setPriority(params.job_id, body.priority);
      request.log.warn({ jobId: job.jobId, priority: body.priority }, 'the priority of a job was changed');
      return { data: jobResponse(job, baseUrl(context.parts, request), await jobs.outlook(job)) };
    }) as Handler<typeof operations.setJobPriority>,
  };
}

function queueResponse(overview: QueueOverview): z.output<typeof queueSchema> {
  return {
    paused: overview.pausedAt !== null,
    paused_at: overview.pausedAt?.toISOString() ?? null,
    queued: overview.queued,
    processing: overview.processing,
    oldest_queued_seconds: overview.oldestQueuedSeconds,
    workers: overview.workers.map((worker) => ({
      worker_id: worker.workerId,
      host: worker.host,
      pid: worker.pid,
      concurrency: worker.concurrency,
      running: worker.running,
      state: worker.state,
      started_at: worker.startedAt.toISOString(),
      seen_at: worker.seenAt.toISOString(),
    })),
    running: overview.running.map((job) => ({
      job_id: job.jobId,
      worker_id: job.workerId,
      current_stage: job.stage,
      progress_percent: job.progressPercent,
      attempt: job.attempt,
      priority: job.priority,
      started_at: job.startedAt.toISOString(),
    })),
    next: overview.next.map((job) => ({
      job_id: job.jobId,
      priority: job.priority,
      created_at: job.createdAt.toISOString(),
    })),
  };
}
