import { rounded } from '../../signal/rounding.ts';

/** Middle values of weighted templates. All are independent of the order of their input. */

export interface Weighted<Value> {
  readonly value: Value;
  /** A whole number: how often the template was given. */
  readonly weight: number;
}

export function totalWeight(values: readonly Weighted<unknown>[]): number {
  return values.reduce((sum, { weight }) => sum + weight, 0);
}

/** The median of the values, each counted `weight` times; NaN of none. */
export function weightedMedian(values: readonly Weighted<number>[]): number {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  const half = totalWeight(sorted) / 2;
  let passed = 0;
  for (const [at, { value, weight }] of sorted.entries()) {
    passed += weight;
    if (passed > half) return value;
    if (passed === half) return (value + sorted[at + 1]!.value) / 2;
  }
  return Number.NaN;
}

export function weightedMean(values: readonly Weighted<number>[]): number {
  return values.reduce((sum, { value, weight }) => sum + weight * value, 0) / totalWeight(values);
}

/** The value of most weight; of equals the smaller one. Undefined of none. */
export function majority<Value extends string | number | boolean>(
  values: readonly Weighted<Value>[],
): Value | undefined {
  const weights = new Map<Value, number>();
  for (const { value, weight } of values) weights.set(value, (weights.get(value) ?? 0) + weight);
  const [first] = [...weights].sort(
    ([one, weight], [other, otherWeight]) => otherWeight - weight || (one < other ? -1 : 1),
  );
  return first?.[0];
}

/** Medians of the same property of each value; values without it do not count. Undefined: none has it. */
export function medianOf<Value>(
  values: readonly Weighted<Value>[],
  property: (value: Value) => number | undefined,
): number | undefined {
  const found = having(values, property);
  return found.length === 0 ? undefined : toFieldStep(weightedMedian(found));
}

/** A property of the values that have it. */
export function having<Value, Property>(
  values: readonly Weighted<Value>[],
  property: (value: Value) => Property | null | undefined,
): Weighted<Property>[] {
  return values.flatMap(({ value, weight }) => {
    const found = property(value);
    return found === undefined || found === null ? [] : [{ value: found, weight }];
  });
}

/** Rounded to the step of the finest measured fields. */
export function toFieldStep(value: number): number {
  return rounded(value, 4);
}
