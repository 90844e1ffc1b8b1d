interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

interface Lent {
  readonly bytes: number;
  readonly yieldTo: () => void;
  isRecalled: boolean;
}

/** Memory shared by children: each reserves its need before it starts, and waits in order until enough is free. */
export class MemoryBudget {
  readonly bytes: number;
  /** Reserved and lent bytes. */
  #used = 0;
  readonly #waiting: Waiting[] = [];
  /** Oldest first. */
  readonly #lent = new Set<Lent>();

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /**
   * Resolves when `bytes` are reserved; disposing frees them. A task that needs more than the whole budget runs alone.
   * First come, first served, so that a large task is not delayed indefinitely. Throws the signal's reason.
   */
  async take(bytes: number, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#waiting.length > 0 || !this.#fits(bytes)) await this.#wait(bytes, signal);
    else this.#used += bytes;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) this.#used -= bytes;
        held = false;
        this.#serve();
      },
    };
  }

  /**
   * Lends memory to optional holders, such as an idle child. `yieldTo` is called when a task needs it; the holder then disposes soon.
   * Null: no memory is free.
   */
  lend(bytes: number, yieldTo: () => void): Disposable | null {
    if (this.#waiting.length > 0 || this.#used + bytes > this.bytes) return null;
    const lent = { bytes, yieldTo, isRecalled: false };
    this.#lent.add(lent);
    this.#used += bytes;
    return {
      [Symbol.dispose]: () => {
        if (!this.#lent.delete(lent)) return;
        this.#used -= bytes;
        this.#serve();
      },
    };
  }

  /** Recalls as many loans as the first waiting task needs. */
  #recall(): void {
    const first = this.#waiting[0];
    if (first === undefined) return;
    let missing = Math.min(this.#used, this.#used + first.bytes - this.bytes);
    for (const lent of this.#lent) {
      if (missing <= 0) return;
      missing -= lent.bytes;
      if (lent.isRecalled) continue;
      lent.isRecalled = true;
      lent.yieldTo();
    }
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.bytes;
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
        // Tasks behind it may fit.
        this.#serve();
      };
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { bytes, begin };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
      this.#recall();
    });
  }

  #serve(): void {
    for (
      let first = this.#waiting[0];
      first !== undefined && this.#fits(first.bytes);
      first = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#used += first.bytes;
      first.begin();
    }
    this.#recall();
  }
}
