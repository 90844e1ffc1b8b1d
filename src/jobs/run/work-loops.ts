import type { JobQueue } from '../queue/queue.ts';

/**
 * The loops of a worker that fetch jobs from the queue, one for each job at a time. They can be stopped and started again while jobs
 * run; jobs of earlier loops count towards the limit.
 */
export class WorkLoops {
  readonly #queue: JobQueue;
  readonly #concurrency: number;
  readonly #run: (jobId: string) => Promise<void>;
  /** Incremented by each start: a loop of an earlier generation ends with its current job. */
  #generation = 0;
  #isOn = false;
  #running = 0;

  constructor(queue: JobQueue, concurrency: number, run: (jobId: string) => Promise<void>) {
    this.#queue = queue;
    this.#concurrency = concurrency;
    this.#run = run;
  }

  /** Whether the loops fetch jobs. */
  get isOn(): boolean {
    return this.#isOn;
  }

  async begin(): Promise<void> {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#generation++;
    await this.#add(Math.max(0, this.#concurrency - this.#running));
  }

  /** Fetches no new jobs; running ones continue. */
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
        // The loop of this job ends now, so a new one replaces it.
        if (this.#isOn && generation !== this.#generation) await this.#add(1);
      }
    });
  }
}
