/**
 * Rises of band levels from one frame to another, in double precision. Memory layout:
 * `src/analysis/beats/onset-curve.ts`.
 */

const VALUE_BYTES: usize = 8;

/** Sum of the rises of `count` bands. */
export function addRises(bands: usize, older: usize, count: usize): f64 {
  const end = bands + VALUE_BYTES * count;
  let sum: f64 = 0;
  for (; bands < end; bands += VALUE_BYTES) {
    const rise = f64.load(bands) - f64.load(older);
    if (rise > 0) sum += rise;
    older += VALUE_BYTES;
  }
  return sum;
}

/** Sum of `count` bands. */
export function addBands(bands: usize, count: usize): f64 {
  const end = bands + VALUE_BYTES * count;
  let sum: f64 = 0;
  for (; bands < end; bands += VALUE_BYTES) sum += f64.load(bands);
  return sum;
}

/** The greatest of each band and its neighbours; `count` is at least 1. */
export function widen(bands: usize, count: usize, to: usize): void {
  const last = bands + VALUE_BYTES * (count - 1);
  let before = f64.load(bands);
  let here = before;
  for (; bands < last; bands += VALUE_BYTES) {
    const after = f64.load(bands, VALUE_BYTES);
    f64.store(to, Math.max(Math.max(before, here), after));
    before = here;
    here = after;
    to += VALUE_BYTES;
  }
  f64.store(to, Math.max(before, here));
}
