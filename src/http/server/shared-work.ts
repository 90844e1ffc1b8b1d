interface Running<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** Runs work once for all concurrent callers of one key; aborts it when the last of them has left. */
export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>();

  /**
   * Throws the signal's reason and the errors of the work. `work` runs unless the key's work already runs.
   */
  async of(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(key) ?? this.#begin(key, work);
    running.waiting++;
    const left = Promise.withResolvers<never>();
    const onAbort = () => left.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([running.result, left.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      running.waiting--;
      if (running.waiting === 0) this.#end(key, running);
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const abort = new AbortController();
    const running = { result: work(abort.signal), abort, waiting: 0 };
    // All callers may have left.
    running.result.catch(() => {});
    this.#running.set(key, running);
    return running;
  }

  /** Later calls start it again. */
  #end(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
    running.abort.abort();
  }
}
