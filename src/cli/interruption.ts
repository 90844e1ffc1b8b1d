/** Ctrl-C, the end of a terminal, and a supervisor's request to end. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * One request may arrive twice: a terminal and some supervisors signal all processes of a group, and a launcher in front of
 * this one (npm, our launcher) passes its own on. They were seen within milliseconds of each other; nobody repeats a request
 * on purpose so fast.
 */
const SAME_REQUEST_MS = 500;

/** Aborts `signal` at the first request to end; a second one, made later, ends the process at once, as it would any other. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  #firstMs: number | null = null;
  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (this.#firstMs === null) {
      this.#firstMs = performance.now();
      this.#controller.abort(new Error('Interrupted'));
    } else if (performance.now() - this.#firstMs > SAME_REQUEST_MS) {
      this[Symbol.dispose]();
      process.kill(process.pid, name);
    }
  };

  constructor() {
    for (const name of ENDING_SIGNALS) process.on(name, this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    for (const name of ENDING_SIGNALS) process.off(name, this.#onSignal);
  }
}
