/** Ctrl-C, SIGTERM of a supervisor, and the end of a terminal. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * One request can arrive twice: terminals and some supervisors signal all processes of a group, and a launcher (npm,
 * ours) forwards its own signal. Both arrive within milliseconds; a person does not repeat a request that fast.
 */
const SAME_REQUEST_MS = 500;

/** Aborts `signal` at the first request to end. A later second one ends the process at once. */
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
