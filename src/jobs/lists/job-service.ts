import { validate as isUuid } from 'uuid';
import type { Database, Queryable } from '../../database/database.ts';
import type { Listing, ListRequest } from '../../database/listing.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import { jobConfigSchema } from '../../domain/job-config.ts';
import type { IdempotencyKey, StoredResponse } from '../../idempotency/idempotency.ts';
import type { StoredResponses } from '../../idempotency/idempotency-service.ts';
import { jobBlobPrefix } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { TraceContext } from '../../telemetry/trace-context.ts';
import type {
  Job,
  JobFilter,
  JobOrigin,
  JobService,
  NewJob,
  ProductService,
  QueueFigures,
} from '../model/job.ts';
import type { JobChanges } from '../model/job-changes.ts';
import { countCreated, countEnded } from '../model/job-metrics.ts';
import {
  cancelJobs,
  deleteJob,
  selectComparisons,
  selectEqualProduct,
  selectJobStates,
  selectJobs,
  selectLatestProduct,
  selectTurnRequest,
} from '../model/job-store.ts';
import { videoIdsOf } from '../model/job-videos.ts';
import { GroupCommit } from '../queue/group-commit.ts';
import type { JobQueue } from '../queue/queue.ts';
import { JobIntake, withWholeEdit } from './job-intake.ts';
import { countQueued, listJobs, queueFigures, queuePosition } from './job-lists.ts';
import { etaSeconds, recentPace } from './job-outlook.ts';
import type { JobRefusal } from './new-job-check.ts';
import { SharedReads } from './shared-reads.ts';
import { waitForEnd, watchJob } from './watch.ts';
import { WatchedJobs } from './watched-jobs.ts';

/** Runs in the transaction that ends a job, for effects that must happen exactly once. */
export type JobEnded = (transaction: Queryable, job: Job, trace: TraceContext | null) => Promise<void>;

export interface JobServiceParts {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly blobs: BlobStore;
  readonly changes: JobChanges;
  readonly responses: StoredResponses;
  readonly jobEnded: JobEnded;
  readonly clock: () => Date;
  /** Limit of queued jobs; above it creation fails with QUEUE_FULL. */
  readonly maxQueued: number;
  readonly refusal: JobRefusal;
  readonly metrics: Metrics;
}

/** Time for which a count of queued jobs is reused for the check of `maxQueued`. */
const COUNT_AGE_MS = 1000;

interface Cancellation {
  readonly jobId: string;
}

export class DatabaseJobService implements JobService {
  readonly #parts: JobServiceParts;
  readonly #intake: JobIntake;
  readonly #cancellations: GroupCommit<Cancellation, Job | null>;
  readonly #reads: SharedReads<Job>;
  readonly #watched: WatchedJobs;
  #queued = { count: 0, countedAtMs: Number.NEGATIVE_INFINITY };

  constructor(parts: JobServiceParts) {
    this.#parts = parts;
    this.#intake = new JobIntake(parts);
    this.#cancellations = new GroupCommit(parts.database, (transaction, entries) =>
      this.#cancelAll(transaction, entries),
    );
    this.#reads = new SharedReads((jobIds) => selectJobs(parts.database, jobIds));
    this.#watched = new WatchedJobs({
      changes: parts.changes,
      get: (jobId) => this.get(jobId),
      statesOf: (jobIds) => selectJobStates(parts.database, jobIds.filter(isUuid)),
    });
  }

  async create(
    request: NewJob,
    idempotency: { readonly key: IdempotencyKey; readonly response: (job: Job) => StoredResponse } | null,
  ): Promise<Job> {
    await this.#refuseWhenFull();
    if (idempotency === null) return this.#create(request, null);
    const { responses } = this.#parts;
    const { key, response } = idempotency;
    const job = await this.#create(request, null, (transaction, created) =>
      responses.store(transaction, key, response(created)),
    );
    responses.committed(key);
    return job;
  }

  async get(jobId: string): Promise<Job | null> {
    const job = await this.#find(jobId);
    return job?.product === null ? job : null;
  }

  readonly products: ProductService = {
    get: async (jobId) => {
      const job = await this.#find(jobId);
      return job?.product === null ? null : job;
    },
    latest: async (kind, video) =>
      isUuid(video.videoId) ? selectLatestProduct(this.#parts.database, video, kind) : null,
    equal: async (request) =>
      videoIdsOf(request).every((id) => isUuid(id))
        ? selectEqualProduct(this.#parts.database, withWholeEdit(request))
        : null,
    latestComparison: async (videoId, jobId) =>
      (await selectComparisons(this.#parts.database, { videoId, jobId }))[0] ?? null,
  };

  async #find(jobId: string): Promise<Job | null> {
    const job = isUuid(jobId) ? await this.#reads.get(jobId.toLowerCase()) : null;
    if (job?.status !== 'completed' || job.expiresAt === null) return job;
    return job.expiresAt <= this.#parts.clock() ? { ...job, publication: null } : job;
  }

  async list(request: ListRequest<JobFilter>): Promise<Listing<Job>> {
    const { videoId, templateVideoId, styleId } = request.filter;
    // PostgreSQL would refuse a malformed id.
    const hasInvalidId = [videoId, templateVideoId, styleId].some((id) => id !== undefined && !isUuid(id));
    return hasInvalidId ? { items: [], total: 0, nextCursor: null } : listJobs(this.#parts.database, request);
  }

  async cancel(jobId: string): Promise<Job> {
    const cancelled = isUuid(jobId) ? await this.#cancellations.do({ jobId: jobId.toLowerCase() }) : null;
    if (cancelled !== null) {
      countEnded(this.#parts.metrics, cancelled);
      return cancelled;
    }
    const job = await this.#require(jobId);
    if (job.status === 'cancelled') return job;
    throw new Failure('JOB_NOT_CANCELLABLE', `The job ${jobId} is ${job.status}.`);
  }

  async retry(jobId: string, origin: JobOrigin | null = null): Promise<Job> {
    await this.#refuseWhenFull();
    const job = await this.#require(jobId);
    if (job.product !== null) throw new Failure('JOB_NOT_FOUND', `There is no job ${jobId}.`);
    if (job.status !== 'failed' && job.status !== 'cancelled') {
      throw new Failure('JOB_NOT_RETRYABLE', `The job ${jobId} is ${job.status}.`);
    }
    const turnRequest = await selectTurnRequest(this.#parts.database, jobId);
    const config = jobConfigSchema.parse(job.config);
    return this.#create(
      { ...job, config, priority: 0, client: '', ...turnRequest, warnings: [], origin },
      jobId,
    );
  }

  /** Removes the comparisons of a deleted job; running ones are cancelled first. */
  async #removeComparisons(job: Job): Promise<void> {
    for (const { jobId } of await selectComparisons(this.#parts.database, job)) {
      await this.cancel(jobId).catch(() => {});
      await this.remove(jobId).catch((error) => {
        if (!isFailure(error, 'JOB_NOT_FOUND')) throw error;
      });
    }
  }

  /** Deletes the row first: a crash in between leaves orphaned files, never a job without its files. */
  async remove(jobId: string): Promise<void> {
    const { database, queue, blobs } = this.#parts;
    const isValidId = isUuid(jobId);
    const removed = await database.transaction(async (transaction) => {
      const job = isValidId ? await deleteJob(transaction, jobId) : null;
      if (job !== null) await queue.remove(transaction, [jobId]);
      return job;
    });
    if (removed === null) {
      const job = await this.#require(jobId);
      throw new Failure('JOB_NOT_TERMINAL', `The job ${jobId} is ${job.status}: cancel it first.`);
    }
    await blobs.removeAll(jobBlobPrefix(jobId));
    if (removed.product === null) await this.#removeComparisons(removed);
  }

  waitForEnd(jobId: string, waitMs: number, signal: AbortSignal): Promise<Job | null> {
    return waitForEnd(this.#watched, jobId.toLowerCase(), waitMs, signal);
  }

  watch(jobId: string, signal: AbortSignal): AsyncIterable<Job> {
    return watchJob(this.#watched, jobId.toLowerCase(), signal);
  }

  async outlook(job: Job) {
    const { database, clock } = this.#parts;
    const position = job.status === 'queued' ? await queuePosition(database, job.jobId) : null;
    return { queuePosition: position, etaSeconds: await etaSeconds(database, job, clock()) };
  }

  pace(): Promise<number> {
    return recentPace(this.#parts.database);
  }

  figures(): Promise<QueueFigures> {
    return queueFigures(this.#parts.database);
  }

  /** Null for jobs that cannot be cancelled. */
  async #cancelAll(transaction: Queryable, entries: readonly Cancellation[]) {
    const { queue, jobEnded } = this.#parts;
    const jobs = await cancelJobs(
      transaction,
      entries.map(({ jobId }) => jobId),
    );
    if (jobs.size > 0) await queue.remove(transaction, [...jobs.keys()]);
    for (const job of jobs.values()) await jobEnded(transaction, job, job.origin?.trace ?? null);
    return new Map(entries.map((entry) => [entry, jobs.get(entry.jobId) ?? null]));
  }

  async #create(...values: Parameters<JobIntake['create']>): Promise<Job> {
    const job = await this.#intake.create(...values);
    this.#queued.count += 1;
    countCreated(this.#parts.metrics, job);
    return job;
  }

  async #require(jobId: string): Promise<Job> {
    const job = await this.#find(jobId);
    if (job === null) throw new Failure('JOB_NOT_FOUND', `There is no job ${jobId}.`);
    return job;
  }

  /** Reuses a recent count: counting for each creation would make creations slower as the queue grows. */
  async #refuseWhenFull(): Promise<void> {
    const { database, maxQueued } = this.#parts;
    if (performance.now() - this.#queued.countedAtMs > COUNT_AGE_MS) {
      this.#queued.countedAtMs = performance.now();
      this.#queued.count = await countQueued(database);
    }
    if (this.#queued.count < maxQueued) return;
    throw new Failure('QUEUE_FULL', `${maxQueued} jobs are queued already.`, { retryAfterSeconds: 30 });
  }
}
