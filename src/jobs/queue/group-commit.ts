import { setImmediate as readSockets } from 'node:timers/promises';
import type { Database, Queryable } from '../../database/database.ts';
import { Failure, isFailure } from '../../domain/errors.ts';

/** Limits how much is repeated after one failure. */
const LARGEST_BATCH = 64;

interface Waiting<E, R> {
  readonly entry: E;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Does the work of all entries in one transaction; returns for each its result or its error. */
export type BatchWork<E, R> = (
  transaction: Queryable,
  entries: readonly E[],
) => Promise<ReadonlyMap<E, R | Failure>>;

/** Group commit: requests that arrive during a transaction share the next one. Each commit costs one disk sync, whatever its size. */
export class GroupCommit<E, R> {
  readonly #database: Database;
  readonly #work: BatchWork<E, R>;
  #waiting: Waiting<E, R>[] = [];
  #isRunning = false;

  constructor(database: Database, work: BatchWork<E, R>) {
    this.#database = database;
    this.#work = work;
  }

  /** Throws the error that the work returned or threw for this entry. */
  do(entry: E): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Lets requests that are already in the sockets join this transaction.
      await readSockets();
      await this.#settle(this.#waiting.splice(0, LARGEST_BATCH));
    }
    this.#isRunning = false;
  }

  async #settle(batch: readonly Waiting<E, R>[]): Promise<void> {
    try {
      const entries = batch.map(({ entry }) => entry);
      const outcomes = await this.#database.transaction((transaction) => this.#work(transaction, entries));
      for (const { entry, resolve, reject } of batch) {
        const outcome = outcomes.get(entry);
        if (outcome instanceof Failure) reject(outcome);
        else resolve(outcome as R);
      }
    } catch (error) {
      const isSharedFailure =
        batch.length === 1 || isFailure(error, 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE');
      if (isSharedFailure) for (const { reject } of batch) reject(error);
      // One entry caused the failure: each is tried alone, so that the others succeed.
      else for (const one of batch) await this.#settle([one]);
    }
  }
}
