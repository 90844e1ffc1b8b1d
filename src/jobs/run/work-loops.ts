import type { JobQueue } from '../queue/queue.ts';

/**
 * The loops of a worker that ask the queue for jobs, one for each job that it may do at a time. They can be ended while
 * jobs run, and begun again: what still runs from before counts as well.
 */
export class WorkLoops {
  readonly #queue: JobQueue;
  readonly #concurrency: number;
  readonly #run: (jobId: string) => Promise<void>;
  /** Grows with each beginning: a loop of an earlier one ends with the job that it has. */
  #generation = 0;
  #isOn = false;
  #running = 0;

  constructor(queue: JobQueue, concurrency: number, run: (jobId: string) => Promise<void>) {
    this.#queue = queue;
    this.#concurrency = concurrency;
    this.#run = run;
  }

  /** Whether jobs are asked for. */
  get isOn(): boolean {
    return this.#isOn;
  }

  async begin(): Promise<void> {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#generation++;
    await this.#add(Math.max(0, this.#concurrency - this.#running));
  }

  /** No new jobs; those that run go on. */
  async end(): Promise<void> {
    this.#isOn = false;
    await this.#queue.stopWork();
  }

  #add(count: number): Promise<void> {
    const generation = this.#generation;
    return this.#queue.work(count, async (jobId) => {
      this.#running++;
      try {
        await this.#run(jobId);
      } finally {
        this.#running--;
        // The loop that it ran in ends now; its place is free.
        if (this.#isOn && generation !== this.#generation) await this.#add(1);
      }
    });
  }
}
