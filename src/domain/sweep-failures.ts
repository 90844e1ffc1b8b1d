/** Failures of single steps in a sweep: a step that fails does not stop the others. */
export class SweepFailures {
  readonly #errors: unknown[] = [];

  /** The result of one step, or undefined when it failed. */
  async collect<T>(step: Promise<T>): Promise<T | undefined> {
    try {
      return await step;
    } catch (error) {
      this.#errors.push(error);
      return undefined;
    }
  }

  /** Throws `AggregateError` when any step failed. */
  throwIfAny(): void {
    const { length } = this.#errors;
    if (length > 0)
      throw new AggregateError(
        this.#errors,
        `${length} ${length === 1 ? 'step' : 'steps'} of a sweep failed, the first: ${this.#errors[0]}`,
      );
  }
}
