import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import type { Database } from '../../database/database.ts';
import { Lease } from '../../database/lease.ts';
import type { DoPart, SharedParts } from '../../domain/stage.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import {
  claimPart,
  deleteParts,
  finishPart,
  type HeldPart,
  openParts,
  releasePart,
  renewPart,
  selectPartResults,
} from '../model/part-store.ts';
import { retryWhileDatabaseDown } from './retry-while-database-down.ts';

/** A third of the hold's expiry, and short enough to notice a cancellation whose notification was lost. */
const RENEW_MS = 1_500;
/** Poll interval while other workers finish the remaining parts. */
const POLL_INTERVAL_MS = 300;

/** The store of parts, and the metrics of their claims. */
export interface PartsPlace {
  readonly database: Database;
  readonly metrics: Metrics;
}

/**
 * Processes a held part and renews the hold meanwhile. Returns true when its result was stored; false when the hold was lost and
 * another worker's result counts. Throws what `work` throws, after releasing the part; the signal's reason when aborted.
 */
export async function doHeldPart(
  { database, metrics }: PartsPlace,
  held: HeldPart,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  // A failed renewal loses nothing: `finishPart` checks the holder.
  const lease = new Lease({
    ...{ of: 'part', isTakenOver: held.isTakenOver, metrics },
    renew: () => renewPart(database, held),
    renewMs: RENEW_MS,
    ownMs: Number.POSITIVE_INFINITY,
  });
  try {
    const result = await work(AbortSignal.any([signal, lease.signal]));
    return await retryWhileDatabaseDown(signal, () => finishPart(database, held, result));
  } catch (error) {
    if (lease.signal.aborted && !signal.aborted) return false;
    await releasePart(database, held).catch(() => {});
    throw error;
  } finally {
    await lease.end();
  }
}

/** The parts of one attempt of a job. */
export class JobParts implements SharedParts {
  readonly #place: PartsPlace;
  readonly #job: { readonly jobId: string; readonly attempt: number };
  readonly #signal: AbortSignal;

  constructor(
    place: PartsPlace,
    job: { readonly jobId: string; readonly attempt: number },
    signal: AbortSignal,
  ) {
    this.#place = place;
    this.#job = job;
    this.#signal = signal;
  }

  async all(
    plan: string,
    count: number,
    doPart: DoPart,
    onProgress: (fraction: number) => void,
  ): Promise<readonly unknown[]> {
    const signal = this.#signal;
    const withRetries = <T>(work: () => Promise<T>) => retryWhileDatabaseDown(signal, work);
    await withRetries(() =>
      this.#place.database.transaction((transaction) => openParts(transaction, this.#job, plan, count)),
    );
    for (;;) {
      signal.throwIfAborted();
      const held = await withRetries(() => claimPart(this.#place.database, newId(), this.#job.jobId));
      const results = await withRetries(() => selectPartResults(this.#place.database, this.#job.jobId));
      const done = results.filter((result) => result !== null).length;
      onProgress(done / count);
      if (held !== null) {
        const onPart = (fraction: number) => onProgress((done + fraction) / count);
        await doHeldPart(this.#place, held, signal, (partSignal) =>
          doPart(held.part, { signal: partSignal, onProgress: onPart }),
        );
      } else if (done === count) return results;
      else await sleep(POLL_INTERVAL_MS, undefined, { signal });
    }
  }

  forget(): Promise<void> {
    return retryWhileDatabaseDown(this.#signal, () => deleteParts(this.#place.database, this.#job.jobId));
  }
}
