/** Two second-order sections in double precision. Coefficients and memory layout: `src/signal/biquad.ts`. */

const VALUE_BYTES: usize = 8;
const VECTOR_BYTES: usize = 16;

/**
 * Adds `weights` times the squares of the filtered samples of two channels to `squares`, first channel first.
 * `sections`: b0, b1, b2, a1, a2 of both sections; `weights`: one pair; `state`: four pairs, preserved between calls.
 * Transposed direct form II; the channels are independent.
 */
export function addSquares(
  one: usize,
  other: usize,
  count: usize,
  sections: usize,
  weights: usize,
  state: usize,
  squares: usize,
): void {
  const fb0 = v128.load64_splat(sections);
  const fb1 = v128.load64_splat(sections, VALUE_BYTES);
  const fb2 = v128.load64_splat(sections, 2 * VALUE_BYTES);
  const fa1 = v128.load64_splat(sections, 3 * VALUE_BYTES);
  const fa2 = v128.load64_splat(sections, 4 * VALUE_BYTES);
  const gb0 = v128.load64_splat(sections, 5 * VALUE_BYTES);
  const gb1 = v128.load64_splat(sections, 6 * VALUE_BYTES);
  const gb2 = v128.load64_splat(sections, 7 * VALUE_BYTES);
  const ga1 = v128.load64_splat(sections, 8 * VALUE_BYTES);
  const ga2 = v128.load64_splat(sections, 9 * VALUE_BYTES);
  const weight = v128.load(weights);
  let f1 = v128.load(state);
  let f2 = v128.load(state, VECTOR_BYTES);
  let g1 = v128.load(state, 2 * VECTOR_BYTES);
  let g2 = v128.load(state, 3 * VECTOR_BYTES);
  const end = one + VALUE_BYTES * count;
  for (; one < end; one += VALUE_BYTES) {
    const x = f64x2.replace_lane(v128.load64_zero(one), 1, f64.load(other));
    const y = f64x2.add(f64x2.mul(fb0, x), f1);
    f1 = f64x2.add(f64x2.sub(f64x2.mul(fb1, x), f64x2.mul(fa1, y)), f2);
    f2 = f64x2.sub(f64x2.mul(fb2, x), f64x2.mul(fa2, y));
    const z = f64x2.add(f64x2.mul(gb0, y), g1);
    g1 = f64x2.add(f64x2.sub(f64x2.mul(gb1, y), f64x2.mul(ga1, z)), g2);
    g2 = f64x2.sub(f64x2.mul(gb2, y), f64x2.mul(ga2, z));
    const square = f64x2.mul(f64x2.mul(weight, z), z);
    const sum = f64.load(squares) + f64x2.extract_lane(square, 0);
    f64.store(squares, sum + f64x2.extract_lane(square, 1));
    other += VALUE_BYTES;
    squares += VALUE_BYTES;
  }
  v128.store(state, f1);
  v128.store(state, f2, VECTOR_BYTES);
  v128.store(state, g1, 2 * VECTOR_BYTES);
  v128.store(state, g2, 3 * VECTOR_BYTES);
}

/** `sum` plus `count` values, added one by one. */
export function addUp(values: usize, count: usize, sum: f64): f64 {
  const end = values + VALUE_BYTES * count;
  for (; values < end; values += VALUE_BYTES) sum += f64.load(values);
  return sum;
}
