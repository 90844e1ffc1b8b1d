import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import type { RunPart } from '../../domain/stage.ts';
import type { StorageWatch } from '../../storage/storage-watch.ts';
import type { JobChanges } from '../model/job-changes.ts';
import { selectJob } from '../model/job-store.ts';
import { claimPart, type HeldPart, PARTS_CHANNEL } from '../model/part-store.ts';
import { RunStopped } from './claim.ts';
import { doHeldPart } from './parts.ts';
import type { RunParts } from './run.ts';
import { stageInputs } from './stage-inputs.ts';

/** Notifications can be lost with their connection, so parts are also looked up at this interval. */
const POLL_INTERVAL_MS = 5_000;
/** Wait after an error, so that a part that fails here is not retried in a tight loop. */
const ERROR_DELAY_MS = 1_000;
/** Time in which a part must end after its abort signal. */
const ABORT_GRACE_MS = 5_000;

export interface PartHelperParts extends Pick<RunParts, 'database' | 'logger' | 'metrics'> {
  readonly storage: StorageWatch;
  readonly changes: JobChanges;
  readonly runPart: RunPart;
  /** Whether this worker has free capacity: jobs go before parts of other workers' jobs. */
  readonly isIdle: () => boolean;
}

/** Renders parts of jobs that other workers run, one at a time, while this worker is idle. */
export class PartHelper {
  readonly #parts: PartHelperParts;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  #stopListening: () => Promise<void> = async () => {};
  #running: Promise<void> = Promise.resolve();
  #wake = () => {};

  constructor(parts: PartHelperParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#stopListening = await this.#parts.database.listen(PARTS_CHANNEL, () => this.#wake());
    this.#running = this.#help();
  }

  /** Claims no more parts; the current one may be finished within `graceMs`, else it is released. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#stopListening();
    await Promise.race([this.#running, sleep(graceMs, undefined, { ref: false })]);
    this.#aborting.abort(new RunStopped('handed_over'));
    await Promise.race([this.#running, sleep(ABORT_GRACE_MS, undefined, { ref: false })]);
  }

  async #help(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const held = await this.#claim();
        if (held === null) await this.#wait();
        else await this.#do(held);
      } catch (error) {
        if (!signal.aborted)
          this.#parts.logger.warn({ err: error }, 'a part of a job could not be done here');
        await sleep(ERROR_DELAY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #claim(): Promise<HeldPart | null> {
    const { database, storage, isIdle } = this.#parts;
    if (!isIdle() || !(await storage.isUsableWithin(0, this.#stopping.signal))) return null;
    return claimPart(database, newId(), null);
  }

  async #do(held: HeldPart): Promise<void> {
    const { database, logger, changes, runPart } = this.#parts;
    const { jobId, part } = held;
    const job = await selectJob(database, jobId);
    if (job?.status !== 'processing') return;
    const over = new AbortController();
    using _watch = changes.watch(jobId, (status) => {
      if (status !== 'processing') over.abort(new RunStopped('cancelled'));
    });
    const inputs = await stageInputs({ database }, job);
    logger.info({ jobId, part }, 'part taken');
    const signal = AbortSignal.any([over.signal, this.#aborting.signal]);
    try {
      await doHeldPart(this.#parts, held, signal, (partSignal) =>
        runPart({ ...inputs, stage: job.stage, signal: partSignal, onProgress: () => {} }, held),
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Waits until a part may be available, or for the poll interval. */
  async #wait(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
