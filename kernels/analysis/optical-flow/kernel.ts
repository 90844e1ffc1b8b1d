/**
 * Smoothing, gradients and comparison of blocks for the motion field. `src/analysis/optical-flow/kernel.ts` lays out the memory.
 *
 * Pictures are of 16-bit samples, sixteenths of a grey level (0..4080), without padding; `width` and `height` count samples, strides are
 * in bytes. A block is 8×8 samples: each of its rows is one vector. Whole vectors are read and written: up to 14 bytes beyond the end of a row,
 * and 2 before it.
 */
import { sumOfFloats, sumOfIntegers } from '../../lanes';

const SAMPLE_BYTES: usize = 2;
const VECTOR_BYTES: usize = 16;
const SUM_BYTES: usize = 4;
const VECTOR_SAMPLES: usize = 8;
const BLOCK_ROWS = 8;
/** A `Place`: how many bytes from the row's first sample one lies (u32), and the share of the way to the next one (f64). */
const PLACE_BYTES: usize = 16;
const PLACE_SHARE: usize = 8;

/**
 * Weighs a grey picture of bytes 1-2-1 both ways, which makes sixteenths of a level; at its border the picture is continued. `line` has
 * room for a row of 16-bit samples and one more beyond each of its ends.
 */
export function smooth(grey: usize, width: usize, height: usize, line: usize, out: usize): void {
  for (let y: usize = 0; y < height; y++) {
    const above = y > 0 ? grey - width : grey;
    const below = y + 1 < height ? grey + width : grey;
    smoothDown(above, grey, below, width, line);
    const last = line + SAMPLE_BYTES * width;
    store<u16>(line, load<u16>(line, SAMPLE_BYTES));
    store<u16>(last, load<u16>(last), SAMPLE_BYTES);
    smoothAcross(line, width, out);
    grey += width;
    out += SAMPLE_BYTES * width;
  }
}

/** Writes a row of above + 2 × here + below, from the line's second sample on. */
function smoothDown(above: usize, here: usize, below: usize, width: usize, line: usize): void {
  let x: usize = 0;
  do {
    const middle = v128.load8x8_u(here + x);
    const sides = i16x8.add(v128.load8x8_u(above + x), v128.load8x8_u(below + x));
    v128.store(line + SAMPLE_BYTES * x, i16x8.add(sides, i16x8.add(middle, middle)), SAMPLE_BYTES);
    x += VECTOR_SAMPLES;
  } while (x < width);
}

/** Writes a row of left + 2 × here + right; the line begins with the sample to the left of the row. */
function smoothAcross(line: usize, width: usize, out: usize): void {
  const end = line + SAMPLE_BYTES * width;
  do {
    const middle = v128.load(line, SAMPLE_BYTES);
    const sides = i16x8.add(v128.load(line), v128.load(line, 2 * SAMPLE_BYTES));
    v128.store(out, i16x8.add(sides, i16x8.add(middle, middle)));
    line += VECTOR_BYTES;
    out += VECTOR_BYTES;
  } while (line < end);
}

/** Sum of absolute differences of so many samples, wherever they lie in their pictures. */
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

/**
 * Twice the gradients of a picture, as pictures of its size: the difference of the samples on both sides. At the border it is the difference of
 * the sample and its one neighbour.
 */
export function gradients(picture: usize, width: usize, height: usize, gx: usize, gy: usize): void {
  const stride = SAMPLE_BYTES * width;
  const last = stride - SAMPLE_BYTES;
  for (let y: usize = 0; y < height; y++) {
    const above = y > 0 ? picture - stride : picture;
    const below = y + 1 < height ? picture + stride : picture;
    let at: usize = 0;
    do {
      const right = v128.load(picture + at, SAMPLE_BYTES);
      const left = v128.load(picture + at - SAMPLE_BYTES);
      v128.store(gx + at, i16x8.sub(right, left));
      v128.store(gy + at, i16x8.sub(v128.load(below + at), v128.load(above + at)));
      at += VECTOR_BYTES;
    } while (at < stride);
    // The first and the last sample of the row have been taken with neighbours that are none.
    store<i16>(gx, sampleAt(picture + SAMPLE_BYTES) - sampleAt(picture));
    store<i16>(gx + last, sampleAt(picture + last) - sampleAt(picture + last - SAMPLE_BYTES));
    picture += stride;
    gx += stride;
    gy += stride;
  }
}

/**
 * The sums of 2×2 samples by 2 to the `shift`, as a picture of half the width and height: their means, or the means of sixteenths of a level
 * in quarters, which are a 16th of the sums. `width` and `height` are those of the half.
 */
export function halve(
  picture: usize,
  stride: usize,
  width: usize,
  height: usize,
  shift: i32,
  out: usize,
): void {
  for (let y: usize = 0; y < height; y++) {
    let at: usize = 0;
    do {
      const from = picture + 2 * at;
      const left = i16x8.add(v128.load(from), v128.load(from + stride));
      const right = i16x8.add(v128.load(from, VECTOR_BYTES), v128.load(from + stride, VECTOR_BYTES));
      const low = i32x4.shr_s(i32x4.extadd_pairwise_i16x8_s(left), shift);
      const high = i32x4.shr_s(i32x4.extadd_pairwise_i16x8_s(right), shift);
      v128.store(out + at, i16x8.narrow_i32x4_s(low, high));
      at += VECTOR_BYTES;
    } while (at < SAMPLE_BYTES * width);
    picture += 2 * stride;
    out += SAMPLE_BYTES * width;
  }
}

/**
 * Takes from each sample the rounded mean of those that are up to `radius` away from it each way and in the picture, by running sums over
 * columns and then over rows. `columns` has room for a row of i32. Samples are 0 or more; `out` is another picture.
 */
export function highPass(
  picture: usize,
  width: i32,
  height: i32,
  radius: i32,
  columns: usize,
  out: usize,
): void {
  const stride = SAMPLE_BYTES * <usize>width;
  memory.fill(columns, 0, SUM_BYTES * <usize>width);
  let rows = min(radius, height);
  for (let y = 0; y < rows; y++) addToColumns(columns, picture + <usize>y * stride, stride, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) {
      addToColumns(columns, picture + <usize>(y + radius) * stride, stride, 1);
      rows++;
    }
    if (y - radius > 0) {
      addToColumns(columns, picture + <usize>(y - radius - 1) * stride, stride, -1);
      rows--;
    }
    const row = <usize>y * stride;
    passRow(picture + row, width, radius, columns, rows, out + row);
  }
}

/** The same of one row, from the sums of its columns over `rows` rows. */
function passRow(picture: usize, width: i32, radius: i32, columns: usize, rows: i32, out: usize): void {
  let count = min(radius, width);
  let sum: i32 = 0;
  for (let x = 0; x < count; x++) sum += load<i32>(columns + SUM_BYTES * <usize>x);
  for (let x = 0; x < width; x++) {
    if (x + radius < width) {
      sum += load<i32>(columns + SUM_BYTES * <usize>(x + radius));
      count++;
    }
    if (x - radius > 0) {
      sum -= load<i32>(columns + SUM_BYTES * <usize>(x - radius - 1));
      count--;
    }
    const among = <u32>(count * rows);
    const mean = (2 * <u32>sum + among) / (2 * among);
    const at = SAMPLE_BYTES * <usize>x;
    store<i16>(out + at, <i16>(sampleAt(picture + at) - <i32>mean));
  }
}

/** Adds a row of samples, each times `sign` (1 or −1), to the sums of their columns. */
function addToColumns(columns: usize, row: usize, bytes: usize, sign: i16): void {
  const signs = i16x8.splat(sign);
  for (let at: usize = 0; at < bytes; at += VECTOR_BYTES) {
    const samples = v128.load(row + at);
    const sums = columns + 2 * at;
    v128.store(sums, i32x4.add(v128.load(sums), i32x4.extmul_low_i16x8_s(samples, signs)));
    v128.store(sums, i32x4.add(v128.load(sums, 16), i32x4.extmul_high_i16x8_s(samples, signs)), 16);
  }
}

/**
 * Correlation coefficient of a picture and the part of another of its size that it would show, on every `step`th row and column: NaN where
 * there is none, 0 for plain pictures. That part is `shrink` times as wide and high, and its middle, after scaling, `shiftX` and `shiftY`
 * samples from the other's. `places` has room for a `Place` of each column.
 */
export function correlate(
  wide: usize,
  tight: usize,
  width: i32,
  height: i32,
  shrink: f64,
  shiftX: f64,
  shiftY: f64,
  step: i32,
  places: usize,
): f64 {
  const stride = SAMPLE_BYTES * <usize>width;
  // From the first column on whose place is in the picture, as many as are: they lie side by side.
  let first: i32 = -1;
  let placesEnd = places;
  for (let x = 0; x < width; x += step) {
    const from = placeOf(x, width, shrink, shiftX);
    const before = Math.floor(from);
    if (before < 0 || before + 1 >= <f64>width) continue;
    if (first < 0) first = x;
    store<u32>(placesEnd, <u32>(SAMPLE_BYTES * <usize>before));
    store<f64>(placesEnd, from - before, PLACE_SHARE);
    placesEnd += PLACE_BYTES;
  }
  let n: f64 = 0;
  let a: f64 = 0;
  let b: f64 = 0;
  let aa: f64 = 0;
  let ab: f64 = 0;
  let bb: f64 = 0;
  for (let y = 0; y < height; y += step) {
    const from = placeOf(y, height, shrink, shiftY);
    const before = Math.floor(from);
    if (before < 0 || before + 1 >= <f64>height) continue;
    const share = from - before;
    const row = wide + stride * <usize>before;
    let at = tight + stride * <usize>y + SAMPLE_BYTES * <usize>first;
    for (let place = places; place < placesEnd; place += PLACE_BYTES) {
      const here = row + <usize>load<u32>(place);
      const right = load<f64>(place, PLACE_SHARE);
      const upper = between(here, right);
      const p = upper + share * (between(here + stride, right) - upper);
      const q = <f64>sampleAt(at);
      at += SAMPLE_BYTES * <usize>step;
      n += 1;
      a += p;
      b += q;
      aa += p * p;
      ab += p * q;
      bb += q * q;
    }
  }
  const spread = Math.sqrt(Math.max(0, aa - (a * a) / n) * Math.max(0, bb - (b * b) / n));
  // Pictures that vary by less than a unit, a quarter of a grey level, are flat: what correlates is rounding.
  return spread <= n ? 0 : (ab - (a * b) / n) / spread;
}

/** Of a column or row of so many: where the other picture has it. */
function placeOf(line: i32, lines: i32, shrink: f64, shift: f64): f64 {
  const middle = <f64>lines / 2;
  return (<f64>line + 0.5 - middle + shift) * shrink + middle - 0.5;
}

/** A share of the way from a sample to the one on its right. */
function between(at: usize, share: f64): f64 {
  const sample = sampleAt(at);
  return <f64>sample + share * <f64>(sampleAt(at + SAMPLE_BYTES) - sample);
}

/** Writes seven sums over a block (i32): gx, gy, gx², gx·gy, gy², the samples and their squares. */
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
 * Writes the same five sums as f32, of b sampled between its samples: `fx` of a sample to the right and `fy` of one down, bilinear. One
 * row and one column of b more than a block are read.
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
  // Each row of b is sampled across once, as eight floats in two vectors, and serves as the lower and then as the upper one.
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

/** The first four of eight samples, moved by a part of the way to those on their right. */
function betweenLow(here: v128, right: v128, part: v128): v128 {
  return f32x4.add(lowFloats(here), f32x4.mul(part, lowFloats(i16x8.sub(right, here))));
}

/** The same of the last four. */
function betweenHigh(here: v128, right: v128, part: v128): v128 {
  return f32x4.add(highFloats(here), f32x4.mul(part, highFloats(i16x8.sub(right, here))));
}

/** A part of the way from one to the other. */
function towards(from: v128, to: v128, part: v128): v128 {
  return f32x4.add(from, f32x4.mul(part, f32x4.sub(to, from)));
}

/** The first four of eight 16-bit samples as floats. */
function lowFloats(samples: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(samples));
}

/** The last four. */
function highFloats(samples: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(samples));
}

function sampleAt(address: usize): i32 {
  return load<i16>(address) as i32;
}
