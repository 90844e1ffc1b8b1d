/** Examples of the operations for operators. */
export const WORKER_ID = '019aa3e0-7a11-7f0c-8d4e-5b6a7c8d9e0f';

const QUEUE = {
  paused: false,
  paused_at: null,
  queued: 3,
  processing: 1,
  oldest_queued_seconds: 12.5,
  workers: [
    {
      worker_id: WORKER_ID,
      host: 'render-1',
      pid: 4711,
      concurrency: 1,
      running: 1,
      state: 'working',
      started_at: '2026-01-15T08:00:00.000Z',
      seen_at: '2026-01-15T10:01:58.000Z',
    },
  ],
  running: [
    {
      job_id: '019aa3f2-1111-7d0a-9b51-0c6f6f1f2e11',
      worker_id: WORKER_ID,
      current_stage: 'rendering',
      progress_percent: 71.5,
      attempt: 1,
      priority: 50,
      started_at: '2026-01-15T10:01:20.000Z',
    },
  ],
  next: [
    { job_id: '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11', priority: 90, created_at: '2026-01-15T10:01:46.000Z' },
  ],
};

const ok = (message: string, changes: object = {}) => ({
  success: true,
  message,
  data: { ...QUEUE, ...changes },
});

export const ADMIN_REQUESTS = { setJobPriority: { urgent: { priority: 90 } } };

export const ADMIN_RESPONSES = {
  getQueue: { working: ok('Queue found') },
  pauseQueue: { paused: ok('Queue paused', { paused: true, paused_at: '2026-01-15T10:02:00.000Z' }) },
  resumeQueue: { working: ok('Queue resumed') },
  drainWorker: { draining: ok('Worker drains', { workers: [{ ...QUEUE.workers[0], state: 'draining' }] }) },
  resumeWorker: { working: ok('Worker resumed') },
};
