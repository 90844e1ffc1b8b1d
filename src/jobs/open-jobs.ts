import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queryable } from '../database/database.ts';
import { claimTurn } from '../database/maintenance-turn.ts';
import type { QueueDatabase } from '../database/queue-database.ts';
import { vacuumEmbedded } from '../database/vacuum.ts';
import type { RunPart, RunStage } from '../domain/stage.ts';
import { SweepFailures } from '../domain/sweep-failures.ts';
import type { IdempotencyService } from '../idempotency/idempotency.ts';
import { DatabaseIdempotencyService, type StoredResponses } from '../idempotency/idempotency-service.ts';
import { VERSION } from '../package/version.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { StorageWatch } from '../storage/storage-watch.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts';
import { Retention } from '../videos/retention.ts';
import type { VideoService } from '../videos/video.ts';
import { DatabaseVideoService } from '../videos/video-service.ts';
import { DatabaseJobService, type JobEnded } from './lists/job-service.ts';
import type { JobRefusal } from './lists/new-job-check.ts';
import type { JobService } from './model/job.ts';
import { JobChanges } from './model/job-changes.ts';
import { deleteEndedParts, releaseAllParts } from './model/part-store.ts';
import { JobQueue } from './queue/queue.ts';
import { queueWaitingJobs } from './queue/waiting-jobs.ts';
import { Worker } from './run/worker.ts';
import { deleteAllWorkers, deleteSilentWorkers } from './run/worker-store.ts';
import { DatabaseQueueSteering } from './steering/queue-steering.ts';
import type { QueueSteering } from './steering/steering.ts';

const DEFAULTS = {
  /** Idempotency keys are stored for a day. */
  keepKeysSeconds: 24 * 3600,
  maxQueued: 100_000,
  maxWorkersLost: 5,
  /** Waits before a stage is tried again after an expected, retryable failure. */
  retryDelaysMs: [1_000, 4_000] as readonly number[],
  sweepIntervalMs: 10 * 60_000,
  orphanIntervalMs: 3_600_000,
  /** Retention of results; null: unlimited. The retention of a video is in its row. */
  retentionDays: null as number | null,
  /** The clock of retention. */
  clock: () => new Date(),
  /** Rejects jobs at their creation that no worker of this service could run. */
  refusal: (() => null) as JobRefusal,
};

/** Equal to the time in which a stage must end after its abort signal. */
const SWEEP_END_MS = 5_000;

export interface JobsParts {
  readonly database: QueueDatabase;
  readonly blobs: BlobStore;
  readonly storage: StorageWatch;
  readonly logger: Logger;
  /** Runs in the transaction that ends a job. */
  readonly jobEnded: JobEnded;
  /** Default: metrics that are not exported. */
  readonly metrics?: Metrics;
  /** Default: no tracing. */
  readonly tracing?: Tracing;
  readonly settings?: Partial<typeof DEFAULTS>;
}

interface WorkerOptions {
  /** Maximum number of jobs at a time. */
  readonly concurrency: number;
  /** Renders parts of jobs that other workers run. Default: this worker does not help. */
  readonly runPart?: RunPart;
}

export interface Jobs {
  readonly service: JobService;
  readonly steering: QueueSteering;
  readonly videos: VideoService;
  readonly idempotency: IdempotencyService & StoredResponses;
  readonly retention: Retention;
  /** Prepares the queue and releases leases of processes that have ended. Must be called before any other use of the jobs. */
  start(): Promise<void>;
  /** Queues the jobs that wait for the import of a video. Runs in the transaction that ends the import. */
  importEnded(transaction: Queryable, videoId: string): Promise<void>;
  /** Starts a worker in this process; at most once. */
  startWorker(runStage: RunStage, options: WorkerOptions): Promise<void>;
  /** Claims no new jobs. Running jobs may finish within `graceMs`; the others are handed over. Leaves the database open. */
  stop(graceMs: number): Promise<void>;
}

/** The jobs over a migrated database (`migrate`). Call `start` when all other modules are built. */
export function assembleJobs(parts: JobsParts): Jobs {
  const { database, blobs, storage, logger, jobEnded } = parts;
  const { metrics = new Metrics(VERSION), tracing = NO_TRACING } = parts;
  const settings = { ...DEFAULTS, ...parts.settings };
  const queue = new JobQueue(database, logger);
  const changes = new JobChanges();
  const idempotency = new DatabaseIdempotencyService(database, settings.keepKeysSeconds);
  const retention = new Retention({ database, blobs, logger, clock: settings.clock });
  let stopSweeps: (() => Promise<void>)[] = [];
  let worker: Worker | undefined;
  return {
    service: new DatabaseJobService({
      ...settings,
      database,
      queue,
      blobs,
      changes,
      responses: idempotency,
      jobEnded,
      metrics,
    }),
    steering: new DatabaseQueueSteering(database, queue),
    videos: new DatabaseVideoService({ ...settings, database, retention, responses: idempotency }),
    idempotency,
    retention,
    async start() {
      await queue.start();
      await changes.start(database);
      await idempotency.start();
      if (database.kind === 'pglite') {
        await deleteAllWorkers(database);
        await releaseAllParts(database);
      }
      stopSweeps = startSweeps(parts, sweepIntervalMs(settings), settings.orphanIntervalMs, {
        idempotency,
        retention,
      });
    },
    importEnded: (transaction, videoId) => queueWaitingJobs(transaction, queue, videoId),
    async startWorker(runStage, { concurrency, runPart }) {
      if (worker !== undefined) throw new Error('the worker was started before');
      worker = new Worker(
        {
          ...settings,
          ...{ database, queue, blobs, storage, changes, logger, runStage, jobEnded, metrics, tracing },
          ...(runPart === undefined ? {} : { runPart }),
        },
        concurrency,
      );
      await worker.start();
    },
    async stop(graceMs) {
      const swept = Promise.all(stopSweeps.map((stop) => stop()));
      await worker?.stop(graceMs);
      await swept;
      await queue.stop();
      await changes.stop();
      idempotency.stop();
    },
  };
}

/** Starts the periodic removal of expired and orphaned data. Returns functions that stop it. */
function startSweeps(
  parts: JobsParts,
  expiredMs: number,
  orphansMs: number,
  { idempotency, retention }: Pick<Jobs, 'retention'> & { readonly idempotency: DatabaseIdempotencyService },
): (() => Promise<void>)[] {
  const { database, storage } = parts;
  return [
    runPeriodically(parts, 'sweep', expiredMs, async () => {
      const failures = new SweepFailures();
      await failures.collect(idempotency.sweep());
      await failures.collect(deleteSilentWorkers(database));
      await failures.collect(deleteEndedParts(database));
      await failures.collect(vacuumEmbedded(database));
      // Rows expire only while their files can be removed.
      const isUsable = await failures.collect(storage.assertUsable().then(() => true));
      if (isUsable) await failures.collect(retention.sweepExpired());
      failures.throwIfAny();
    }),
    runPeriodically(parts, 'orphans', orphansMs, async () => {
      await storage.assertUsable();
      await retention.sweepOrphans();
    }),
  ];
}

/** At most a tenth of the retention period, so that expired data does not stay much longer than it should. */
function sweepIntervalMs({ sweepIntervalMs, retentionDays }: typeof DEFAULTS): number {
  if (retentionDays === null) return sweepIntervalMs;
  return Math.max(1000, Math.min(sweepIntervalMs, (retentionDays * 86_400_000) / 10));
}

/**
 * Runs `work` at intervals, in one process of all on the database. Returns a function that stops it; it resolves when the current run
 * has ended, after `SWEEP_END_MS` at the latest.
 */
export function runPeriodically(
  { database, logger }: Pick<JobsParts, 'database' | 'logger'>,
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isStopped = false;
  const turn = async () => {
    if (await claimTurn(database, name, intervalMs)) await work();
  };
  const timer = setInterval(() => {
    running ??= turn()
      .catch((error) => {
        // The database may be closed by now; the next process sweeps again.
        logger[isStopped ? 'info' : 'warn']({ err: error, sweep: name }, 'sweep failed');
      })
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await Promise.race([running, sleep(SWEEP_END_MS, undefined, { ref: false })]);
  };
}
