import type { Database } from '../../database/database.ts';
import type { LiveFrame } from '../../domain/stage.ts';
import type { JobChanges } from '../model/job-changes.ts';
import { type Progress, selectHolder, writeProgress } from '../model/job-store.ts';

/** Why a run has to stop although nothing went wrong with it. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  /** `lost`: another attempt holds the job, or it is gone. `handed_over`: this worker is shutting down. */
  readonly why: 'cancelled' | 'lost' | 'handed_over';

  constructor(why: RunStopped['why']) {
    super(`The run was stopped: ${why}`);
    this.why = why;
  }
}

/** Progress is written at most this often. */
const WRITE_INTERVAL_MS = 250;

/** Without progress to write, the claim is looked at this often: the bound for noticing a cancellation unheard. */
const CHECK_INTERVAL_MS = 1000;

/**
 * A running attempt's hold on its job: writes its progress, and aborts `signal` with a `RunStopped` as soon as the hold
 * is lost, by notification at once, else by the next write or look. Trouble with the database loses nothing: the next
 * look decides.
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

  /** Percent of the whole job; less than before changes nothing. */
  report(percent: number): void {
    if (percent > this.#reached.percent) this.#reached = { ...this.#reached, percent };
  }

  /** What can be looked at now. */
  reportFrame(frame: LiveFrame): void {
    this.#reached = { ...this.#reached, frame };
  }

  stop(why: RunStopped['why']): void {
    if (!this.signal.aborted) this.#stop.abort(new RunStopped(why));
  }

  /** Asks who holds the job; for when a fenced write was refused. */
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
