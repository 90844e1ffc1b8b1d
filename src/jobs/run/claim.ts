import type { Database } from '../../database/database.ts';
import type { LiveFrame } from '../../domain/stage.ts';
import type { JobChanges } from '../model/job-changes.ts';
import { type Progress, selectHolder, writeProgress } from '../model/job-store.ts';

/** Thrown when a run must stop although nothing failed. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  /** `lost`: another attempt holds the job, or the job was deleted. `handed_over`: this worker is shutting down. */
  readonly why: 'cancelled' | 'lost' | 'handed_over';

  constructor(why: RunStopped['why']) {
    super(`The run was stopped: ${why}`);
    this.why = why;
  }
}

/** Minimum interval between writes of progress. */
const WRITE_INTERVAL_MS = 250;

/** Maximum interval between checks of the claim, which bounds how late a cancellation is noticed without its notification. */
const CHECK_INTERVAL_MS = 1000;

/**
 * The claim of a running attempt on its job. It writes the job's progress and aborts `signal` with a
 * `RunStopped` when the claim is lost. A notification reports that at once; otherwise the next write or check
 * does. Errors of the database do not lose the claim: the next check decides.
 */
export class Claim implements AsyncDisposable {
  readonly signal: AbortSignal;
  readonly #database: Database;
  readonly #jobId: string;
  readonly #attempt: number;
  readonly #stop = new AbortController();
  readonly #watch: Disposable;
  readonly #timer: NodeJS.Timeout;
  #reached: Progress;
  #written: Progress;
  #checkedAtMs = performance.now();
  #writing: Promise<void> | null = null;

  constructor(
    database: Database,
    changes: JobChanges,
    job: { readonly jobId: string; readonly attempt: number; readonly progressPercent: number },
  ) {
    this.#database = database;
    this.#jobId = job.jobId;
    this.#attempt = job.attempt;
    this.#reached = { percent: job.progressPercent, frame: null };
    this.#written = this.#reached;
    this.signal = this.#stop.signal;
    this.#watch = changes.watch(job.jobId, (status) => {
      if (status === 'cancelled') this.stop('cancelled');
    });
    this.#timer = setInterval(() => this.#tick(), WRITE_INTERVAL_MS);
  }

  /** Percent of the whole job; a smaller value than before is ignored. */
  report(percent: number): void {
    if (percent > this.#reached.percent) this.#reached = { ...this.#reached, percent };
  }

  /** Reports the newest rendered frame. */
  reportFrame(frame: LiveFrame): void {
    this.#reached = { ...this.#reached, frame };
  }

  stop(why: RunStopped['why']): void {
    if (!this.signal.aborted) this.#stop.abort(new RunStopped(why));
  }

  /** Checks who holds the job, for example after a fenced write had no effect. */
  async check(): Promise<void> {
    this.#checkedAtMs = performance.now();
    const holder = await selectHolder(this.#database, this.#jobId);
    if (holder?.status === 'cancelled') this.stop('cancelled');
    else if (holder?.status !== 'processing' || holder.attempt !== this.#attempt) this.stop('lost');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#watch[Symbol.dispose]();
    await this.#writing;
  }

  #tick(): void {
    const due = this.#reached !== this.#written || performance.now() - this.#checkedAtMs >= CHECK_INTERVAL_MS;
    if (!due || this.#writing !== null || this.signal.aborted) return;
    this.#writing = this.#write()
      .catch(() => {})
      .finally(() => {
        this.#writing = null;
      });
  }

  async #write(): Promise<void> {
    const reached = this.#reached;
    if (reached === this.#written) return this.check();
    const held = await writeProgress(this.#database, this.#jobId, this.#attempt, reached);
    this.#checkedAtMs = performance.now();
    this.#written = reached;
    if (!held) await this.check();
  }
}
