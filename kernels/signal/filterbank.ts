/** Sums over the bins of a spectrum in double precision. Memory layout: `src/signal/filterbank.ts`. */

const VALUE_BYTES: usize = 8;
const VECTOR_BYTES: usize = 16;
/** First bin and number of weights. */
const FILTER_BYTES: usize = 8;
const LENGTH_OFFSET: usize = 4;

/** Square roots of `count` values, in whole vectors. */
export function roots(values: usize, count: usize, to: usize): void {
  const end = values + VALUE_BYTES * count;
  do {
    v128.store(to, f64x2.sqrt(v128.load(values)));
    values += VECTOR_BYTES;
    to += VECTOR_BYTES;
  } while (values < end);
}

/** Weighted sum of the values under each filter, added one by one. `filters`: two i32 each; `weights`: of all filters, one after the other. */
export function addFiltered(values: usize, filters: usize, count: usize, weights: usize, sums: usize): void {
  const end = filters + FILTER_BYTES * count;
  for (; filters < end; filters += FILTER_BYTES) {
    let value = values + VALUE_BYTES * <usize>i32.load(filters);
    const last = weights + VALUE_BYTES * <usize>i32.load(filters, LENGTH_OFFSET);
    let sum: f64 = 0;
    for (; weights < last; weights += VALUE_BYTES) {
      sum += f64.load(weights) * f64.load(value);
      value += VALUE_BYTES;
    }
    f64.store(sums, sum);
    sums += VALUE_BYTES;
  }
}
