/** A function whose result for an object is computed once. The object must not change, and is not retained. */
export function oncePer<Input extends object, Result>(
  compute: (input: Input) => Result,
): (input: Input) => Result {
  const results = new WeakMap<Input, { readonly result: Result }>();
  return (input) => {
    const known = results.get(input);
    if (known !== undefined) return known.result;
    const result = compute(input);
    results.set(input, { result });
    return result;
  };
}
