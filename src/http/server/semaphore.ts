import { Failure } from '../../domain/errors.ts';

/** Limits concurrency; further callers wait in their order until they are aborted. */
export class Semaphore {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#free = limit;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Dispose of the result when the work is done. Throws the signal's reason, QUEUE_FULL when too many wait.
   */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return { [Symbol.dispose]: () => this.#release() };
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      const detail = `${this.#waiting.length} others wait already`;
      throw new Failure('QUEUE_FULL', detail, { retryAfterSeconds: 1 });
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      this.#waiting.push(begin);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
