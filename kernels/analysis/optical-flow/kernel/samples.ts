/** Sizes of samples (16 bits) and of 32-bit numbers in bytes, and their numbers in a vector. */

export const SAMPLE_BYTES: usize = 2;
export const VECTOR_BYTES: usize = 16;
export const VECTOR_SAMPLES: usize = 8;
/** Sums over samples are integers or floats of 32 bits. */
export const SUM_BYTES: usize = 4;

export function sampleAt(address: usize): i32 {
  return load<i16>(address) as i32;
}
