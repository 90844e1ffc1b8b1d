/** Wakes the caller of `wait`. A `wake` before `wait` is remembered. */
export class Wake {
  #resolve = () => {};
  #promise = this.#made();

  /** Resolves at the next `wake`, or at once if there was one since the last `wait`. */
  async wait(): Promise<void> {
    await this.#promise;
    this.#promise = this.#made();
  }

  readonly wake = (): void => this.#resolve();

  #made(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}
