import type { Job } from '../model/job.ts';
import type { JobChanges } from '../model/job-changes.ts';
import { isTerminal } from '../model/moves.ts';

/** Notifications can be lost with their connection, so the job is also read at this interval. */
const POLL_INTERVAL_MS = 5_000;

type Read = () => Promise<Job | null>;

/** Returns the job as soon as it is terminal, or its current state after `waitMs` or when `signal` aborts. Null when it does not exist. */
export async function waitForEnd(
  read: Read,
  changes: JobChanges,
  jobId: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<Job | null> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  using change = new ChangeSignal(changes, jobId, ending);
  for (;;) {
    const job = await read();
    if (job === null || isTerminal(job.status) || ending.aborted) return job;
    await change.wait();
  }
}

/** Yields the job now and after each change. Ends after the terminal state, when the job is deleted, or at `signal`. */
export async function* watchJob(
  read: Read,
  changes: JobChanges,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<Job> {
  using change = new ChangeSignal(changes, jobId, signal);
  let lastState = '';
  while (!signal.aborted) {
    const job = await read();
    if (job === null) return;
    const moment = job.status === 'processing' ? `${job.stage} ${job.frame?.sequence}` : '';
    const state = `${job.status} ${job.attempt} ${job.progressPercent} ${moment}`;
    if (state !== lastState) yield job;
    lastState = state;
    if (isTerminal(job.status)) return;
    await change.wait();
  }
}

/** Signals each change of a job, each poll interval, and the abort of `signal`. Several signals before a `wait` count as one. */
class ChangeSignal implements Disposable {
  readonly #watch: Disposable;
  readonly #signal: AbortSignal;
  readonly #raise = () => {
    this.#isRaised = true;
    this.#wake();
  };
  #isRaised = false;
  #wake = () => {};

  constructor(changes: JobChanges, jobId: string, signal: AbortSignal) {
    this.#watch = changes.watch(jobId, this.#raise);
    this.#signal = signal;
    signal.addEventListener('abort', this.#raise);
  }

  async wait(): Promise<void> {
    if (!this.#isRaised && !this.#signal.aborted) {
      const timer = setTimeout(this.#raise, POLL_INTERVAL_MS);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      clearTimeout(timer);
    }
    this.#isRaised = false;
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
    this.#signal.removeEventListener('abort', this.#raise);
  }
}
