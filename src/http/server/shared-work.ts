interface Running<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** Runs work once for all who request it at the same time; aborts it when the last of them has left. */
export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>();

  /** Throws the signal's reason, and what the work throws. `work` is done if nobody does it under that key already. */
  async of(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(key) ?? this.#begin(key, work);
    running.waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([running.result, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      running.waiting--;
      if (running.waiting === 0) this.#end(key, running);
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const abort = new AbortController();
    const running = { result: work(abort.signal), abort, waiting: 0 };
    // Nobody may be left to hear of it.
    running.result.catch(() => {});
    this.#running.set(key, running);
    return running;
  }

  /** Later requests start it again. */
  #end(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
    running.abort.abort();
  }
}
