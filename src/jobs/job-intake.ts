import { setImmediate as readSockets } from 'node:timers/promises';
import { validate as isUuid, v7 as newId } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import { Failure, isFailure } from '../errors.ts';
import type { Job, NewJob } from './job.ts';
import { insertJobs, type JobInsertion } from './job-store.ts';
import type { JobQueue } from './queue.ts';
import { nextTurns } from './turn-store.ts';
import { expiryOf, selectVideosForJobs, type VideoExpiry } from './video-store.ts';

export interface JobIntakeParts {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly clock: () => Date;
}

/** What must happen in the transaction that makes the job; when it throws there is no job. */
type Within = (transaction: Queryable, job: Job) => Promise<void>;

interface Entry extends Omit<JobInsertion, 'turn'> {
  readonly within: Within;
  readonly resolve: (job: Job) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds what one failure makes do again. */
const LARGEST_BATCH = 64;

/**
 * Creates jobs: the row, its place in the queue and `within`, in one transaction. Those that come while another
 * transaction is under way share the next one (group commit): a commit costs a sync of the disk, however many jobs it
 * holds.
 */
export class JobIntake {
  readonly #parts: JobIntakeParts;
  #waiting: Entry[] = [];
  #running = false;

  constructor(parts: JobIntakeParts) {
    this.#parts = parts;
  }

  /** Throws VIDEO_NOT_FOUND, TEMPLATE_VIDEO_NOT_FOUND, VIDEO_EXPIRED, what `within` throws. */
  create(request: NewJob, retryOf: string | null, within: Within = async () => {}): Promise<Job> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ jobId: newId(), request, retryOf, within, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      // The embedded database works on this thread: what has come meanwhile is still in the sockets.
      await readSockets();
      await this.#settle(this.#waiting.splice(0, LARGEST_BATCH));
    }
    this.#running = false;
  }

  async #settle(entries: readonly Entry[]): Promise<void> {
    try {
      const outcomes = await this.#parts.database.transaction((transaction) =>
        this.#createAll(transaction, entries),
      );
      for (const [entry, outcome] of outcomes) {
        if (outcome instanceof Failure) entry.reject(outcome);
        else entry.resolve(outcome);
      }
    } catch (error) {
      const allAlike =
        entries.length === 1 || isFailure(error, 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE');
      if (allAlike) for (const entry of entries) entry.reject(error);
      // One of them is to blame: the others shall not suffer for it.
      else for (const entry of entries) await this.#settle([entry]);
    }
  }

  async #createAll(
    transaction: Queryable,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<Entry, Job | Failure>> {
    const videos = await selectVideosForJobs(transaction, entries.flatMap(videoIdsOf).filter(isUuid));
    const outcomes = new Map<Entry, Job | Failure>();
    const accepted: Entry[] = [];
    for (const entry of entries) {
      const failure = this.#refusal(entry.request, videos);
      if (failure === null) accepted.push(entry);
      else outcomes.set(entry, failure);
    }
    if (accepted.length === 0) return outcomes;
    const turns = await nextTurns(
      transaction,
      accepted.map(({ request }) => request),
    );
    const insertions = accepted.map((entry, index) => ({ ...entry, turn: turns[index]! }));
    const jobs = await insertJobs(transaction, insertions);
    await this.#parts.queue.add(
      transaction,
      insertions.map(({ jobId, request, turn }) => ({ id: jobId, priority: request.priority, turn })),
    );
    for (const entry of accepted) {
      const job = jobs.get(entry.jobId)!;
      await entry.within(transaction, job);
      outcomes.set(entry, job);
    }
    return outcomes;
  }

  #refusal({ videoId, templateVideoId }: NewJob, videos: ReadonlyMap<string, VideoExpiry>): Failure | null {
    const named = [
      [videoId, 'VIDEO_NOT_FOUND'],
      [templateVideoId, 'TEMPLATE_VIDEO_NOT_FOUND'],
    ] as const;
    for (const [id, missing] of named) {
      if (id === null) continue;
      const stored = videos.get(id.toLowerCase());
      if (stored === undefined) return new Failure(missing, `There is no video ${id}.`);
      const expiredAt = expiryOf(stored, this.#parts.clock());
      if (expiredAt !== null) {
        return new Failure('VIDEO_EXPIRED', `The video ${id} expired ${expiredAt.toISOString()}.`);
      }
    }
    return null;
  }
}

function videoIdsOf({ request }: Entry): string[] {
  return request.templateVideoId === null ? [request.videoId] : [request.videoId, request.templateVideoId];
}
