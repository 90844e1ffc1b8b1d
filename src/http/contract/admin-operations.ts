import { z } from 'zod';
import { jobConfigSchema } from '../../domain/job-config.ts';
import { STAGE_NAMES } from '../../domain/stage.ts';
import { jobPath, jobSchema, queryInteger } from './contract.ts';
import { operation } from './operation.ts';

const time = z.iso.datetime();
const count = z.int().min(0);
const priority = jobConfigSchema.shape.priority.unwrap();

const workerSchema = z
  .object({
    worker_id: z.string(),
    host: z.string(),
    pid: count,
    concurrency: count.describe('Limit of concurrent jobs'),
    running: count.describe('Its running jobs'),
    state: z
      .enum(['working', 'draining', 'drained', 'silent'])
      .describe(
        '`draining`: starts no new jobs; `drained`: also has no jobs left; `silent`: no heartbeat for 30 s',
      ),
    started_at: time,
    seen_at: time,
  })
  .meta({ id: 'Worker' });

export const queueSchema = z
  .object({
    paused: z.boolean(),
    paused_at: time.nullable(),
    queued: count,
    processing: count,
    oldest_queued_seconds: z.number().min(0).nullable(),
    workers: z.array(workerSchema),
    running: z
      .array(
        z.object({
          job_id: z.string(),
          worker_id: z.string().nullable(),
          current_stage: z.enum(STAGE_NAMES),
          progress_percent: z.number().min(0).max(100),
          attempt: count,
          priority: count,
          started_at: time,
        }),
      )
      .describe('The longest running first'),
    next: z
      .array(z.object({ job_id: z.string(), priority: count, created_at: time }))
      .describe('In the order in which they will start'),
  })
  .meta({ id: 'Queue' });

const workerPath = z.object({ worker_id: z.string().describe('`worker_id` in the list of workers') });
const limitQuery = z.object({
  limit: queryInteger(z.int().min(1).max(100)).default(20).describe('Of the running and of the next jobs'),
});

const queueResponse = (message: string) => ({ status: 200, message, data: queueSchema }) as const;

export const getQueue = operation({
  id: 'getQueue',
  method: 'GET',
  path: '/api/v1/admin/queue',
  tag: 'Admin',
  summary: 'The queue and its workers',
  query: limitQuery,
  success: queueResponse('Queue found'),
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
});

export const pauseQueue = operation({
  id: 'pauseQueue',
  method: 'POST',
  path: '/api/v1/admin/queue/pause',
  tag: 'Admin',
  summary: 'Pause the queue for all workers',
  description: 'New jobs queue; running jobs continue. Lasts until `resumeQueue`, also over restarts.',
  success: queueResponse('Queue paused'),
  errors: ['SERVICE_UNAVAILABLE'],
});

export const resumeQueue = operation({
  id: 'resumeQueue',
  method: 'POST',
  path: '/api/v1/admin/queue/resume',
  tag: 'Admin',
  summary: 'Resume the queue',
  success: queueResponse('Queue resumed'),
  errors: ['SERVICE_UNAVAILABLE'],
});

export const drainWorker = operation({
  id: 'drainWorker',
  method: 'POST',
  path: '/api/v1/admin/workers/{worker_id}/drain',
  tag: 'Admin',
  summary: 'Drain a worker: it finishes its jobs and starts no others',
  description: 'Its process keeps running. Once it is `drained`, it can be stopped without losing work.',
  params: workerPath,
  success: queueResponse('Worker drains'),
  errors: ['WORKER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const resumeWorker = operation({
  id: 'resumeWorker',
  method: 'POST',
  path: '/api/v1/admin/workers/{worker_id}/resume',
  tag: 'Admin',
  summary: 'Resume a drained worker',
  params: workerPath,
  success: queueResponse('Worker resumed'),
  errors: ['WORKER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const requeueJob = operation({
  id: 'requeueJob',
  method: 'POST',
  path: '/api/v1/admin/jobs/{job_id}/requeue',
  tag: 'Admin',
  summary: 'Queue a failed or cancelled job again',
  description: 'Like `retryJob`: creates a new job with `retry_of`, because an ended job does not change.',
  params: jobPath,
  success: { status: 201, message: 'Job created', data: jobSchema },
  errors: [
    'JOB_NOT_FOUND',
    'JOB_NOT_RETRYABLE',
    'VIDEO_EXPIRED',
    'VIDEO_LIMIT_EXCEEDED',
    'SERVICE_UNAVAILABLE',
    'QUEUE_FULL',
    'DRAINING',
    'INSUFFICIENT_STORAGE',
  ],
});

export const setJobPriority = operation({
  id: 'setJobPriority',
  method: 'PUT',
  path: '/api/v1/admin/jobs/{job_id}/priority',
  tag: 'Admin',
  summary: 'Change the priority of a queued job',
  params: jobPath,
  body: z.object({ priority: priority.describe('Higher first; default 50') }).meta({ id: 'JobPriority' }),
  success: { status: 200, message: 'Job moved', data: jobSchema },
  errors: ['JOB_NOT_FOUND', 'JOB_NOT_QUEUED', 'SERVICE_UNAVAILABLE'],
});
