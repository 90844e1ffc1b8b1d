/** The last result of a computation: of equal inputs it is computed once, and nothing older is retained. */
export class LastResult<Result> {
  #inputs: readonly unknown[] | null = null;
  #result: Result | null = null;

  /** `inputs`: everything that the result depends on. Objects are compared by identity and must not change, so content is text. */
  of(inputs: readonly unknown[], compute: () => Result): Result {
    const known = this.#inputs;
    if (known?.length === inputs.length && inputs.every((input, at) => input === known[at]))
      return this.#result as Result;
    const result = compute();
    [this.#inputs, this.#result] = [inputs, result];
    return result;
  }
}
