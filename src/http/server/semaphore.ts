import { Failure } from '../../domain/errors.ts';

/** Lets so many in at once; the others wait in the order in which they came, or until they are aborted. */
export class Semaphore {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#free = most;
    this.#maxWaiting = maxWaiting;
  }

  /** Dispose of what comes back when the work is done. Throws the signal's reason, QUEUE_FULL when too many wait. */
  async take(signal: AbortSignal): Promise<Disposable> {
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
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      this.#waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
