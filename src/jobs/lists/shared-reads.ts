import { setImmediate as readSockets } from 'node:timers/promises';

/** Limits the size of one result. */
const LARGEST_BATCH = 64;

/**
 * Reads entries by their ids, with one query at a time. Requests that arrive during a query share the next one, so each sees the state at
 * its call or a later one, and any number of clients of one entry costs one row.
 */
export class SharedReads<Entry> {
  readonly #select: (ids: readonly string[]) => Promise<ReadonlyMap<string, Entry>>;
  readonly #waiting = new Map<string, PromiseWithResolvers<Entry | null>>();
  #isRunning = false;

  constructor(select: (ids: readonly string[]) => Promise<ReadonlyMap<string, Entry>>) {
    this.#select = select;
  }

  /** Null: there is no such entry. Throws the error of the query. */
  get(id: string): Promise<Entry | null> {
    const waiting = this.#waiting.get(id) ?? Promise.withResolvers<Entry | null>();
    this.#waiting.set(id, waiting);
    if (!this.#isRunning) void this.#run();
    return waiting.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      // Lets requests that are already in the sockets join this query.
      await readSockets();
      const batch = [...this.#waiting].slice(0, LARGEST_BATCH);
      for (const [id] of batch) this.#waiting.delete(id);
      try {
        const entries = await this.#select(batch.map(([id]) => id));
        for (const [id, { resolve }] of batch) resolve(entries.get(id) ?? null);
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
