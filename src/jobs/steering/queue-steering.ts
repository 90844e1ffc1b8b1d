import { validate as isUuid } from 'uuid';
import type { Database, Queryable } from '../../database/database.ts';
import { Failure } from '../../domain/errors.ts';
import { queueFigures } from '../lists/job-lists.ts';
import type { Job } from '../model/job.ts';
import { selectJob } from '../model/job-store.ts';
import { nextTurns } from '../queue/fair-queue.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { QueueOverview, QueueSteering } from './steering.ts';
import {
  lockQueued,
  moveQueued,
  notifySteering,
  pauseQueue,
  resumeQueue,
  selectNext,
  selectPausedSince,
  selectRunning,
  selectWorkers,
  setDraining,
} from './steering-store.ts';

export class DatabaseQueueSteering implements QueueSteering {
  readonly #database: Database;
  readonly #queue: JobQueue;

  constructor(database: Database, queue: JobQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  async overview(limit: number): Promise<QueueOverview> {
    const db = this.#database;
    const { queued, processing, oldestQueuedSeconds } = await queueFigures(db);
    return {
      pausedAt: await selectPausedSince(db),
      queued,
      processing,
      oldestQueuedSeconds,
      workers: await selectWorkers(db),
      running: await selectRunning(db, limit),
      next: await selectNext(db, limit),
    };
  }

  pause(): Promise<void> {
    return this.#steer((transaction) => pauseQueue(transaction, new Date()));
  }

  resume(): Promise<void> {
    return this.#steer(resumeQueue);
  }

  drain(workerId: string): Promise<void> {
    return this.#order(workerId, true);
  }

  resumeWorker(workerId: string): Promise<void> {
    return this.#order(workerId, false);
  }

  /** Places the job behind those of its client with the same priority. */
  async setPriority(jobId: string, priority: number): Promise<Job> {
    const isMoved =
      isUuid(jobId) &&
      (await this.#database.transaction(async (transaction) => {
        const queued = await lockQueued(transaction, jobId);
        if (queued === null) return false;
        const [turn] = await nextTurns(transaction, [{ client: queued.client, priority }]);
        const place = { priority, turn: turn! };
        await moveQueued(transaction, jobId, place);
        await this.#queue.move(transaction, { id: jobId, ...place });
        return true;
      }));
    const job = isUuid(jobId) ? await selectJob(this.#database, jobId) : null;
    if (job === null) throw new Failure('JOB_NOT_FOUND', `There is no job ${JSON.stringify(jobId)}`);
    if (isMoved) return job;
    throw new Failure('JOB_NOT_QUEUED', `The job ${jobId} is ${job.status}: only a queued job can be moved`);
  }

  async #order(workerId: string, isDraining: boolean): Promise<void> {
    const isKnown =
      isUuid(workerId) &&
      (await this.#steer((transaction) => setDraining(transaction, workerId, isDraining)));
    if (isKnown) return;
    const known = (await selectWorkers(this.#database)).map(
      (worker) => `${worker.workerId} on ${worker.host}`,
    );
    const hint = known.length === 0 ? 'There are no workers' : `Workers: ${known.slice(0, 10).join(', ')}`;
    throw new Failure('WORKER_NOT_FOUND', `There is no worker ${JSON.stringify(workerId)}. ${hint}`);
  }

  #steer<T>(order: (transaction: Queryable) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (transaction) => {
      const result = await order(transaction);
      await notifySteering(transaction);
      return result;
    });
  }
}
