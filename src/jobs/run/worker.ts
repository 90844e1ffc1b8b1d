import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { UnknownOutcome } from '../../database/outcome.ts';
import type { RunPart } from '../../domain/stage.ts';
import type { StorageWatch } from '../../storage/storage-watch.ts';
import { inSpan } from '../../telemetry/tracing.ts';
import type { JobChanges } from '../model/job-changes.ts';
import { claimJob, type Claim as TakenJob } from '../model/job-store.ts';
import type { JobQueue } from '../queue/queue.ts';
import { canTakeJobs, STEERING_CHANNEL } from '../steering/steering-store.ts';
import { Claim } from './claim.ts';
import { countClaimed, jobSpan } from './claim-telemetry.ts';
import { PartHelper } from './part-helper.ts';
import { retryWhileDatabaseDown } from './retry-while-database-down.ts';
import { endLost, type RunParts, runJob } from './run.ts';
import { WorkLoops } from './work-loops.ts';
import { deleteWorker, upsertWorker } from './worker-store.ts';

export interface WorkerParts extends RunParts {
  readonly queue: JobQueue;
  readonly changes: JobChanges;
  /** Renders parts of jobs that other workers run. Default: this worker does not help. */
  readonly runPart?: RunPart;
  /** A job that has lost this many workers fails. */
  readonly maxWorkersLost: number;
  /** While the storage is down, no jobs are claimed. */
  readonly storage: StorageWatch;
}

interface Running {
  readonly claim: Claim;
  readonly done: Promise<void>;
}

/** Holds a queue entry this long while the storage is down, so that entries do not circulate between workers. */
const HOLD_MS = 5_000;

const HEARTBEAT_INTERVAL_MS = 10_000;

/** Time in which a stage must end after its abort signal. After it the worker stops waiting. */
const ABORT_GRACE_MS = 5_000;

/** Claims jobs from the queue and runs them, several at a time. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #concurrency: number;
  readonly #workerId = newId();
  readonly #running = new Map<string, Running>();
  readonly #stopping = new AbortController();
  readonly #helper: PartHelper | null;
  readonly #loops: WorkLoops;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #unlisten: () => Promise<void> = async () => {};
  #steering: Promise<void> = Promise.resolve();

  constructor(parts: WorkerParts, concurrency: number) {
    this.#parts = parts;
    this.#concurrency = concurrency;
    this.#loops = new WorkLoops(parts.queue, concurrency, (jobId) => this.#take(jobId));
    const { runPart } = parts;
    const isIdle = () => this.#loops.isOn && this.#running.size < concurrency;
    this.#helper = runPart === undefined ? null : new PartHelper({ ...parts, runPart, isIdle });
  }

  async start(): Promise<void> {
    if (this.#concurrency === 0) return;
    await this.#heartbeat();
    this.#heartbeatTimer = setInterval(() => {
      this.#heartbeat().catch((error) => this.#parts.logger.warn({ err: error }, 'worker could not report'));
      // Notifications can be lost.
      void this.#applySteering();
    }, HEARTBEAT_INTERVAL_MS);
    this.#heartbeatTimer.unref();
    this.#unlisten = await this.#parts.database.listen(STEERING_CHANNEL, () => void this.#applySteering());
    await this.#applySteering();
    await this.#helper?.start();
  }

  /** Starts or stops the loops as `QueueSteering` demands, one change after the other. */
  #applySteering(): Promise<void> {
    this.#steering = this.#steering
      .then(async () => {
        if (this.#stopping.signal.aborted) return;
        const may = await canTakeJobs(this.#parts.database, this.#workerId);
        await (may ? this.#loops.begin() : this.#loops.end());
      })
      .catch((error) => this.#parts.logger.warn({ err: error }, 'orders could not be read'));
    return this.#steering;
  }

  /**
   * Claims no new jobs. Running ones may finish within `graceMs`; the others are aborted and handed over: they stay `processing`, and
   * the next worker continues at their stage.
   */
  async stop(graceMs: number): Promise<void> {
    if (this.#concurrency === 0) return;
    clearInterval(this.#heartbeatTimer);
    this.#stopping.abort();
    await this.#unlisten();
    await this.#steering;
    await this.#loops.end();
    await Promise.all([this.#settled(graceMs), this.#helper?.stop(graceMs)]);
    for (const { claim } of this.#running.values()) claim.stop('handed_over');
    await this.#settled(ABORT_GRACE_MS);
    await deleteWorker(this.#parts.database, this.#workerId).catch(() => {});
  }

  /** Runs a job that the queue delivered. Throws when another worker must run it. */
  async #take(jobId: string): Promise<void> {
    // Delivered again while it runs here, because heartbeats were missed, for example during sleep of the machine. The job is not lost.
    const running = this.#running.get(jobId);
    if (running !== undefined) return running.done;
    // Another process may reach the storage: the entry is returned.
    if (!(await this.#parts.storage.isUsableWithin(HOLD_MS, this.#stopping.signal)))
      throw new Error('the storage cannot be used');
    const taken = await this.#claim(jobId);
    if (taken === null) return;
    countClaimed(this.#parts.metrics, taken);
    await inSpan(this.#parts.tracing, 'job', jobSpan(taken), () => this.#run(taken));
  }

  async #run({ job, workersLost }: TakenJob): Promise<void> {
    const { jobId, attempt, stage, origin } = job;
    // Connects the log of the job with the request that created it.
    const logger = this.#parts.logger.child(origin === null ? {} : { request_id: origin.requestId });
    const parts = { ...this.#parts, logger };
    if (workersLost >= parts.maxWorkersLost) return endLost(parts, job, workersLost);
    logger.info({ jobId, attempt, stage }, 'job taken');
    await using claim = new Claim(parts.database, parts.changes, job);
    const done = runJob(parts, job, claim);
    this.#running.set(jobId, { claim, done });
    try {
      await done;
    } finally {
      this.#running.delete(jobId);
    }
  }

  /** Resolves an unknown outcome: claiming the job again would count a lost worker. */
  async #claim(jobId: string): Promise<TakenJob | null> {
    try {
      return await this.#parts.database.transaction(async (transaction) => {
        // The worker was paused or drained after the delivery: the entry is returned.
        if (!(await canTakeJobs(transaction, this.#workerId)))
          throw new Error('this worker takes no jobs now');
        return claimJob(transaction, jobId, this.#workerId);
      });
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      const isTaken = await retryWhileDatabaseDown(this.#stopping.signal, () => error.isCommitted());
      if (!isTaken) throw error;
      return error.result as TakenJob | null;
    }
  }

  async #settled(longestMs: number): Promise<void> {
    const all = Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    await Promise.race([all, sleep(longestMs, undefined, { ref: false })]);
  }

  async #heartbeat(): Promise<void> {
    await upsertWorker(this.#parts.database, {
      workerId: this.#workerId,
      host: hostname(),
      pid: process.pid,
      concurrency: this.#concurrency,
    });
  }
}
