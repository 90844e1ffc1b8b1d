import { setImmediate as serveOthers } from 'node:timers/promises';
import type { Job } from '../model/job.ts';
import type { JobChanges } from '../model/job-changes.ts';
import { isTerminal } from '../model/moves.ts';

/** Notifications can be lost with their connection, so all watched jobs are also compared with the database at this interval. */
const POLL_INTERVAL_MS = 5_000;
/** Workers write progress at most this often; see `claim.ts`. */
const MIN_PROGRESS_MS = 250;
/** An event takes .1 ms of the process for each watcher: progress takes at most a fifth of the time. */
const PROGRESS_MS_PER_WATCHER = 0.5;
/** Watchers that are woken before other requests are served: about 5 ms for answers to waits. */
const WOKEN_AT_ONCE = 10;

/** Watchers wait for each change of a job, or for its end only. */
export type WatchedChange = 'any' | 'end';

/** The columns that show whether a job has changed. */
type JobState = Pick<Job, 'jobId' | 'status' | 'attempt' | 'progressUpdatedAt'>;

interface WatchedJobsParts {
  readonly changes: JobChanges;
  /** Reads one job; simultaneous reads of it share a query. */
  readonly get: (jobId: string) => Promise<Job | null>;
  readonly statesOf: (jobIds: readonly string[]) => Promise<readonly JobState[]>;
}

/** The jobs that clients watch. A job is read once for each change, however many watch it, and one query polls all jobs. */
export class WatchedJobs {
  readonly #parts: WatchedJobsParts;
  readonly #jobs = new Map<string, WatchedJob>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;

  constructor(parts: WatchedJobsParts) {
    this.#parts = parts;
  }

  /** A watch until it is disposed. Its first wait ends at a change after this call. */
  watch(jobId: string, change: WatchedChange): JobWatch {
    const { changes, get } = this.#parts;
    const job = this.#jobs.get(jobId) ?? new WatchedJob(jobId, changes, get);
    this.#jobs.set(jobId, job);
    this.#timer ??= setInterval(() => void this.#poll(), POLL_INTERVAL_MS).unref();
    return new JobWatch(job, change, () => {
      if (job.isWatched || this.#jobs.get(jobId) !== job) return;
      job[Symbol.dispose]();
      this.#jobs.delete(jobId);
      if (this.#jobs.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const jobs = new Map(this.#jobs);
    try {
      const states = await this.#parts.statesOf([...jobs.keys()]);
      const found = new Map(states.map((state) => [state.jobId, state]));
      for (const [jobId, job] of jobs) job.compare(found.get(jobId) ?? null);
    } catch {
      // While the database is down no change is seen; the next poll compares again.
    } finally {
      this.#isPolling = false;
    }
  }
}

/** A job and its watchers. */
class WatchedJob implements Disposable {
  readonly #jobId: string;
  readonly #get: WatchedJobsParts['get'];
  readonly #changes: Disposable;
  readonly #watches: Readonly<Record<WatchedChange, Set<JobWatch>>> = { any: new Set(), end: new Set() };
  /** Null: there is no such job; undefined: not read yet. */
  #latest: Job | null | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #isStale = false;

  constructor(jobId: string, changes: JobChanges, get: WatchedJobsParts['get']) {
    this.#jobId = jobId;
    this.#get = get;
    this.#changes = changes.watch(jobId, (status) => this.#onChange(status));
  }

  get latest(): Job | null {
    return this.#latest ?? null;
  }

  get isWatched(): boolean {
    return this.#watches.any.size + this.#watches.end.size > 0;
  }

  add(watch: JobWatch, change: WatchedChange): void {
    this.#watches[change].add(watch);
  }

  remove(watch: JobWatch): void {
    this.#watches.any.delete(watch);
    this.#watches.end.delete(watch);
  }

  /** Reads the job now. Reads end in the order of their calls, so `latest` is never older than what a watcher has seen. */
  async read(): Promise<Job | null> {
    const job = await this.#get(this.#jobId);
    this.#latest = job;
    this.#readAtMs = performance.now();
    return job;
  }

  /** Compares with the state in the database; null: the job was deleted. */
  compare(state: JobState | null): void {
    if (state === null) void this.#refresh();
    else if (stateText(state) !== (this.#latest && stateText(this.#latest))) this.#onChange(state.status);
  }

  [Symbol.dispose](): void {
    this.#changes[Symbol.dispose]();
    clearTimeout(this.#timer);
  }

  #onChange(status: Job['status']): void {
    const watchers = this.#watches.any.size;
    if (watchers === 0 && !isTerminal(status)) return;
    const isProgress = status === 'processing' && this.#latest?.status === 'processing';
    const intervalMs = Math.max(MIN_PROGRESS_MS, watchers * PROGRESS_MS_PER_WATCHER);
    const waitMs = isProgress ? this.#readAtMs + intervalMs - performance.now() : 0;
    if (waitMs <= 0) void this.#refresh();
    else this.#timer ??= setTimeout(() => void this.#refresh(), waitMs).unref();
  }

  /** Reads the job and wakes its watchers, until no change is left. Changes meanwhile share the next read. */
  async #refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && this.isWatched) {
        this.#isStale = false;
        await this.read();
        await this.#wakeAll();
      }
    } catch {
      // The database is down: the next poll finds the difference.
    } finally {
      this.#isReading = false;
    }
  }

  async #wakeAll(): Promise<void> {
    const { latest } = this;
    const hasEnded = latest === null || isTerminal(latest.status);
    const woken = [...this.#watches.any, ...(hasEnded ? this.#watches.end : [])];
    for (const [index, watch] of woken.entries()) {
      if (index > 0 && index % WOKEN_AT_ONCE === 0) await serveOthers();
      watch.wake();
    }
  }
}

/** The watch of one client. Several changes between two waits count as one. */
export class JobWatch implements Disposable {
  readonly #job: WatchedJob;
  readonly #onDispose: () => void;
  #isRaised = false;
  #resolve = () => {};

  constructor(job: WatchedJob, change: WatchedChange, onDispose: () => void) {
    this.#job = job;
    this.#onDispose = onDispose;
    job.add(this, change);
  }

  /** Reads the job now; null: there is no such job. */
  read(): Promise<Job | null> {
    return this.#job.read();
  }

  /** Waits for a change since the last wait, or for the signal; returns the newest known state. */
  async next(signal: AbortSignal): Promise<Job | null> {
    if (!this.#isRaised && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resolve = resolve;
      signal.addEventListener('abort', this.#resolve, { once: true });
      await promise;
      signal.removeEventListener('abort', this.#resolve);
    }
    this.#isRaised = false;
    return this.#job.latest;
  }

  wake(): void {
    this.#isRaised = true;
    this.#resolve();
  }

  [Symbol.dispose](): void {
    this.#job.remove(this);
    this.#onDispose();
  }
}

function stateText({ status, attempt, progressUpdatedAt }: JobState): string {
  return `${status} ${attempt} ${progressUpdatedAt.getTime()}`;
}
