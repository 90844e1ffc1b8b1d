/**
 * Means of a plane of bytes over the cells of a coarser grid, in two steps. `sumRows` adds rows of samples to
 * one line for each row of cells. `sumColumns` adds samples of a line to one mean for each cell. A sample
 * that two cells share is added to both, by weights. Memory layout and tables:
 * `src/media/decode/area-means.ts`.
 *
 * Sums are 32-bit floats with integer values. Whole vectors are read and written: up to 63 samples beyond the
 * end of a row or line.
 */
import { sumOfFloats } from '../../lanes';

/** An entry of the table of rows is four i32. `FIRST_ROW`: first row of the cell; `WHOLE_ROWS`: number of rows covered whole. */
const ROW_ENTRY_BYTES: usize = 16;
const FIRST_ROW: usize = 0;
const WHOLE_ROWS: usize = 4;
/** Weights of the partly covered rows before and after those; 0: there is none. */
const WEIGHT_BEFORE: usize = 8;
const WEIGHT_AFTER: usize = 12;

const VECTOR_BYTES: usize = 16;
/** Samples of a row added at a time. */
const BATCH_SAMPLES: usize = 64;

/**
 * Writes a line of weighted sums for each of `count` rows of cells, lines `lineBytes` apart. `wholeWeight`: weight of a row covered
 * whole. `narrow`: memory for a line of 16-bit sums. Width and count are at least 1.
 */
export function sumRows(
  plane: usize,
  stride: usize,
  width: usize,
  rows: usize,
  count: usize,
  wholeWeight: f32,
  narrow: usize,
  lines: usize,
  lineBytes: usize,
): void {
  for (let cell: usize = 0; cell < count; cell++) {
    const weightBefore = load<i32>(rows, WEIGHT_BEFORE);
    const weightAfter = load<i32>(rows, WEIGHT_AFTER);
    const wholeRows: usize = load<u32>(rows, WHOLE_ROWS);
    const first = plane + (load<u32>(rows, FIRST_ROW) as usize) * stride;
    const whole = weightBefore === 0 ? first : first + stride;
    sumWholeRows(whole, stride, width, wholeRows, narrow);
    weighSums(narrow, width, wholeWeight, lines);
    if (weightBefore !== 0) addWeighedRow(first, width, weightBefore as f32, lines);
    if (weightAfter !== 0) addWeighedRow(whole + wholeRows * stride, width, weightAfter as f32, lines);
    lines += lineBytes;
    rows += ROW_ENTRY_BYTES;
  }
}

/** Sums of columns over `count` rows, 16 bits each, which is enough for 257 rows of 255. */
function sumWholeRows(plane: usize, stride: usize, width: usize, count: usize, out: usize): void {
  const end = plane + width;
  for (; plane < end; plane += BATCH_SAMPLES) {
    let sum0 = i16x8.splat(0);
    let sum1 = i16x8.splat(0);
    let sum2 = i16x8.splat(0);
    let sum3 = i16x8.splat(0);
    let sum4 = i16x8.splat(0);
    let sum5 = i16x8.splat(0);
    let sum6 = i16x8.splat(0);
    let sum7 = i16x8.splat(0);
    let from = plane;
    for (let left = count; left !== 0; left--) {
      const samples0 = v128.load(from, 0);
      sum0 = i16x8.add(sum0, i16x8.extend_low_i8x16_u(samples0));
      sum1 = i16x8.add(sum1, i16x8.extend_high_i8x16_u(samples0));
      const samples1 = v128.load(from, 16);
      sum2 = i16x8.add(sum2, i16x8.extend_low_i8x16_u(samples1));
      sum3 = i16x8.add(sum3, i16x8.extend_high_i8x16_u(samples1));
      const samples2 = v128.load(from, 32);
      sum4 = i16x8.add(sum4, i16x8.extend_low_i8x16_u(samples2));
      sum5 = i16x8.add(sum5, i16x8.extend_high_i8x16_u(samples2));
      const samples3 = v128.load(from, 48);
      sum6 = i16x8.add(sum6, i16x8.extend_low_i8x16_u(samples3));
      sum7 = i16x8.add(sum7, i16x8.extend_high_i8x16_u(samples3));
      from += stride;
    }
    v128.store(out, sum0, 0);
    v128.store(out, sum1, 16);
    v128.store(out, sum2, 32);
    v128.store(out, sum3, 48);
    v128.store(out, sum4, 64);
    v128.store(out, sum5, 80);
    v128.store(out, sum6, 96);
    v128.store(out, sum7, 112);
    out += 2 * BATCH_SAMPLES;
  }
}

/** Writes a line: `weight` times each of the 16-bit sums. */
function weighSums(sums: usize, width: usize, weight: f32, line: usize): void {
  const end = sums + 2 * width;
  do {
    const eight = v128.load(sums);
    v128.store(line, weighedLow(eight, weight), 0);
    v128.store(line, weighedHigh(eight, weight), 16);
    line += 2 * VECTOR_BYTES;
    sums += VECTOR_BYTES;
  } while (sums < end);
}

/** Adds `weight` times a row of samples to a line. */
function addWeighedRow(row: usize, width: usize, weight: f32, line: usize): void {
  const end = row + width;
  do {
    const eight = v128.load8x8_u(row);
    v128.store(line, f32x4.add(v128.load(line, 0), weighedLow(eight, weight)), 0);
    v128.store(line, f32x4.add(v128.load(line, 16), weighedHigh(eight, weight)), 16);
    line += 2 * VECTOR_BYTES;
    row += 8;
  } while (row < end);
}

/** `weight` times the first four of eight unsigned 16-bit numbers. */
function weighedLow(eight: v128, weight: f32): v128 {
  return f32x4.mul(f32x4.splat(weight), f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(eight)));
}

/** `weight` times the last four of eight unsigned 16-bit numbers. */
function weighedHigh(eight: v128, weight: f32): v128 {
  return f32x4.mul(f32x4.splat(weight), f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(eight)));
}

/**
 * Writes `share` times the weighted sum of each cell, row by row, up to `end`. The table of columns has an
 * entry for each of `count` columns of cells. An entry is one vector, whose first i32 is the number of the
 * column's first sample, and then `vectors` vectors of weights (f32).
 */
export function sumColumns(
  lines: usize,
  lineBytes: usize,
  columns: usize,
  count: usize,
  vectors: usize,
  share: f32,
  out: usize,
  end: usize,
): void {
  const weightBytes = vectors * VECTOR_BYTES;
  for (; out < end; lines += lineBytes) {
    let entry = columns;
    for (let cell: usize = 0; cell < count; cell++) {
      let samples = lines + 4 * (load<u32>(entry) as usize);
      let sums = f32x4.splat(0);
      entry += VECTOR_BYTES;
      const entryEnd = entry + weightBytes;
      do {
        sums = f32x4.add(sums, f32x4.mul(v128.load(samples), v128.load(entry)));
        samples += VECTOR_BYTES;
        entry += VECTOR_BYTES;
      } while (entry < entryEnd);
      store<f32>(out, share * sumOfFloats(sums));
      out += 4;
    }
  }
}

/** Bytes of `gain` × mean + `offset`, rounded and clamped to 0..255; sixteen at a time. */
export function levels(means: usize, count: usize, gain: f32, offset: f32, out: usize): void {
  const end = out + count;
  for (; out < end; out += 16) {
    const first = i16x8.narrow_i32x4_u(
      wholeLevels(v128.load(means, 0), gain, offset),
      wholeLevels(v128.load(means, 16), gain, offset),
    );
    const second = i16x8.narrow_i32x4_u(
      wholeLevels(v128.load(means, 32), gain, offset),
      wholeLevels(v128.load(means, 48), gain, offset),
    );
    v128.store(out, i8x16.narrow_i16x8_u(first, second));
    means += 64;
  }
}

/** Adds one half before truncation, which rounds. */
function wholeLevels(means: v128, gain: f32, offset: f32): v128 {
  const scaled = f32x4.mul(means, f32x4.splat(gain));
  return i32x4.trunc_sat_f32x4_u(f32x4.add(scaled, f32x4.splat(offset + 0.5)));
}
