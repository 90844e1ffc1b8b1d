/**
 * Sums the motion of blocks over the frames of an interval, and writes it in bytes. `src/analysis/optical-flow/interval.ts` lays out the memory.
 *
 * There is a number for each block: floats (f32) for residuals and weights, bytes for marks (1 or 0), 16 bits for sums of marks. Whole vectors are
 * read and written: up to 15 bytes beyond the end.
 */

const VECTOR_BYTES: usize = 16;
const FLOAT_BYTES: usize = 4;
const SHORT_BYTES: usize = 2;
const MAX_BYTE: f64 = 255;

/** Adds floats to the sums of as many. */
export function addFloats(floats: usize, sums: usize, count: usize): void {
  const end = floats + FLOAT_BYTES * count;
  for (; floats < end; floats += VECTOR_BYTES) {
    v128.store(sums, f32x4.add(v128.load(sums), v128.load(floats)));
    sums += VECTOR_BYTES;
  }
}

/** Adds marks to the sums of as many. */
export function addMarks(marks: usize, sums: usize, count: usize): void {
  const end = sums + SHORT_BYTES * count;
  for (; sums < end; sums += VECTOR_BYTES) {
    v128.store(sums, i16x8.add(v128.load(sums), v128.load8x8_u(marks)));
    marks += VECTOR_BYTES / SHORT_BYTES;
  }
}

/** Sums as whole steps, a byte with a sign for each; none is larger than `most` of them. */
export function writeSteps(sums: usize, count: usize, step: f64, most: f64, out: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const steps = Math.round(<f64>load<f32>(sums + FLOAT_BYTES * i) / step);
    store<i8>(out + i, <i8>(<i32>max<f64>(-most, min<f64>(most, steps))));
  }
}

/** Means over `frames` of weights, 0..1, as 0..255. */
export function writeWeights(sums: usize, count: usize, frames: f64, out: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const mean = <f64>load<f32>(sums + FLOAT_BYTES * i) / frames;
    store<u8>(out + i, <u8>(<i32>Math.round(min<f64>(1, mean) * MAX_BYTE)));
  }
}

/** Shares of the frames that were marked, as 0..255. */
export function writeShares(sums: usize, count: usize, frames: f64, out: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const share = <f64>load<u16>(sums + SHORT_BYTES * i) / frames;
    store<u8>(out + i, <u8>(<i32>Math.round(share * MAX_BYTE)));
  }
}
