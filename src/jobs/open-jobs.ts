import type { Logger } from 'pino';
import type { QueueDatabase } from '../database/queue-database.ts';
import { vacuumEmbedded } from '../database/vacuum.ts';
import type { RunStage } from '../stage.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { DatabaseIdempotencyDesk } from './idempotency-desk.ts';
import type { IdempotencyDesk, JobDesk, VideoDesk } from './job.ts';
import { JobChanges } from './job-changes.ts';
import { DatabaseJobDesk, type JobEnded } from './job-desk.ts';
import { JobQueue } from './queue.ts';
import { DatabaseVideoDesk } from './video-desk.ts';
import { Worker } from './worker.ts';
import { deleteAllWorkers, deleteSilentWorkers } from './worker-store.ts';

const DEFAULTS = {
  /** Idempotency keys are kept for a day. */
  keepKeysSeconds: 24 * 3600,
  mostQueued: 100_000,
  mostWorkersLost: 5,
  /** Two more tries of a stage after a foreseen, retryable failure. */
  retryDelaysMs: [1_000, 4_000] as readonly number[],
  sweepIntervalMs: 10 * 60_000,
};

export interface JobsParts {
  readonly database: QueueDatabase;
  readonly blobs: BlobStore;
  readonly logger: Logger;
  /** Runs in the transaction that ends a job. */
  readonly jobEnded: JobEnded;
  readonly settings?: Partial<typeof DEFAULTS>;
}

export interface Jobs {
  readonly desk: JobDesk;
  readonly videos: VideoDesk;
  readonly idempotency: IdempotencyDesk;
  /** Starts to take jobs in this process; at most once. */
  startWorker(runStage: RunStage, options: { readonly concurrency: number }): Promise<void>;
  /** No new work; what runs may finish within `graceMs`, the rest is handed over. Leaves the database open. */
  stop(graceMs: number): Promise<void>;
}

/** Puts the jobs together over a database that has its tables (`migrate`). */
export async function openJobs(parts: JobsParts): Promise<Jobs> {
  const { database, blobs, logger, jobEnded } = parts;
  const settings = { ...DEFAULTS, ...parts.settings };
  const queue = new JobQueue(database, logger);
  const changes = new JobChanges();
  const idempotency = new DatabaseIdempotencyDesk(database, settings.keepKeysSeconds);
  await queue.start();
  await changes.start(database);
  await idempotency.start();
  if (database.kind === 'pglite') await deleteAllWorkers(database);
  const sweep = async () => {
    await idempotency.sweep();
    await deleteSilentWorkers(database);
    await vacuumEmbedded(database);
  };
  const sweepTimer = setInterval(() => {
    sweep().catch((error) => logger.warn({ err: error }, 'sweep failed'));
  }, settings.sweepIntervalMs);
  sweepTimer.unref();
  let worker: Worker | undefined;
  return {
    desk: new DatabaseJobDesk({
      ...settings,
      database,
      queue,
      blobs,
      changes,
      answers: idempotency,
      jobEnded,
    }),
    videos: new DatabaseVideoDesk({ database, blobs, answers: idempotency }),
    idempotency,
    async startWorker(runStage, { concurrency }) {
      if (worker !== undefined) throw new Error('the worker was started before');
      worker = new Worker(
        { ...settings, database, queue, blobs, changes, logger, runStage, jobEnded },
        concurrency,
      );
      await worker.start();
    },
    async stop(graceMs) {
      clearInterval(sweepTimer);
      await worker?.stop(graceMs);
      await queue.stop();
      await changes.stop();
      idempotency.stop();
    },
  };
}
