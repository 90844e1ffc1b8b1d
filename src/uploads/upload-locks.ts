interface Holder {
  readonly interrupt: () => void;
  readonly done: Promise<void>;
}

/**
 * One piece of work at a time for each upload. A connection that broke may look alive here for long, so the next
 * request interrupts the one before it.
 */
export class UploadLocks {
  readonly #holders = new Map<string, Holder>();

  /** `interrupt` asks `work` to end soon; it may be called at any time before the end, and more than once. */
  async hold<T>(id: string, interrupt: () => void, work: () => Promise<T>): Promise<T> {
    for (let holder = this.#holders.get(id); holder !== undefined; holder = this.#holders.get(id)) {
      holder.interrupt();
      await holder.done;
    }
    const done = Promise.withResolvers<void>();
    this.#holders.set(id, { interrupt, done: done.promise });
    try {
      return await work();
    } finally {
      this.#holders.delete(id);
      done.resolve();
    }
  }

  interruptAll(): void {
    for (const { interrupt } of this.#holders.values()) interrupt();
  }
}
