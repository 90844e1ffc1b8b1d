/**
 * Sums the motion of blocks over the frames of an interval, and writes it in bytes. Memory layout:
 * `src/analysis/optical-flow/interval.ts`. One number for each block: f32 for residuals and weights, bytes for marks (1
 * or 0), 16 bits for sums of marks. Whole vectors are read and written: up to 15 bytes beyond the end.
 */

const VECTOR_BYTES: usize = 16;
const FLOAT_BYTES: usize = 4;
const SHORT_BYTES: usize = 2;
const MAX_BYTE: f64 = 255;

/** Adds `count` floats to as many sums. */
export function addFloats(floats: usize, sums: usize, count: usize): void {
  const end = floats + FLOAT_BYTES * count;
  for (; floats < end; floats += VECTOR_BYTES) {
    v128.store(sums, f32x4.add(v128.load(sums), v128.load(floats)));
    sums += VECTOR_BYTES;
  }
}

/** Adds `count` marks to as many sums. */
export function addMarks(marks: usize, sums: usize, count: usize): void {
  const end = sums + SHORT_BYTES * count;
  for (; sums < end; sums += VECTOR_BYTES) {
    v128.store(sums, i16x8.add(v128.load(sums), v128.load8x8_u(marks)));
    marks += VECTOR_BYTES / SHORT_BYTES;
  }
}

/** Writes sums as signed bytes in whole steps, clamped to ±`most`. */
export function writeSteps(sums: usize, count: usize, step: f64, most: f64, out: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const steps = Math.round(<f64>load<f32>(sums + FLOAT_BYTES * i) / step);
    store<i8>(out + i, <i8>(<i32>max<f64>(-most, min<f64>(most, steps))));
  }
}

/** Writes means over `frames` of weights (0..1) as 0..255. */
export function writeWeights(sums: usize, count: usize, frames: f64, out: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const mean = <f64>load<f32>(sums + FLOAT_BYTES * i) / frames;
    store<u8>(out + i, <u8>(<i32>Math.round(min<f64>(1, mean) * MAX_BYTE)));
  }
}

/** Writes the shares of frames that were marked as 0..255. */
export function writeShares(sums: usize, count: usize, frames: f64, out: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const share = <f64>load<u16>(sums + SHORT_BYTES * i) / frames;
    store<u8>(out + i, <u8>(<i32>Math.round(share * MAX_BYTE)));
  }
}
