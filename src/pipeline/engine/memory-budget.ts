interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

interface Lent {
  readonly bytes: number;
  readonly yieldTo: () => void;
  isRecalled: boolean;
}

/** Memory that children share: each takes what it will need before it starts, and waits in order until there is room. */
export class MemoryBudget {
  readonly bytes: number;
  /** Of this, what is lent. */
  #used = 0;
  readonly #waiting: Waiting[] = [];
  /** The oldest first. */
  readonly #lent = new Set<Lent>();

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /**
   * Resolves when there is room; give the room back by disposing of it. What needs more than there is at all waits until
   * nothing else runs, and runs alone. Nobody passes one who came earlier, lest a large task wait for ever. Throws the
   * signal's reason.
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
   * Room for what nobody waits for, such as a child without work: `yieldTo` is called when a task needs it, and whoever holds it gives
   * it back soon, by disposing of it. Null: there is none to lend.
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

  /** Asks for as much of what is lent as the first who waits needs. */
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
        // Those behind may fit where it did not.
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
