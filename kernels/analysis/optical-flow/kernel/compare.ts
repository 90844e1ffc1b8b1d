/** Sums over single blocks, each of whose rows is one vector, and over rows of samples. */
import { sumOfFloats, sumOfIntegers } from '../../../lanes';
import { SAMPLE_BYTES, sampleAt, VECTOR_BYTES, VECTOR_SAMPLES } from './samples';

const BLOCK_ROWS = 8;

/** Sum of absolute differences of `count` samples at any two addresses. */
export function totalDifference(a: usize, b: usize, count: usize): i32 {
  const end = a + SAMPLE_BYTES * count;
  const vectorsEnd = a + SAMPLE_BYTES * (count & ~(VECTOR_SAMPLES - 1));
  let sums = i32x4.splat(0);
  for (; a < vectorsEnd; a += VECTOR_BYTES) {
    const differences = i16x8.abs(i16x8.sub(v128.load(a), v128.load(b)));
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(differences));
    b += VECTOR_BYTES;
  }
  let rest: i32 = 0;
  for (; a < end; a += SAMPLE_BYTES) {
    rest += abs(sampleAt(a) - sampleAt(b));
    b += SAMPLE_BYTES;
  }
  return sumOfIntegers(sums) + rest;
}

/** Writes seven sums over a block (i32): gx, gy, gx², gx·gy, gy², samples, squared samples. */
export function describe(picture: usize, gx: usize, gy: usize, stride: usize, sums: usize): void {
  let sumX = i32x4.splat(0);
  let sumY = i32x4.splat(0);
  let sumXX = i32x4.splat(0);
  let sumXY = i32x4.splat(0);
  let sumYY = i32x4.splat(0);
  let sum = i32x4.splat(0);
  let sumOfSquares = i32x4.splat(0);
  for (let row = 0; row < BLOCK_ROWS; row++) {
    const samples = v128.load(picture);
    const x = v128.load(gx);
    const y = v128.load(gy);
    sumX = i32x4.add(sumX, i32x4.extadd_pairwise_i16x8_s(x));
    sumY = i32x4.add(sumY, i32x4.extadd_pairwise_i16x8_s(y));
    sumXX = i32x4.add(sumXX, i32x4.dot_i16x8_s(x, x));
    sumXY = i32x4.add(sumXY, i32x4.dot_i16x8_s(x, y));
    sumYY = i32x4.add(sumYY, i32x4.dot_i16x8_s(y, y));
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(samples));
    sumOfSquares = i32x4.add(sumOfSquares, i32x4.dot_i16x8_s(samples, samples));
    picture += stride;
    gx += stride;
    gy += stride;
  }
  store<i32>(sums, sumOfIntegers(sumX), 0);
  store<i32>(sums, sumOfIntegers(sumY), 4);
  store<i32>(sums, sumOfIntegers(sumXX), 8);
  store<i32>(sums, sumOfIntegers(sumXY), 12);
  store<i32>(sums, sumOfIntegers(sumYY), 16);
  store<i32>(sums, sumOfIntegers(sum), 20);
  store<i32>(sums, sumOfIntegers(sumOfSquares), 24);
}

/** Sum of absolute differences of two blocks of pictures of one stride. */
export function blockDifference(a: usize, b: usize, stride: usize): i32 {
  // Eight rows of differences of up to 4080 still fit in 16 bits.
  let columns = i16x8.splat(0);
  for (let row = 0; row < BLOCK_ROWS; row++) {
    columns = i16x8.add(columns, i16x8.abs(i16x8.sub(v128.load(a), v128.load(b))));
    a += stride;
    b += stride;
  }
  return sumOfIntegers(i32x4.extadd_pairwise_i16x8_u(columns));
}

/** Writes five sums over a block (i32) of d = b − a: d, d·gx, d·gy, |d|, d². The gradients have the stride of a. */
export function compareWhole(
  a: usize,
  gx: usize,
  gy: usize,
  stride: usize,
  b: usize,
  bStride: usize,
  sums: usize,
): void {
  let sum = i32x4.splat(0);
  let sumX = i32x4.splat(0);
  let sumY = i32x4.splat(0);
  let sumAbsolute = i32x4.splat(0);
  let sumOfSquares = i32x4.splat(0);
  for (let row = 0; row < BLOCK_ROWS; row++) {
    const d = i16x8.sub(v128.load(b), v128.load(a));
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(d));
    sumX = i32x4.add(sumX, i32x4.dot_i16x8_s(d, v128.load(gx)));
    sumY = i32x4.add(sumY, i32x4.dot_i16x8_s(d, v128.load(gy)));
    sumAbsolute = i32x4.add(sumAbsolute, i32x4.extadd_pairwise_i16x8_s(i16x8.abs(d)));
    sumOfSquares = i32x4.add(sumOfSquares, i32x4.dot_i16x8_s(d, d));
    a += stride;
    gx += stride;
    gy += stride;
    b += bStride;
  }
  store<i32>(sums, sumOfIntegers(sum), 0);
  store<i32>(sums, sumOfIntegers(sumX), 4);
  store<i32>(sums, sumOfIntegers(sumY), 8);
  store<i32>(sums, sumOfIntegers(sumAbsolute), 12);
  store<i32>(sums, sumOfIntegers(sumOfSquares), 16);
}

/**
 * Writes the same five sums as f32, for b shifted by `fx` samples to the right and `fy` down (0..1), bilinear. Reads
 * one row and one column of b more than a block.
 */
export function compareBetween(
  a: usize,
  gx: usize,
  gy: usize,
  stride: usize,
  b: usize,
  bStride: usize,
  fx: f32,
  fy: f32,
  sums: usize,
): void {
  const right = f32x4.splat(fx);
  const down = f32x4.splat(fy);
  let sum = f32x4.splat(0);
  let sumX = f32x4.splat(0);
  let sumY = f32x4.splat(0);
  let sumAbsolute = f32x4.splat(0);
  let sumOfSquares = f32x4.splat(0);
  // Each row of b is interpolated once, as eight floats in two vectors, and used as the lower and then as the upper
  // row.
  let upperLow = betweenLow(v128.load(b), v128.load(b, SAMPLE_BYTES), right);
  let upperHigh = betweenHigh(v128.load(b), v128.load(b, SAMPLE_BYTES), right);
  for (let row = 0; row < BLOCK_ROWS; row++) {
    b += bStride;
    const lowerLow = betweenLow(v128.load(b), v128.load(b, SAMPLE_BYTES), right);
    const lowerHigh = betweenHigh(v128.load(b), v128.load(b, SAMPLE_BYTES), right);
    const samples = v128.load(a);
    const low = f32x4.sub(towards(upperLow, lowerLow, down), lowFloats(samples));
    const high = f32x4.sub(towards(upperHigh, lowerHigh, down), highFloats(samples));
    upperLow = lowerLow;
    upperHigh = lowerHigh;
    sum = f32x4.add(sum, f32x4.add(low, high));
    sumAbsolute = f32x4.add(sumAbsolute, f32x4.add(f32x4.abs(low), f32x4.abs(high)));
    sumOfSquares = f32x4.add(sumOfSquares, f32x4.add(f32x4.mul(low, low), f32x4.mul(high, high)));
    const x = v128.load(gx);
    sumX = f32x4.add(sumX, f32x4.add(f32x4.mul(low, lowFloats(x)), f32x4.mul(high, highFloats(x))));
    const y = v128.load(gy);
    sumY = f32x4.add(sumY, f32x4.add(f32x4.mul(low, lowFloats(y)), f32x4.mul(high, highFloats(y))));
    a += stride;
    gx += stride;
    gy += stride;
  }
  store<f32>(sums, sumOfFloats(sum), 0);
  store<f32>(sums, sumOfFloats(sumX), 4);
  store<f32>(sums, sumOfFloats(sumY), 8);
  store<f32>(sums, sumOfFloats(sumAbsolute), 12);
  store<f32>(sums, sumOfFloats(sumOfSquares), 16);
}

/** The first four of eight samples, interpolated towards their right neighbours. */
function betweenLow(here: v128, right: v128, part: v128): v128 {
  return f32x4.add(lowFloats(here), f32x4.mul(part, lowFloats(i16x8.sub(right, here))));
}

/** The last four of eight samples, interpolated towards their right neighbours. */
function betweenHigh(here: v128, right: v128, part: v128): v128 {
  return f32x4.add(highFloats(here), f32x4.mul(part, highFloats(i16x8.sub(right, here))));
}

/** Linear interpolation. */
function towards(from: v128, to: v128, part: v128): v128 {
  return f32x4.add(from, f32x4.mul(part, f32x4.sub(to, from)));
}

/** The first four of eight 16-bit samples as floats. */
function lowFloats(samples: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(samples));
}

/** The last four of eight 16-bit samples as floats. */
function highFloats(samples: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(samples));
}
