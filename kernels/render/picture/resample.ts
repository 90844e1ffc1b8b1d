/**
 * Samples one plane of bytes at new rows and columns, by four taps in each direction. Memory layout and
 * tables: `src/render/picture/resample.ts`. Each output row needs two steps. A working line is the weighted
 * sum of four source rows. An output sample is the weighted sum of four samples of that line.
 *
 * Weights are 16-bit with 14 fractional bits. The working line has 16-bit samples with 6 fractional bits:
 * sample −1 first, then the row, then two more. Whole vectors are read and written: up to 7 samples beyond
 * the end of a row or line.
 */

const LINE_SHIFT = 14 - 6;
const OUTPUT_SHIFT = 6 + 14;
/** An entry of the table of rows: byte offsets of four source rows (4 × i32), then their weights (4 × i16). */
const ROW_ENTRY_BYTES: usize = 24;
/** For four output samples: byte offsets (i32) of their first taps in the working line; and 4 × 4 × i16 weights. */
const COLUMN_STEP_BYTES: usize = 16;
const WEIGHT_STEP_BYTES: usize = 32;

/** `lineWidth`: samples in a source row. All four sizes are at least 1; `stride`: of the target, in bytes. */
export function resample(
  source: usize,
  rows: usize,
  columns: usize,
  weights: usize,
  line: usize,
  lineWidth: usize,
  target: usize,
  stride: usize,
  width: usize,
  height: usize,
): void {
  for (let row: usize = 0; row < height; row++) {
    mixRows(source, rows, line, lineWidth);
    extendLine(line, lineWidth);
    sampleLine(line, columns, weights, target, width);
    rows += ROW_ENTRY_BYTES;
    target += stride;
  }
}

/** Writes the weighted sum of the four rows of `entry` to the working line; eight samples at a time. */
function mixRows(source: usize, entry: usize, line: usize, lineWidth: usize): void {
  const row0 = source + load<i32>(entry, 0);
  const row1 = source + load<i32>(entry, 4);
  const row2 = source + load<i32>(entry, 8);
  const row3 = source + load<i32>(entry, 12);
  // Each vector has the weights of two rows, alternating, for the dot product.
  const weights01 = v128.load32_splat(entry, 16);
  const weights23 = v128.load32_splat(entry, 20);
  let x: usize = 0;
  do {
    const s0 = v128.load8x8_u(row0 + x);
    const s1 = v128.load8x8_u(row1 + x);
    const s2 = v128.load8x8_u(row2 + x);
    const s3 = v128.load8x8_u(row3 + x);
    const low = i32x4.add(
      i32x4.dot_i16x8_s(interleaveLow(s0, s1), weights01),
      i32x4.dot_i16x8_s(interleaveLow(s2, s3), weights23),
    );
    const high = i32x4.add(
      i32x4.dot_i16x8_s(interleaveHigh(s0, s1), weights01),
      i32x4.dot_i16x8_s(interleaveHigh(s2, s3), weights23),
    );
    // Sample 0 is the line's second.
    v128.store(line + 2 * x, i16x8.narrow_i32x4_s(rounded(low, LINE_SHIFT), rounded(high, LINE_SHIFT)), 2);
    x += 8;
  } while (x < lineWidth);
}

/** Repeats the outermost samples of the line beyond its ends: one before, two after. */
function extendLine(line: usize, lineWidth: usize): void {
  store<u16>(line, load<u16>(line, 2));
  const last = line + 2 * lineWidth;
  store<u16>(last, load<u16>(last), 2);
  store<u16>(last, load<u16>(last), 4);
}

/** Four taps of the line for each output sample; four samples at a time. */
function sampleLine(line: usize, columns: usize, weights: usize, target: usize, width: usize): void {
  const end = target + width;
  do {
    // Each output sample is the sum of two lanes.
    const sums01 = i32x4.dot_i16x8_s(
      fourTapsOfTwo(line + load<i32>(columns, 0), line + load<i32>(columns, 4)),
      v128.load(weights, 0),
    );
    const sums23 = i32x4.dot_i16x8_s(
      fourTapsOfTwo(line + load<i32>(columns, 8), line + load<i32>(columns, 12)),
      v128.load(weights, 16),
    );
    const sums = i32x4.add(
      i32x4.shuffle(sums01, sums23, 0, 2, 4, 6),
      i32x4.shuffle(sums01, sums23, 1, 3, 5, 7),
    );
    const levels = rounded(sums, OUTPUT_SHIFT);
    const words = i16x8.narrow_i32x4_s(levels, levels);
    v128.store32_lane(target, i8x16.narrow_i16x8_u(words, words), 0);
    columns += COLUMN_STEP_BYTES;
    weights += WEIGHT_STEP_BYTES;
    target += 4;
  } while (target < end);
}

/** Four samples of the line from each of two addresses. */
function fourTapsOfTwo(first: usize, second: usize): v128 {
  return v128.load64_lane(second, v128.load64_zero(first), 1);
}

/** Interleaves samples: a0 b0 a1 b1 a2 b2 a3 b3. */
function interleaveLow(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

/** a4 b4 a5 b5 a6 b6 a7 b7. */
function interleaveHigh(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Removes fractional bits, rounding to nearest. */
function rounded(v: v128, bits: i32): v128 {
  return i32x4.shr_s(i32x4.add(v, i32x4.splat(1 << (bits - 1))), bits);
}
