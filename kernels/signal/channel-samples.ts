/** Samples in single precision. Memory layout: `src/signal/channel-samples.ts`. Whole vectors are read and written. */

const SAMPLE_BYTES: usize = 4;
const VECTOR_BYTES: usize = 16;

/** Sets samples that are not finite to 0. */
export function clean(samples: usize, count: usize): void {
  const end = samples + SAMPLE_BYTES * count;
  const infinite = f32x4.splat(Infinity);
  for (; samples < end; samples += VECTOR_BYTES) {
    const some = v128.load(samples);
    v128.store(samples, v128.and(some, f32x4.lt(f32x4.abs(some), infinite)));
  }
}

/** `sum` plus the squares of `count` samples, added one by one. */
export function addSquares(samples: usize, count: usize, sum: f64): f64 {
  const end = samples + SAMPLE_BYTES * count;
  for (; samples < end; samples += SAMPLE_BYTES) {
    const sample: f64 = f32.load(samples);
    sum += sample * sample;
  }
  return sum;
}

/** Sum of channels, `apart` bytes from each other, each times `scale`. */
export function mixDown(
  samples: usize,
  apart: usize,
  channels: usize,
  count: usize,
  scale: f32,
  mono: usize,
): void {
  const factor = f32x4.splat(scale);
  const end = samples + SAMPLE_BYTES * count;
  for (; samples < end; samples += VECTOR_BYTES) {
    let sum = f32x4.splat(0);
    let sample = samples;
    for (let channel: usize = 0; channel < channels; channel++) {
      sum = f32x4.add(sum, f32x4.mul(factor, v128.load(sample)));
      sample += apart;
    }
    v128.store(mono, sum);
    mono += VECTOR_BYTES;
  }
}
